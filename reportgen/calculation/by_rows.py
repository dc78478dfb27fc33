"""Calculates the columns of long sheets some rows at a time, so that their arrays stay in the processor's cache."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from reportgen.arrays import Array, part, put
from reportgen.expression import Apply, At, Column, Counted, Expression, Position, Scalar, Sheet
from reportgen.readings import evaluate, leaves

Sheets: TypeAlias = tuple[type[Sheet], ...]
ROWS_AT_ONCE: Final = 1 << 16


def add_by_rows(sheets: Sheets, values: MutableMapping[Column, Array]) -> None:
    """Add the derived columns of sheets that have the same rows, but for those that look at other rows than their own.

    Args:
        sheets: The sheets; the first column of the first is a text in every row.
        values: Their inputs, all of other sheets that they need, scalars; the derived columns are added.
    """
    rows = len(values[sheets[0].columns[0]])
    added: dict[Column, Array] = {}
    for start in range(0, rows, ROWS_AT_ONCE):
        some = slice(start, min(start + ROWS_AT_ONCE, rows))
        seen = {one: part(figures, some) if one.sheet in sheets else figures for one, figures in values.items()}
        for column, definition in own_row_columns(sheets):
            figures = seen[column] = evaluate(definition, seen)
            if isinstance(definition, Column) and definition.sheet in sheets:
                continue
            if column not in added:
                added[column] = np.empty(rows, figures.dtype)
            seen[column] = put(figures, added[column], some)
    for column, definition in own_row_columns(sheets):
        values[column] = added[column] if column in added else evaluate(definition, values)


@cache
def own_row_columns(sheets: Sheets) -> tuple[tuple[Column, Expression], ...]:
    """Return the derived columns that need nothing of other rows, each with its definition, after those it needs."""
    own: dict[Column, bool] = {}

    def needs_own_row(column: Column) -> bool:
        if column.definition is None:
            return True
        if column.sheet not in sheets:
            return not isinstance(column, Scalar)
        if column not in own:
            needed = [needs_own_row(one) for one in leaves(column.definition)]
            own[column] = all(needed) and not _looks_elsewhere(column.definition, sheets)
        return own[column]

    every = [column for sheet in sheets for column, _ in sheet.derived()]
    for column in every:
        needs_own_row(column)
    return tuple((column, column.definition) for column in own if own[column] and column.definition is not None)


def _looks_elsewhere(expression: Expression, sheets: Sheets) -> bool:
    """Return whether an expression looks at other rows of the sheets than its own."""
    match expression:
        case Position(column=column) | At(column=column):
            return column.sheet in sheets
        case Counted(number=number):
            return _looks_elsewhere(number, sheets)
        case Apply(primitive=primitive, operands=operands):
            whole = [operands[place] for place in primitive.whole_columns]
            return any(one.sheet in sheets for operand in whole for one in leaves(operand)) or any(
                _looks_elsewhere(operand, sheets) for operand in operands
            )
    return False
