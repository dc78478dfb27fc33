"""One state of a plan as it is compared: what its jobs were given and what came of it, from a ledger or a workbook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from reportgen.arrays import Array
from reportgen.calculation.activations import Activations
from reportgen.calculation.bands import Calculation
from reportgen.calculation.cost import Cost
from reportgen.calculation.ledger import JOB_SHEETS, Ledger, add_derived
from reportgen.calculation.memory import Memory
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.calculation.totals import Totals
from reportgen.expression import Column
from reportgen.readings import leaves
from reportgen.returned.stored_jobs import read_stored_jobs
from reportgen.units import TEXT

Value = float | str

GIVEN: Final = tuple(column for column in Plan.columns if column is not Plan.job)
"""What a job is given by whoever writes the plan."""

FOLLOWED: Final = (
    Calculation.parameters,
    Calculation.trainable_parameters,
    Calculation.parameter_width,
    Calculation.gradient_width,
    Calculation.master_weight_width,
    Calculation.master_gradient_width,
    Calculation.moments_per_parameter,
    Calculation.moment_width,
    Calculation.label_bytes,
    Memory.reported_bytes,
    Activations.activation_bytes,
    Sharding.usable_bytes,
    Sharding.cards_per_node,
    Cost.peak_flops,
    Cost.price_per_card_hour,
    Cost.price_per_card,
    Cost.watts,
)
"""What a job takes from catalogues and assumptions: why its figures move where nothing that it is given did."""

FIGURES: Final = (
    Sharding.fits,
    Calculation.training_footprint_bytes,
    Sharding.card_total_bytes,
    Calculation.cards_needed,
    Sharding.min_cards,
    Sharding.planned_cards,
    Cost.nodes,
    Cost.hours,
    Cost.card_hours,
    Cost.energy_kwh,
    Cost.rental_cost,
    Cost.purchase_cost,
)
"""What a job comes to."""

LONE_FIGURES: Final = (
    Sharding.fits,
    Calculation.training_footprint_bytes,
    Sharding.planned_cards,
    Cost.hours,
    Cost.rental_cost,
)
"""What is said of a job that has no counterpart."""

TOTALS: Final = tuple(column for column in Totals.columns if column.unit != "GiB")
"""What all jobs come to; once, in GB."""

_SUMMED: Final = {leaf for _, definition in Totals.derived() for leaf in leaves(definition)}
_READ: Final = {
    column
    for sheet in JOB_SHEETS
    for column in sheet.columns
    if column in _SUMMED or column in (Plan.job, *GIVEN, *FOLLOWED, *FIGURES)
}


@dataclass(frozen=True)
class Snapshot:
    """The jobs of one file, in its order: ``values`` holds a list a column, ``totals`` what all of them come to."""

    name: str
    jobs: tuple[str, ...]
    values: Mapping[Column, list[Value]]
    totals: Mapping[Column, float]

    @property
    def own_columns(self) -> list[Column]:
        """The columns that the user added."""
        return [column for column in self.values if column.sheet is None]

    def of_job(self, row: int) -> Callable[[Column], Value]:
        """Return what gives a job's values; a column that only other files have is empty."""
        return lambda column: self.values[column][row] if column in self.values else ""


@cache
def _own_column(name: str) -> Column:
    """Return one and the same column for a header, whichever file has it."""
    return Column(TEXT, "A column of your own.", name=name)


def of_ledger(name: str, ledger: Ledger) -> Snapshot:
    """Return the state that a ledger holds; ``name`` is what a reader calls it."""
    values = {column: ledger.values[column] for column in _READ}
    return _snapshot(name, values, ledger.inputs.plan.further)


def of_workbook(name: str, data: bytes) -> Snapshot:
    """Return the state that the cells of a workbook hold.

    Raises:
        FileError: If it is no workbook that ``build`` wrote, or holds no values.
    """
    stored = read_stored_jobs(data, name, _READ)
    return _snapshot(name, stored.values, stored.further)


def _snapshot(name: str, values: Mapping[Column, Array], further: Mapping[str, tuple[str, ...]]) -> Snapshot:
    every = dict(values)
    add_derived(Totals, every)
    listed: dict[Column, list[Value]] = {column: array.tolist() for column, array in values.items()}
    names = zip(listed[Plan.job], listed[Plan.model], strict=True)
    own: dict[Column, list[Value]] = {_own_column(header): list(texts) for header, texts in further.items()}
    return Snapshot(
        name,
        tuple(str(job or model) for job, model in names),
        listed | own,
        {column: every[column].item() for column in TOTALS},
    )
