"""The figures that a condition or a ranking may name: the columns of one job alone."""

from __future__ import annotations

from functools import cache

from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import JOB_SHEETS
from reportgen.calculation.plan import Plan
from reportgen.expression import Apply, Column, Expression, Position
from reportgen.listing import ledger_columns
from reportgen.reading.csv_text import normalized
from reportgen.readings import leaves


@cache
def known_columns() -> dict[str, Column]:
    """Return the columns of the ledger by name, those of the plan by the other headers that they may have too."""
    inputs = (column for column in Plan.columns if isinstance(column, Input))
    return {normalized(name): column for column in inputs for name in column.also} | ledger_columns()


@cache
def looks_around(expression: Expression) -> bool:
    """Return whether a figure depends on other rows of the plan than its own."""
    match expression:
        case Position(column=column):
            return column.sheet in JOB_SHEETS
        case Apply(primitive=primitive, operands=operands):
            whole = (operands[place] for place in primitive.whole_columns)
            if any(column.sheet in JOB_SHEETS for one in whole for column in leaves(one)):
                return True
            return any(map(looks_around, operands))
        case Column(definition=definition) if definition is not None:
            return looks_around(definition)
    return False
