"""Which columns the job table shows, in groups that a reader can show or hide: the page's one choice of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reportgen.calculation.ledger import Ledger
from reportgen.expression import Column
from reportgen.functions import count, rows
from reportgen.listing import ledger_columns
from reportgen.readings import evaluate
from reportgen.units import TEXT


@dataclass(frozen=True)
class Group:
    """A group of columns by the names of the ledger; one that the ledger does not have is left out."""

    title: str
    names: tuple[str, ...]
    shown: bool = False


GROUPS: Final = (
    Group("Run", ("hardware", "zero_stage", "training_footprint_gb"), shown=True),
    Group("Cards", ("cards_needed", "min_cards", "planned_cards", "nodes"), shown=True),
    Group("Fullest card", ("card_total_bytes", "usable_bytes", "headroom_bytes"), shown=True),
    Group("Cost", ("hours", "card_hours", "rental_cost"), shown=True),
    Group(
        "Ownership and power",
        (
            "purchase_cost",
            "own_per_card_hour",
            "price_per_card_hour",
            "rent_or_own",
            "stranded_cards",
            "power_kw",
            "energy_kwh",
        ),
    ),
    Group(
        "Recipe and split",
        (
            "model",
            "optimizer",
            "recipe",
            "tensor_parallel_degree",
            "pipeline_parallel_degree",
            "data_parallel_degree",
            "micro_batch_size",
            "sequence_length",
            "recompute",
        ),
    ),
    Group(
        "Bands",
        (
            "parameter_bytes",
            "gradient_bytes",
            "master_weight_bytes",
            "master_gradient_bytes",
            "moment_bytes",
            "optimizer_state_bytes",
            "gradient_and_optimizer_bytes",
            "training_footprint_bytes",
        ),
    ),
    Group(
        "Footprint and label",
        (
            "parameters",
            "trainable_parameters",
            "bytes_per_parameter",
            "training_footprint_gib",
            "optimizer_share",
            "inference_gb",
            "inference_gib",
            "card_gb",
            "card_gib",
            "cards_exact",
        ),
    ),
    Group(
        "Card in parts",
        (
            "card_state_bytes",
            "gradient_bucket_bytes",
            "activation_bytes",
            "live_parameter_bytes",
            "working_bytes",
            "reported_bytes",
        ),
    ),
    Group(
        "Stages",
        (
            "zero0_card_bytes",
            "zero1_card_bytes",
            "zero2_card_bytes",
            "zero3_card_bytes",
            "zero0_min_cards",
            "zero1_min_cards",
            "zero2_min_cards",
            "zero3_min_cards",
            "binding",
        ),
    ),
)

OWN_GROUP: Final = "Your columns"


def chosen(ledger: Ledger) -> list[tuple[Group, list[Column]]]:
    """Return the groups with their columns, without columns that have no figure in any job, without empty groups."""
    known = ledger_columns()
    groups = (
        (group, [known[name] for name in group.names if name in known and _has_figures(ledger, known[name])])
        for group in GROUPS
    )
    return [(group, columns) for group, columns in groups if columns]


def _has_figures(ledger: Ledger, column: Column) -> bool:
    """Return whether any job has a figure here, or a word that says why it has none."""
    filled = rows(column) if column.unit == TEXT else count(column)
    return bool(column.absent) or evaluate(filled, ledger.values).item() > 0
