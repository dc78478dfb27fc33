"""The checks that a reader can watch: two ways to one figure, or a figure and what it must be."""

from __future__ import annotations

from dataclasses import dataclass

from reportgen.calculation.bands import Calculation
from reportgen.calculation.bill import BillOfMaterials, GroupTotals
from reportgen.calculation.catalogues import Constants
from reportgen.calculation.cost import Cost
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.calculation.totals import Reference, Totals
from reportgen.calculation.whatif import BASE, OF, Sensitivity
from reportgen.expression import At, Expression, Number
from reportgen.functions import absolute, count, given, rows, total, where
from reportgen.readings import unit_of

HOLDS, FAILS = "OK", "CHECK"


@dataclass(frozen=True)
class Check:
    """Two ways to one figure, or a figure and what it must be."""

    name: str
    live: Expression
    expected: Expression

    @property
    def difference(self) -> Expression:
        """How far the two are apart, in the figure's own unit; 0 where only the last digits differ."""
        return where(self._agree, Number(0, str(unit_of(self.expected))), absolute(self.live - self.expected))

    @property
    def verdict(self) -> Expression:
        """Whether the two agree."""
        return where(self._agree, HOLDS, FAILS)

    @property
    def _agree(self) -> Expression:
        return absolute(self.live - self.expected) <= Constants.check_tolerance * absolute(self.expected)


CHECKS = (
    Check(
        "The bands of all jobs add up to the footprints.",
        total(Calculation.parameter_bytes)
        + total(Calculation.gradient_bytes)
        + total(Calculation.optimizer_state_bytes),
        total(Calculation.training_footprint_bytes),
    ),
    Check(
        "Cards are the same quotient in GB and in GiB.",
        total(Calculation.cards_exact_in_gb),
        total(Calculation.cards_exact_in_gib),
    ),
    Check(
        "Thirteen times the trained parameters take thirteen times the bytes.",
        Reference.reference_large_bytes / Reference.reference_small_bytes,
        Reference.reference_large / Reference.reference_small,
    ),
    Check(
        "Models counted from their architecture have the published count.",
        total(Models.count_difference),
        Number(0, "parameter"),
    ),
    Check("The bill has the cards of all jobs.", total(BillOfMaterials.planned_cards), Totals.total_planned_cards),
    Check("The bill has the rent of all jobs.", total(BillOfMaterials.rental_cost), total(Cost.rental_cost)),
    Check("Groups have all jobs that name one.", total(GroupTotals.group_jobs), rows(Plan.group)),
    Check(
        "What-if at the assumed fragmentation is the plan itself.",
        where(given(OF[Sharding.min_cards]), At(Sensitivity.fewest, BASE), Number(0, "card")),
        where(given(OF[Sharding.min_cards]), OF[Sharding.min_cards], Number(0, "card")),
    ),
    Check("Every job has its footprint.", count(Calculation.training_footprint_bytes), Totals.jobs),
    Check("Every job has its cards.", count(Calculation.cards_needed), Totals.jobs),
)
