"""Every job on every chosen card: how many it would need and what the run would cost."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.calculation.bands import NO_ROW
from reportgen.calculation.catalogues import Assumptions, Constants, Hardware
from reportgen.calculation.cost import NO_PRICE, TRAINING_COMPUTE, Cost
from reportgen.calculation.fewest import NEVER, fewest_cards, fewest_of_several, planned_in_nodes
from reportgen.calculation.memory import ZERO_STAGES, Memory
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import At, Column, Expression, Missing, Sheet
from reportgen.functions import both, common_multiple, given, name_across, place_across, smallest_across, where
from reportgen.units import ROW, TEXT

TITLE = "Hardware comparison"
PURPOSE = "What each job would need and cost on other cards, at its own stage; the cheapest is marked."


def comparison(names: Sequence[str], positions: Sequence[int]) -> type[Sheet]:
    """Return the sheet that compares cards.

    Args:
        names: The cards' names, one column each in every block.
        positions: Where each of them stands in the hardware, from 0.
    """
    fewest, planned, costs = zip(
        *(_on_card(name, position) for name, position in zip(names, positions, strict=True)), strict=True
    )
    job = Column(TEXT, "Name of the job.", Plan.job, name="job")
    cheapest_cost = Column("USD", "Rent on the cheapest priced card.", smallest_across(costs), name="cheapest_cost")
    cheapest_place = Column(
        ROW, "Its place among the cards.", place_across(cheapest_cost, costs), name="cheapest_place"
    )
    cheapest_card = Column(
        TEXT,
        "That card.",
        where(cheapest_place > NO_ROW, name_across(cheapest_place, costs), NO_PRICE),
        name="cheapest_card",
    )
    columns = (job, cheapest_card, cheapest_cost, cheapest_place, *fewest, *planned, *costs)
    return Sheet.made_of("Comparison", TITLE, PURPOSE, columns)


def _on_card(name: str, position: int) -> tuple[Column, Column, Column]:
    fewest = Column(
        "card",
        f"Smallest number of {name}.",
        _fewest(position),
        ZERO_STAGES,
        absent=NEVER,
        band=name,
        name=f"{name} cards",
    )
    planned = Column(
        "card", "The same in whole nodes.", _planned(fewest, position), absent=NEVER, band=name, name=f"{name} planned"
    )
    cost = Column(
        "USD",
        f"Rent of the run on {name}.",
        _cost(planned, position),
        TRAINING_COMPUTE,
        absent=NO_PRICE,
        band=name,
        name=f"{name} cost",
    )
    return fewest, planned, cost


def _several(position: int) -> Expression:
    room = At(Hardware.shared_usable_bytes, position) - Sharding.floor_bytes
    resting = (Sharding.passing_bytes, Memory.replica_step_bytes)
    return fewest_of_several(Memory.model_parallel_degree, room, Sharding.sharded_bytes, resting)


def _fewest(position: int) -> Expression:
    lone, shared = At(Hardware.lone_usable_bytes, position), At(Hardware.shared_usable_bytes, position)
    replica = Memory.model_parallel_degree
    fits_whole = Sharding.replica_total_bytes <= where(replica > 1, shared, lone)
    return fewest_cards(fits_whole, replica, _several(position))


def _planned(fewest: Column, position: int) -> Expression:
    node = At(Hardware.cards_per_node, position)
    return planned_in_nodes(fewest, _several(position), node, common_multiple(node, Memory.model_parallel_degree))


def _cost(cards: Column, position: int) -> Expression:
    peak, price = At(Hardware.peak_flops, position), At(Hardware.price_per_card_hour, position)
    by_tokens = Cost.training_flops / (peak * Assumptions.model_flops_utilization) / Constants.seconds_per_hour
    card_hours = where(given(Plan.hours), cards * Plan.hours, by_tokens)
    return where(both(given(price), given(card_hours)), card_hours * price, Missing(NO_PRICE, "USD"))
