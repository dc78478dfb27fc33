"""Rows in, figures out: evaluates every declared column over whole arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.activations import Activations
from reportgen.calculation.bands import Calculation
from reportgen.calculation.by_rows import add_by_rows
from reportgen.calculation.catalogues import (
    AssumptionRows,
    Blocks,
    CloudPrices,
    Constants,
    Hardware,
    Optimizers,
    Recipes,
)
from reportgen.calculation.cost import Cost
from reportgen.calculation.declare import Constant
from reportgen.calculation.memory import Memory
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.calculation.totals import Reference, Totals
from reportgen.errors import InputError, Problem
from reportgen.expression import Column, Expression, Scalar, Sheet
from reportgen.readings import evaluate, leaves

CATALOGUES: tuple[type[Sheet], ...] = (Models, Optimizers, Recipes, Blocks, Hardware, CloudPrices)
INPUT_SHEETS: tuple[type[Sheet], ...] = (Plan, *CATALOGUES, AssumptionRows)
JOB_SHEETS: tuple[type[Sheet], ...] = (Plan, Calculation, Activations, Memory, Sharding, Cost)
CALCULATED_SHEETS: tuple[type[Sheet], ...] = (*JOB_SHEETS, Totals, Reference)
CONSTANTS = tuple(one for sheet in (Constants, Reference) for one in sheet.columns if isinstance(one, Constant))

LARGEST_EXACT_BYTES = 4e14
"""Above this a quotient of whole bytes may round up wrongly in a spreadsheet."""


@dataclass(frozen=True)
class Table:
    """The rows of one input sheet.

    ``values`` holds an array a column: float64 with NaN for an empty cell, or texts. ``lines`` holds each row's line in
    the file, ``digest`` the SHA-256 of what was read, ``further`` the user's own columns as texts, ``defaults`` what an
    empty cell of a column means, ``computed`` the rows in which such a meaning follows from the columns before,
    ``nameless`` the rows that a reader of a workbook has cleared: they have no figures.
    """

    sheet: type[Sheet]
    file: str
    digest: str
    lines: tuple[int, ...]
    values: Mapping[Column, Array]
    further: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    defaults: Mapping[Column, float | str] = field(default_factory=dict)
    computed: Mapping[Column, frozenset[int]] = field(default_factory=dict)
    nameless: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True)
class Inputs:
    """A plan with the catalogues it refers to, all read and believed; ``warnings`` says what with doubt."""

    tables: Mapping[type[Sheet], Table]
    assumptions: Mapping[Column, float]
    warnings: tuple[Problem, ...] = ()

    @property
    def plan(self) -> Table:
        """The jobs."""
        return self.tables[Plan]


@dataclass(frozen=True)
class Ledger:
    """Every figure of a plan: ``values`` maps each column to its array, each scalar to an array without axis."""

    inputs: Inputs
    values: Mapping[Column, Array]

    def row(self, position: int) -> dict[Column, Array]:
        """Return what one job sees: its own figures, whole catalogues, scalars; ``position`` counts from 0."""
        return {
            column: values[position : position + 1] if column.sheet in JOB_SHEETS else values
            for column, values in self.values.items()
        }


def calculate(inputs: Inputs) -> Ledger:
    """Return every figure of the plan.

    Args:
        inputs: What ``read_plan`` returns.

    Raises:
        InputError: If a footprint is so large that a spreadsheet would no longer round its cards rightly.
    """
    values = _Figures(inputs)
    values |= given_figures(inputs.tables, inputs.assumptions)
    for sheet in CATALOGUES:
        add_derived(sheet, values)
    add_by_rows(JOB_SHEETS, values)
    for sheet in CALCULATED_SHEETS:
        add_derived(sheet, values)
    _refuse_inexact(inputs.plan, values[Calculation.training_footprint_bytes])
    return Ledger(inputs, values)


def given_figures(tables: Mapping[type[Sheet], Table], assumptions: Mapping[Column, float]) -> dict[Column, Array]:
    """Return what is not calculated: the cells of the tables, the assumptions, the constants."""
    values = {column: cells for table in tables.values() for column, cells in table.values.items()}
    values |= {name: np.asarray(value, dtype=np.float64) for name, value in assumptions.items()}
    return values | {constant: np.asarray(constant.value, dtype=np.float64) for constant in CONSTANTS}


class _Figures(dict[Column, Array]):
    """Values by column; a derived one has none in the rows that have no name."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self._plan, self._tables = inputs.plan.nameless, inputs.tables

    def __setitem__(self, column: Column, values: Array) -> None:
        sheet = column.sheet
        own = self._tables.get(sheet) if sheet is not None else None
        nameless = self._plan if sheet in JOB_SHEETS else own.nameless if own is not None else ()
        if nameless:
            values = values.copy()
            values[list(nameless)] = "" if values.dtype == object else np.nan
        super().__setitem__(column, values)


def evaluate_on_demand(expression: Expression, values: dict[Column, Array]) -> Array:
    """Return an expression's values; the derived columns that it needs are added to the values."""
    for needed in leaves(expression):
        _add(needed, values)
    return evaluate(expression, values)


def add_derived(sheet: type[Sheet], values: dict[Column, Array]) -> None:
    """Add a sheet's derived columns to the values, after any column of another sheet that they need."""
    for column, _ in sheet.derived():
        _add(column, values)


def _add(column: Column, values: dict[Column, Array]) -> None:
    if column in values or column.definition is None or column.sheet is None:
        return
    value = evaluate_on_demand(column.definition, values)
    first = column.sheet.columns[0]
    rows = value.shape if isinstance(column, Scalar) or first not in values else values[first].shape
    values[column] = np.broadcast_to(value, rows)


def _refuse_inexact(plan: Table, footprints: Array) -> None:
    problems = [
        Problem(
            plan.file, plan.lines[position], "parameters", f"{footprints[position]:.3g} bytes of state", "at most 4e14"
        )
        for position in np.flatnonzero(footprints > LARGEST_EXACT_BYTES).tolist()
    ]
    if problems:
        raise InputError(problems)
