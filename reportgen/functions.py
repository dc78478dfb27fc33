"""What a definition may call: one function for each primitive that has no operator, and two that rewrite trees."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.expression import Across, Apply, Bands, Column, Counted, Expression, Number, Operand, Scalar
from reportgen.units import TEXT, YES_NO

YES, NO = Number(1, YES_NO), Number(0, YES_NO)


def where(condition: Expression, then: Operand, otherwise: Operand) -> Expression:
    """Return ``then`` where the condition holds, else ``otherwise``; an error in the branch not taken does no harm."""
    return Apply("where", condition, then, otherwise)


def counted(number: Expression, unit: str) -> Expression:
    """Return a pure number as a count of something."""
    return Counted(number, unit)


def choose(position: Expression, *choices: Expression) -> Expression:
    """Return the first choice where ``position`` is 1, the second where it is 2, up to the fourth."""
    return Apply("choose", position, *choices)


def joined(left: Operand, right: Operand) -> Expression:
    """Return two texts as one; a whole number is written without marks."""
    return Apply("joined", left, right)


def common_multiple(left: Expression, right: Expression) -> Expression:
    """Return the least common multiple of two whole numbers."""
    return Apply("common_multiple", left, right)


def both(left: Expression, right: Expression) -> Expression:
    """Return yes where both conditions hold."""
    return Apply("both", left, right)


def minimum(left: Operand, right: Operand) -> Expression:
    """Return the smaller of two numbers."""
    return Apply("minimum", left, right)


def maximum(left: Operand, right: Operand) -> Expression:
    """Return the larger of two numbers."""
    return Apply("maximum", left, right)


def absolute(value: Operand) -> Expression:
    """Return the number without its sign."""
    return Apply("absolute", value)


def whole(value: Expression) -> Expression:
    """Return the nearest whole number, halves away from zero."""
    return Apply("whole", value)


def ceil_div(dividend: Expression, divisor: Expression) -> Expression:
    """Return the quotient of two whole numbers, rounded up; exact below 4e14."""
    return Apply("ceil_div", dividend, divisor)


def given(value: Expression) -> Expression:
    """Return yes where there is a number: not a blank, not a missing figure, not an error."""
    return Apply("given", value)


def is_text(value: Expression, text: Operand) -> Expression:
    """Return yes where a text is ``text``."""
    return Apply("is_text", value, text)


def match(key: Expression, names: Column) -> Expression:
    """Return the position of ``key`` in a whole column, from 1, ignoring case; 0 when it is not there."""
    return Apply("match", key, names)


def find(key: Expression, names: Column) -> Expression:
    """Return the position of ``key`` in a whole column, from 1, ignoring case; an error when it is not there."""
    return Apply("find", key, names)


def pick(row: Expression, column: Column, key: Expression) -> Expression:
    """Return a column's value at ``row``, which is a row of it; ``key`` names that row in words."""
    return Apply("pick_text" if column.unit in (TEXT, YES_NO) else "pick", row, column, key)


def total(value: Column) -> Expression:
    """Return the sum over all rows; rows without a number do not count."""
    return Apply("total", value)


def smallest_across(columns: tuple[Column, ...]) -> Expression:
    """Return the smallest number of neighbouring columns in a row; 0 where none of them has one."""
    return Apply("smallest_across", Across(columns))


def place_across(value: Expression, columns: tuple[Column, ...]) -> Expression:
    """Return the position, from 1, of a value among neighbouring columns in a row; 0 where it is not there."""
    return Apply("place_across", value, Across(columns))


def name_across(place: Expression, columns: tuple[Column, ...]) -> Expression:
    """Return the heading above the column at ``place`` among neighbouring columns."""
    return Apply("name_across", place, Bands(columns))


def total_where(groups: Column, group: Expression, value: Column) -> Expression:
    """Return the sum of a column over the rows of one group; rows without a number do not count."""
    return Apply("total_where", groups, group, value)


def count_where(groups: Column, group: Expression) -> Expression:
    """Return the number of rows of one group."""
    return Apply("count_where", groups, group)


def count_given_where(groups: Column, group: Expression, value: Column) -> Expression:
    """Return the number of rows of one group that hold a number."""
    return Apply("count_given_where", groups, group, value)


def kth_smallest(value: Column, position: Expression) -> Expression:
    """Return the smallest number of a column, the second smallest, and so on; 0 where there are not so many."""
    return Apply("kth_smallest", value, position)


def count_yes(value: Column) -> Expression:
    """Return the number of rows that say yes."""
    return Apply("count_yes", value)


def count(value: Column) -> Expression:
    """Return the number of rows that hold a number."""
    return Apply("count", value)


def rows(value: Column) -> Expression:
    """Return the number of rows that hold a text."""
    return Apply("rows", value)


def literal(key: Expression) -> Expression:
    """Return a text to be matched to the letter, even where it holds a wildcard."""
    return Apply("literal", key)


def with_columns(expression: Expression, replaced: Mapping[Column, Expression]) -> Expression:
    """Return the expression over other columns.

    A column that is not replaced stands for its own definition; a scalar, the same everywhere, for itself.
    """
    match expression:
        case Column() if expression in replaced:
            return replaced[expression]
        case Scalar():
            return expression
        case Column(definition=definition):
            if definition is None:
                raise KeyError(expression.name)
            return with_columns(definition, replaced)
        case Counted(number=number, unit=unit):
            return Counted(with_columns(number, replaced), unit)
        case Apply(name=name, operands=operands):
            return Apply(name, *(with_columns(operand, replaced) for operand in operands))
        case _:
            return expression
