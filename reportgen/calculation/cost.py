"""What a job takes in nodes, hours, money and power; renting and owning side by side, never added."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.bands import NO_ROW, Calculation
from reportgen.calculation.catalogues import Assumptions, CloudPrices, Constants, Hardware
from reportgen.calculation.fewest import NEVER
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Column, Expression, Missing, Number, Sheet
from reportgen.functions import both, ceil_div, given, match, pick, where
from reportgen.units import DATE, ROW, TEXT

NO_PRICE, NO_WORK, NOT_KNOWN = "no price", "no hours", "not known"
TRAINING_COMPUTE = "Kaplan et al. 2020 (arXiv 2001.08361), section 2.1"
OWNING = "planning rule of this tool; its terms stand under Assumptions"


def _of_card(column: Column, absent: str) -> Expression:
    value = pick(Calculation.hardware_row, column, Plan.hardware)
    return where(given(value), value, Missing(absent, column.unit))


def _if_given(needed: tuple[Column, ...], then: Expression, unit: str, absent: str) -> Expression:
    condition = given(needed[0])
    for column in needed[1:]:
        condition = both(condition, given(column))
    return where(condition, then, Missing(absent, unit))


class Cost(Sheet):
    """Nodes, hours, rent, purchase and power of each job. Rent and purchase are alternatives: do not add them."""

    title = "Cost"
    bands: ClassVar = {
        "nodes": "Nodes",
        "training_flops": "Time",
        "offer_row": "Rent",
        "price_per_card": "Purchase",
        "watts": "Power",
        "capital_per_card_hour": "Owning for an hour of work",
    }
    job = Column(TEXT, "Name of the job.", Plan.job)

    nodes = Column(
        "node",
        "Nodes that hold the planned cards.",
        _if_given((Sharding.planned_cards,), ceil_div(Sharding.planned_cards, Sharding.cards_per_node), "node", NEVER),
        absent=NEVER,
    )
    bought_cards = Column(
        "card",
        "Cards in those nodes.",
        _if_given((nodes,), nodes * Sharding.cards_per_node, "card", NEVER),
        absent=NEVER,
    )
    stranded_cards = Column(
        "card",
        "Cards in those nodes that the job does not use.",
        _if_given((bought_cards,), bought_cards - Sharding.planned_cards, "card", NEVER),
        absent=NEVER,
    )

    training_flops = Column(
        "FLOP",
        "Arithmetic of the whole job.",
        where(
            given(Plan.tokens),
            Assumptions.flops_per_parameter_token * Calculation.active_parameters * Plan.tokens,
            Missing(NO_WORK, "FLOP"),
        ),
        TRAINING_COMPUTE,
        absent=NO_WORK,
    )
    peak_flops = Column("FLOP/s", "Peak rate of one card.", _of_card(Hardware.peak_flops, NO_WORK), absent=NO_WORK)
    computed_hours = Column(
        "hour",
        "Hours that the arithmetic takes on the planned cards.",
        _if_given(
            (training_flops, peak_flops, Sharding.planned_cards),
            training_flops
            / (Sharding.planned_cards * peak_flops * Assumptions.model_flops_utilization)
            / Constants.seconds_per_hour,
            "hour",
            NO_WORK,
        ),
        TRAINING_COMPUTE,
        absent=NO_WORK,
    )
    hours = Column(
        "hour",
        "Wall-clock hours: as given, else as the arithmetic takes.",
        where(given(Plan.hours), Plan.hours, computed_hours),
        absent=NO_WORK,
    )
    card_hours = Column(
        "card*hour",
        "Planned cards times hours.",
        _if_given((hours, Sharding.planned_cards), Sharding.planned_cards * hours, "card*hour", NO_WORK),
        absent=NO_WORK,
    )

    offer_row = Column(
        ROW, "Row of the instance type in the cloud prices.", match(Plan.instance_type, CloudPrices.instance_type)
    )
    listed_price = Column(
        "USD/card/hour",
        "Rent of one card for one hour, as the hardware lists it.",
        _of_card(Hardware.price_per_card_hour, NO_PRICE),
        absent=NO_PRICE,
    )
    price_per_card_hour = Column(
        "USD/card/hour",
        "Rent of one card for one hour: the named offer's, else the listed one.",
        where(
            offer_row > NO_ROW,
            pick(offer_row, CloudPrices.price_per_hour, Plan.instance_type)
            / pick(offer_row, CloudPrices.cards, Plan.instance_type),
            listed_price,
        ),
        absent=NO_PRICE,
    )
    listed_price_date = Column(
        DATE, "Day of the listed price.", _of_card(Hardware.price_date, NO_PRICE), absent=NO_PRICE
    )
    price_date = Column(
        DATE,
        "Day of the price.",
        where(offer_row > NO_ROW, pick(offer_row, CloudPrices.price_date, Plan.instance_type), listed_price_date),
        absent=NO_PRICE,
    )
    price_source = Column(
        TEXT,
        "Whose price it is.",
        where(
            offer_row > NO_ROW,
            pick(offer_row, CloudPrices.source, Plan.instance_type),
            pick(Calculation.hardware_row, Hardware.price_source, Plan.hardware),
        ),
    )
    rental_cost = Column(
        "USD",
        "Card-hours at that rent.",
        _if_given((card_hours, price_per_card_hour), card_hours * price_per_card_hour, "USD", NO_PRICE),
        absent=NO_PRICE,
    )

    price_per_card = Column(
        "USD/card", "Purchase price of one card.", _of_card(Hardware.price_per_card, NO_PRICE), absent=NO_PRICE
    )
    purchase_cost = Column(
        "USD",
        "The cards in the nodes at that price, without servers.",
        _if_given((bought_cards, price_per_card), bought_cards * price_per_card, "USD", NO_PRICE),
        absent=NO_PRICE,
    )

    watts = Column("W", "Rated power of one card.", _of_card(Hardware.watts, NOT_KNOWN), absent=NOT_KNOWN)
    card_kw = Column(
        "kW",
        "Rated power of one card with its part of the server.",
        _if_given((watts,), watts * Assumptions.node_power_factor / Constants.watts_per_kw, "kW", NOT_KNOWN),
        OWNING,
        absent=NOT_KNOWN,
    )
    power_kw = Column(
        "kW",
        "Rated power of the planned cards at the meter of the building.",
        _if_given(
            (card_kw, Sharding.planned_cards), Sharding.planned_cards * card_kw * Assumptions.pue, "kW", NOT_KNOWN
        ),
        OWNING,
        absent=NOT_KNOWN,
    )
    energy_kwh = Column(
        "kWh",
        "Energy of the job at the meter of the building, at the mean draw.",
        _if_given((power_kw, hours), power_kw * Assumptions.power_load * hours, "kWh", NO_WORK),
        OWNING,
        absent=NO_WORK,
    )

    capital_per_card_hour = Column(
        "USD/card/hour",
        "Owning: write-off, money and support of card and server, for an hour of work.",
        _if_given(
            (price_per_card,),
            price_per_card
            * (1 + Assumptions.server_price_share)
            * (1 / Assumptions.depreciation_years + Assumptions.capital_cost + Assumptions.support_share)
            / (Constants.hours_per_year * Assumptions.card_use),
            "USD/card/hour",
            NO_PRICE,
        ),
        OWNING,
        absent=NO_PRICE,
    )
    energy_per_card_hour = Column(
        "USD/card/hour",
        "Owning: energy. A hosting price pays for cooling already, so PUE counts only in one's own building.",
        _if_given(
            (card_kw,),
            card_kw
            * Assumptions.power_load
            * where(Assumptions.colocation_price > Number(0, "USD/kW/month"), 1, Assumptions.pue)
            * Assumptions.power_price,
            "USD/card/hour",
            NOT_KNOWN,
        ),
        OWNING,
        absent=NOT_KNOWN,
    )
    hosting_per_card_hour = Column(
        "USD/card/hour",
        "Owning: hosting.",
        _if_given(
            (card_kw,),
            card_kw
            * Assumptions.colocation_price
            * Constants.months_per_year
            / (Constants.hours_per_year * Assumptions.card_use),
            "USD/card/hour",
            NOT_KNOWN,
        ),
        OWNING,
        absent=NOT_KNOWN,
    )
    own_per_card_hour = Column(
        "USD/card/hour",
        "Owning: all three, to be held against the rent.",
        _if_given(
            (capital_per_card_hour, energy_per_card_hour),
            capital_per_card_hour + energy_per_card_hour + hosting_per_card_hour,
            "USD/card/hour",
            NO_PRICE,
        ),
        OWNING,
        absent=NO_PRICE,
    )
    rent_or_own = Column(
        TEXT,
        "Which is cheaper for an hour of work.",
        where(
            both(given(own_per_card_hour), given(price_per_card_hour)),
            where(own_per_card_hour < price_per_card_hour, "own", "rent"),
            NOT_KNOWN,
        ),
        OWNING,
    )
