"""What all jobs come to, and the two reference models that a reader can watch."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.bands import Calculation
from reportgen.calculation.cost import NO_PRICE, Cost
from reportgen.calculation.declare import Constant
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Column, Expression, Missing, Number, Scalar, Sheet
from reportgen.functions import count, count_yes, rows, total, where, with_columns


def _priced(column: Column) -> Expression:
    """The sum of what has a price, and no figure where nothing has one."""
    return where(count(column) > 0, total(column), Missing(NO_PRICE, column.unit))


class Totals(Sheet):
    """The totals over all jobs."""

    title = "Summary"
    jobs = Scalar("job", "Jobs in the plan.", rows(Plan.job))
    jobs_that_fit = Scalar("job", "Jobs that fit their planned cards.", count_yes(Sharding.fits))
    jobs_that_do_not_fit = Scalar("job", "Jobs that do not.", jobs - jobs_that_fit)
    total_training_footprint_gb = Scalar("GB", "Training state of all jobs.", total(Calculation.training_footprint_gb))
    total_training_footprint_gib = Scalar("GiB", "The same in GiB.", total(Calculation.training_footprint_gib))
    total_cards_needed = Scalar(
        "card", "Cards by an even split of the training state over the label.", total(Calculation.cards_needed)
    )
    total_planned_cards = Scalar(
        "card", "Cards of the plan, as each job's stage and memory ask.", total(Sharding.planned_cards)
    )
    total_nodes = Scalar("node", "Nodes that hold them.", total(Cost.nodes))
    total_stranded_cards = Scalar("card", "Cards in those nodes that no job uses.", total(Cost.stranded_cards))
    total_power_kw = Scalar("kW", "Rated power at the building's meter.", total(Cost.power_kw))
    total_card_hours = Scalar("card*hour", "Cards times hours of all jobs that say how long.", total(Cost.card_hours))
    total_energy_kwh = Scalar("kWh", "Energy of those jobs.", total(Cost.energy_kwh))
    total_rental_cost = Scalar(
        "USD", "Rent of those card-hours that have a price.", _priced(Cost.rental_cost), absent=NO_PRICE
    )
    jobs_without_rent = Scalar("job", "Jobs whose rent is not in that sum.", jobs - count(Cost.rental_cost))
    total_purchase_cost = Scalar(
        "USD", "Purchase of the cards that have a price, instead of rent.", _priced(Cost.purchase_cost), absent=NO_PRICE
    )
    jobs_without_purchase = Scalar("job", "Jobs whose purchase is not in that sum.", jobs - count(Cost.purchase_cost))


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
