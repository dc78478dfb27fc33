"""The figures that a condition or a ranking may name: the columns of one job alone."""

from __future__ import annotations

from functools import cache

from reportgen.calculation.by_rows import own_row_columns
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import JOB_SHEETS
from reportgen.calculation.plan import Plan
from reportgen.expression import Column
from reportgen.listing import ledger_columns
from reportgen.reading.csv_text import normalized


@cache
def known_columns() -> dict[str, Column]:
    """Return the columns of the ledger by name, those of the plan by the other headers that they may have too."""
    inputs = (column for column in Plan.columns if isinstance(column, Input))
    return {normalized(name): column for column in inputs for name in column.also} | ledger_columns()


@cache
def figures_of_one_job() -> frozenset[Column]:
    """Return the columns whose figures depend on no other job of the plan."""
    derived = {column for column, _ in own_row_columns(JOB_SHEETS)}
    return frozenset(column for column in known_columns().values() if column.definition is None or column in derived)
