"""The rows of the assumptions become the scalars that formulas name: each once, in its unit, within its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportgen.calculation.catalogues import AssumptionRows, Assumptions
from reportgen.calculation.declare import Assumption
from reportgen.calculation.ledger import Table
from reportgen.errors import Problem
from reportgen.expression import Column
from reportgen.reading.columns import number_parser
from reportgen.reading.names import nearest
from reportgen.reading.quantities import QuantityError

DECLARED = {column.name: column for column in Assumptions.columns if isinstance(column, Assumption)}
_NUMBERS = (AssumptionRows.value, AssumptionRows.low, AssumptionRows.high)


def read_assumptions(table: Table) -> tuple[Table, dict[Column, float], list[Problem]]:
    """Return the table with its numbers read, the value of each assumption, and the problems."""
    names, units = (table.values[column].tolist() for column in (AssumptionRows.name, AssumptionRows.unit))
    problems = [*_row_problems(table, names, units)]
    arrays: dict[Column, list[float]] = {}
    for column in _NUMBERS:
        arrays[column] = []
        for line, name, text in zip(table.lines, names, table.values[column].tolist(), strict=True):
            try:
                arrays[column].append(_number(name, text))
            except QuantityError as error:
                arrays[column].append(np.nan)
                problems.append(Problem(table.file, line, column.name, repr(text), str(error)))
    values: dict[Column, float] = {
        DECLARED[name]: value
        for name, value in zip(names, arrays[AssumptionRows.value], strict=True)
        if name in DECLARED
    }
    numbers = {column: np.array(array, dtype=np.float64) for column, array in arrays.items()}
    return replace(table, values={**table.values, **numbers}), values, problems


def _number(name: str, text: str) -> float:
    if not text or name not in DECLARED:
        return np.nan
    column = DECLARED[name]
    return number_parser(column.unit, column.bounds, percent=column.percent)(text)


def _row_problems(table: Table, names: list[str], units: list[str]) -> Iterator[Problem]:
    for line, name, unit in zip(table.lines, names, units, strict=True):
        if name not in DECLARED:
            yield Problem(table.file, line, "name", repr(name), nearest(name, DECLARED))
        elif unit != DECLARED[name].unit:
            yield Problem(table.file, line, "unit", repr(unit), f"{DECLARED[name].unit}, the unit of {name}")
    for name, column in DECLARED.items():
        if name not in names:
            yield Problem(table.file, 0, "name", f"no row {name}", f"a value for it in {column.unit}")
