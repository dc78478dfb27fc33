"""What the plan needs for each kind of card and for each group: every job counts, also one that a reader adds."""

from __future__ import annotations

from reportgen.calculation.bands import NO_ROW, Calculation
from reportgen.calculation.catalogues import Hardware
from reportgen.calculation.cost import Cost
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Column, Expression, Missing, Sheet
from reportgen.functions import count_given_where, count_where, kth_smallest, pick, total_where, where
from reportgen.units import ROW, TEXT

SUMS = "sum over the jobs of this line"


def _on_line(row: Column, value: Expression, unit: str) -> Expression:
    return where(row > NO_ROW, value, Missing("", unit))


def _sum(groups: Column, row: Column, value: Column, meaning: str) -> Column:
    return Column(value.unit, meaning, _on_line(row, total_where(groups, row, value), value.unit), SUMS)


def _priced_sum(groups: Column, row: Column, value: Column, meaning: str) -> Column:
    """A sum of money, and no figure where nothing on the line has a price."""
    priced = where(count_given_where(groups, row, value) > 0, total_where(groups, row, value), Missing("", "USD"))
    return Column(value.unit, meaning, where(row > NO_ROW, priced, Missing("", "USD")), SUMS)


def _unpriced(groups: Column, row: Column, jobs: Column, value: Column, meaning: str) -> Column:
    return Column("job", meaning, _on_line(row, jobs - count_given_where(groups, row, value), "job"), SUMS)


class BillOfMaterials(Sheet):
    """Each kind of card in the plan: needed, bought, idle, power, rent, purchase. A new job's card joins by itself."""

    title = "Bill of materials"
    line = Column("1", "Number of the line.")
    hardware_row = Column(ROW, "Row of the card in the hardware.", kth_smallest(Calculation.card_first, line))
    hardware = Column(TEXT, "The card.", where(hardware_row > NO_ROW, pick(hardware_row, Hardware.hardware, line), ""))
    vendor = Column(TEXT, "Who makes it.", where(hardware_row > NO_ROW, pick(hardware_row, Hardware.vendor, line), ""))
    jobs = Column(
        "job",
        "Jobs on it.",
        _on_line(hardware_row, count_where(Calculation.hardware_row, hardware_row), "job"),
        SUMS,
    )
    unplaced_jobs = _unpriced(
        Calculation.hardware_row, hardware_row, jobs, Sharding.planned_cards, "Jobs that fit at no number of cards."
    )
    cards_needed = _sum(
        Calculation.hardware_row, hardware_row, Calculation.cards_needed, "Cards by an even split over the label."
    )
    planned_cards = _sum(Calculation.hardware_row, hardware_row, Sharding.planned_cards, "Cards of the jobs.")
    nodes = _sum(Calculation.hardware_row, hardware_row, Cost.nodes, "Nodes that hold them.")
    bought_cards = _sum(Calculation.hardware_row, hardware_row, Cost.bought_cards, "Cards in those nodes.")
    stranded_cards = _sum(Calculation.hardware_row, hardware_row, Cost.stranded_cards, "Cards bought but not used.")
    power_kw = _sum(Calculation.hardware_row, hardware_row, Cost.power_kw, "Rated power at the building's meter.")
    card_hours = _sum(Calculation.hardware_row, hardware_row, Cost.card_hours, "Cards times hours.")
    energy_kwh = _sum(Calculation.hardware_row, hardware_row, Cost.energy_kwh, "Energy at the building's meter.")
    rental_cost = _priced_sum(
        Calculation.hardware_row, hardware_row, Cost.rental_cost, "Rent of all card-hours that have a price."
    )
    jobs_without_rent = _unpriced(
        Calculation.hardware_row, hardware_row, jobs, Cost.rental_cost, "Jobs whose rent is not in that sum."
    )
    purchase_cost = _priced_sum(
        Calculation.hardware_row, hardware_row, Cost.purchase_cost, "Purchase of the cards that have a price."
    )
    jobs_without_purchase = _unpriced(
        Calculation.hardware_row, hardware_row, jobs, Cost.purchase_cost, "Jobs whose purchase is not in that sum."
    )


class GroupTotals(Sheet):
    """The same for each group of the plan."""

    title = "Bill of materials"
    group_line = Column("1", "Number of the line.")
    group_row = Column(ROW, "First job of the group.", kth_smallest(Calculation.group_first, group_line))
    group = Column(TEXT, "The group.", where(group_row > NO_ROW, pick(group_row, Plan.group, group_line), ""))
    group_jobs = Column(
        "job", "Its jobs.", _on_line(group_row, count_where(Calculation.group_row, group_row), "job"), SUMS
    )
    group_cards = _sum(Calculation.group_row, group_row, Sharding.planned_cards, "Their cards.")
    group_nodes = _sum(Calculation.group_row, group_row, Cost.nodes, "Nodes that hold them.")
    group_card_hours = _sum(Calculation.group_row, group_row, Cost.card_hours, "Cards times hours.")
    group_energy_kwh = _sum(Calculation.group_row, group_row, Cost.energy_kwh, "Energy at the building's meter.")
    group_rental_cost = _priced_sum(
        Calculation.group_row, group_row, Cost.rental_cost, "Rent of all card-hours that have a price."
    )
    group_jobs_without_rent = _unpriced(
        Calculation.group_row, group_row, group_jobs, Cost.rental_cost, "Jobs whose rent is not in that sum."
    )
    group_purchase_cost = _priced_sum(
        Calculation.group_row, group_row, Cost.purchase_cost, "Purchase of the cards that have a price."
    )
