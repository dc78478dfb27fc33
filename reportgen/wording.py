"""How figures and formulas are said to a person: amounts with their units, definitions, arithmetic."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache, partial
from typing import TypeAlias

from reportgen.arrays import Array
from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import CALCULATED_SHEETS, JOB_SHEETS, Ledger
from reportgen.calculation.plan import Plan
from reportgen.digits import WHOLE_BELOW
from reportgen.errors import InputError, Problem
from reportgen.expression import Across, At, Bands, Column, Expression, Missing, Number, Position, Text
from reportgen.readings import evaluate, words
from reportgen.units import DATE, DAY_ZERO, GB, GIB, ROW, TEXT, YES_NO

FigureOf: TypeAlias = Callable[[Expression], float]
"""Gives the value of an expression in one job."""

MISSING = "–"
_COUNTED = frozenset({"byte", "parameter", "value", "card", "node", "job", "token", "hour"})
_LARGE, _MEDIUM, _SMALL = 100, 10, 0.01
_EVERY_DIGIT = Context(prec=400)
"""The largest float has 309 digits before its point; a large training run takes 1e25 operations."""


def figure(value: float | str, column: Column) -> str:
    """Return the bare figure of a column, as a table shows it under a header that has the unit."""
    if isinstance(value, str):
        return value or MISSING
    if math.isnan(value):
        return column.absent or MISSING
    if column.unit == DATE:
        return (DAY_ZERO + timedelta(days=value)).isoformat()
    if column.unit == YES_NO:
        return "yes" if value else "no"
    if column.percent:
        return f"{_number(value * 100)}%"
    return _memory(value) if column.unit in ("GB", "GiB", "MiB") else _number(value)


def amount(value: float | str, column: Column) -> str:
    """Return a figure with its unit, in the plural where it is many: ``2 bytes/parameter``."""
    shown = figure(value, column)
    if isinstance(value, str) or math.isnan(value) or column.unit in (TEXT, YES_NO, DATE, ROW):
        return shown
    return _with_unit(shown, column.unit, value)


def result(value: float | str, column: Column) -> str:
    """Return an amount; bytes also in GB and in GiB."""
    if column.unit != "byte" or isinstance(value, str) or math.isnan(value):
        return amount(value, column)
    return f"{amount(value, column)} = {_memory(value / GB)} GB = {_memory(value / GIB)} GiB"


def label(column: Column) -> str:
    """Return a column's name as a heading: ``training_footprint_gb`` is “training footprint”, its unit stands apart."""
    suffix = column.unit.casefold() if column.unit in ("GB", "GiB") else "bytes" if column.unit == "byte" else ""
    return column.name.removesuffix(f"_{suffix}").replace("_", " ")


def _with_unit(shown: str, unit: str, value: float) -> str:
    if unit == "1":
        return shown
    first, *rest = unit.split("/")
    return f"{shown} " + "/".join([first + "s" if first in _COUNTED and value != 1 else first, *rest])


def _memory(value: float) -> str:
    """Round a memory for the eye: three digits, or all that stand before the point."""
    if 0 < abs(value) < _SMALL:
        return f"{value:.2g}"
    digits = 0 if abs(value) >= _LARGE else 1 if abs(value) >= _MEDIUM else 2
    return _fixed(value, digits)


def _number(value: float) -> str:
    return _fixed(value, 4)


def _fixed(value: float, digits: int) -> str:
    """Round as a spreadsheet does, halves away from zero."""
    if abs(value) < WHOLE_BELOW and value == int(value):
        return f"{int(value):,}"
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _EVERY_DIGIT)
    return _trimmed(f"{rounded:,f}")


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


@cache
def definition(column: Column) -> str:
    """Return a column's definition in words over the names of other columns; empty for an input."""
    return words(column.definition, _name) if column.definition is not None else ""


class Figures:
    """The values of expressions in some jobs; each is worked out once for all of them."""

    def __init__(self, ledger: Ledger, positions: Sequence[int]) -> None:
        """Take the jobs at these positions, which count from 0."""
        chosen = list(positions)
        self._values = {
            column: values[chosen] if column.sheet in JOB_SHEETS else values for column, values in ledger.values.items()
        }
        self._known: dict[Expression, Array] = {}

    def of(self, place: int) -> FigureOf:
        """Return what gives the value of an expression in one of the jobs, counted from 0."""
        return partial(self._figure, place)

    def _figure(self, place: int, expression: Expression) -> float:
        if expression not in self._known:
            self._known[expression] = evaluate(expression, self._values)
        values = self._known[expression]
        figure: float = values.item(place) if values.ndim else values.item()
        return figure


def arithmetic(column: Column, figure: FigureOf) -> str:
    """Return a column's definition in words over the numbers of one job; empty for an input."""
    return _with_figures(column.definition, figure) if column.definition is not None else ""


def _with_figures(expression: Expression, figure: FigureOf) -> str:
    def say(node: Expression, whole_column: bool) -> str:
        if isinstance(node, Column) and not whole_column:
            return amount(figure(node), node)
        if isinstance(node, Number):
            return _with_unit(_number(node.value), node.unit, node.value)
        return _name(node, whole_column)

    return words(expression, say, figure)


def _name(node: Expression, whole_column: bool) -> str:
    match node:
        case Column(name=name, sheet=sheet):
            return f"the plan’s {name}" if sheet is Plan and not whole_column else name
        case Number(value=value, unit=unit) if unit == YES_NO:
            return "yes" if value else "no"
        case Number(value=value):
            return _number(value)
        case Missing(word=word):
            return word
        case Position():
            return "the row itself"
        case At(column=column, position=position):
            return f"{column.name} in row {position + 1}"
        case Across(columns=columns) | Bands(columns=columns):
            return f"the columns from {columns[0].name} to {columns[-1].name}"
        case Text(value=value):
            return value
    raise TypeError(f"no words for {node!r}")


@dataclass(frozen=True)
class Entry:
    """One column of the ledger as a glossary shows it."""

    name: str
    sheet: str
    unit: str
    meaning: str
    formula: str
    source: str


def glossary() -> Iterator[Entry]:
    """Yield every column of a job, inputs first."""
    for sheet in JOB_SHEETS:
        for column in sheet.columns:
            yield Entry(column.name, sheet.title, column.unit, column.meaning, definition(column), column.source)


@dataclass(frozen=True)
class Step:
    """One figure of one job, as arithmetic in words."""

    name: str
    meaning: str
    formula: str
    arithmetic: str
    result: str
    source: str


def explain(figure: FigureOf) -> list[Step]:
    """Return every figure of a job, in the order of the ledger; ``figure`` gives the value of an expression in it."""
    steps = []
    for sheet in CALCULATED_SHEETS:
        if sheet not in JOB_SHEETS:
            continue
        for column, _ in sheet.derived():
            if column.unit in (ROW, TEXT):
                continue
            value = figure(column)
            steps.append(
                Step(
                    column.name,
                    column.meaning,
                    definition(column),
                    arithmetic(column, figure),
                    result(value, column),
                    column.source,
                )
            )
    return steps


_HEADLINE = Calculation.parameters * Calculation.bytes_per_parameter


def headline(figure: FigureOf) -> str:
    """Return what one job holds in one line: parameters times bytes, in bytes, GB and GiB."""
    footprint = Calculation.training_footprint_bytes
    return f"{_with_figures(_HEADLINE, figure)} = {result(figure(footprint), footprint)}"


def positions_of(ledger: Ledger, job: str) -> list[int]:
    """Return where a job stands, more than once where several jobs have its name.

    Raises:
        InputError: If no job has that name.
    """
    jobs = ledger.values[Plan.job].tolist()
    positions = [position for position, name in enumerate(jobs) if name == job]
    if not positions:
        near = difflib.get_close_matches(job, jobs, 3, 0.4) or jobs[:5]
        raise InputError(
            [Problem(ledger.inputs.plan.file, 0, "job", repr(job), f"a job of the plan, such as {', '.join(near)}")]
        )
    return positions
