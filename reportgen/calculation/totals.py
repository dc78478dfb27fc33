"""What all jobs come to, and the checks that a reader can watch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from reportgen.calculation.bands import Calculation
from reportgen.calculation.catalogues import Constants
from reportgen.calculation.declare import Constant
from reportgen.calculation.plan import Plan
from reportgen.expression import Expression, Number, Scalar, Sheet, absolute, count, rows, total, where, with_columns

HOLDS, FAILS = "OK", "CHECK"


class Totals(Sheet):
    """The totals over all jobs."""

    title = "Summary"
    jobs = Scalar("job", "Jobs in the plan.", rows(Plan.job))
    total_parameters = Scalar("parameter", "Parameters of all jobs.", total(Calculation.parameters))
    total_training_footprint_gb = Scalar(
        "GB", "Footprints of all jobs, in GB.", total(Calculation.training_footprint_gb)
    )
    total_training_footprint_gib = Scalar(
        "GiB", "The same footprints in GiB.", total(Calculation.training_footprint_gib)
    )
    total_inference_gb = Scalar(
        "GB", "Parameters of all jobs as held to answer, in GB.", total(Calculation.inference_gb)
    )
    total_cards_needed = Scalar(
        "card", "Cards of all jobs, each by an even split over the label.", total(Calculation.cards_needed)
    )


class Reference(Sheet):
    """Two reference models with Adam at 2 bytes a value: a thirteenth of the parameters, a thirteenth of the bytes."""

    title = "Checks"
    reference_large = Constant("parameter", "Trained parameters of the larger reference model.", value=13e9)
    reference_small = Constant("parameter", "Trained parameters of the smaller reference model.", value=1e9)
    reference_gradient_width = Constant("byte/parameter", "Bytes of one gradient of the reference models.", value=2)
    reference_moments = Constant("value/parameter", "Moments of the reference models: two, as Adam keeps.", value=2)
    reference_moment_width = Constant("byte/value", "Bytes of one moment of the reference models.", value=2)
    _ledger: ClassVar = {
        Calculation.gradient_width: reference_gradient_width,
        Calculation.master_weight_width: Number(0, "byte/parameter"),
        Calculation.master_gradient_width: Number(0, "byte/parameter"),
        Calculation.moments_per_parameter: reference_moments,
        Calculation.moment_width: reference_moment_width,
    }
    reference_large_bytes = Scalar(
        "byte",
        "Gradients and optimizer states of the larger one: 78 GB.",
        with_columns(
            Calculation.gradient_and_optimizer_bytes, {Calculation.trainable_parameters: reference_large, **_ledger}
        ),
    )
    reference_small_bytes = Scalar(
        "byte",
        "Gradients and optimizer states of the smaller one: 6 GB.",
        with_columns(
            Calculation.gradient_and_optimizer_bytes, {Calculation.trainable_parameters: reference_small, **_ledger}
        ),
    )


@dataclass(frozen=True)
class Check:
    """Two ways to one figure, or a figure and what it must be."""

    name: str
    live: Expression
    expected: Expression

    @property
    def difference(self) -> Expression:
        """How far the two are apart, in the figure's own unit."""
        return absolute(self.live - self.expected)

    @property
    def verdict(self) -> Expression:
        """Whether the two agree to the last digits that a spreadsheet keeps."""
        return where(self.difference <= Constants.check_tolerance * absolute(self.expected), HOLDS, FAILS)


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
    Check("Every job has its footprint.", count(Calculation.training_footprint_bytes), Totals.jobs),
    Check("Every job has its cards.", count(Calculation.cards_needed), Totals.jobs),
)
