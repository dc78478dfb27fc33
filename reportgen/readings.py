"""The readings of an expression: its value, its formula, its words, its unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Protocol

import numpy as np

from reportgen.arrays import Array
from reportgen.expression import (
    Across,
    Apply,
    At,
    Bands,
    Column,
    Counted,
    Expression,
    Missing,
    Number,
    Position,
    Scalar,
    Text,
)
from reportgen.primitives import ATOM, Primitive, Printed
from reportgen.units import ROW, TEXT, YES_NO, Unit, UnitError, same


class Place(Protocol):
    """Where the cells of a column are, seen from the formula that is being printed."""

    def cell(self, column: Column) -> str:
        """Return the address of the column's cell in the formula's row."""

    def bands(self, columns: tuple[Column, ...]) -> str:
        """Return the address of the headings above neighbouring columns."""

    def position(self, column: Column) -> str:
        """Return a formula for the number of the formula's row among the column's rows."""

    def at(self, column: Column, position: int) -> str:
        """Return the address of the column's cell in a fixed row, counted from 0."""

    def range(self, column: Column) -> str:
        """Return the address of the whole column."""


def evaluate(expression: Expression, values: Mapping[Column, Array]) -> Array:
    """Return the value of an expression for all rows at once.

    Args:
        expression: The tree.
        values: One array for each column it refers to: rows of its sheet, or no axis for a scalar.

    Returns:
        One value a row, or no axis where all operands are scalars; float64, or object for texts.
    """
    match expression:
        case Number(value):
            return np.asarray(value, dtype=np.float64)
        case Text(value):
            return np.array(value, dtype=object)
        case Missing():
            return np.asarray(np.nan)
        case Position(column):
            return np.arange(1.0, len(values[column]) + 1)
        case At(column, position):
            return np.asarray(values[column][position])
        case Across(columns):
            return np.stack([values[column] for column in columns])
        case Bands(columns):
            return np.array([column.band for column in columns], dtype=object)
        case Counted(number=number):
            return evaluate(number, values)
        case Apply(primitive=primitive, operands=operands):
            return primitive.numpy(*(evaluate(operand, values) for operand in operands))
        case Column():
            return values[expression]
    raise TypeError(f"no reading for {expression!r}")


def formula(expression: Expression, place: Place) -> str:
    """Return the expression as a spreadsheet formula in file form, without the leading ``=``."""

    def leaf(node: Expression, in_range: bool) -> str:
        match node:
            case Number(value, unit) if unit == YES_NO:
                return "TRUE" if value else "FALSE"
            case Missing(word):
                return f'"{word}"'
            case Position(column):
                return place.position(column)
            case At(column, position):
                return place.at(column, position)
            case Bands(columns):
                return place.bands(columns)
            case Across(columns):
                return f"{place.cell(columns[0])}:{place.cell(columns[-1])}"
            case Number(value):
                return repr(int(value) if value == int(value) else value)
            case Text(value):
                return '"' + value.replace('"', '""') + '"'
            case Scalar(name=name):
                return name
            case Column():
                return place.range(node) if in_range else place.cell(node)
        raise TypeError(f"no formula for {node!r}")

    return _print(expression, lambda primitive: primitive.excel, leaf)[0]


def words(
    expression: Expression, say: Callable[[Expression, bool], str], figure: Callable[[Expression], float] | None = None
) -> str:
    """Return the expression in words.

    Args:
        expression: The tree.
        say: How a number, a text or a column is said; the flag is set where a whole column is meant.
        figure: The value of an expression in one row. With it only what decides the figure is said: of a choice, the
            branch taken.
    """
    return _print(expression, lambda primitive: primitive.words, say, figure)[0]


def _print(
    node: Expression,
    target: Callable[[Primitive], Printed],
    leaf: Callable[[Expression, bool], str],
    figure: Callable[[Expression], float] | None = None,
    in_range: bool = False,
) -> tuple[str, int]:
    if isinstance(node, Counted):
        return _print(node.number, target, leaf, figure, in_range)
    if not isinstance(node, Apply):
        return leaf(node, in_range), ATOM
    if figure is not None and node.primitive.narrows is not None:
        narrowed = node.primitive.narrows(*(partial(figure, operand) for operand in node.operands))
        if narrowed is not None:
            return _print(node.operands[narrowed], target, leaf, figure, in_range)
    printed = target(node.primitive)
    parts = []
    for position, operand in enumerate(node.operands):
        whole_column = in_range or position in node.primitive.whole_columns
        text, strength = _print(operand, target, leaf, figure, whole_column)
        parts.append(f"({text})" if strength < printed.asks[position] else text)
    return printed.template.format(*parts), printed.strength


def unit_of(expression: Expression) -> Unit:
    """Return the unit that follows from the definition; columns count with the unit they declare.

    Raises:
        UnitError: If unlike units are added, compared or chosen between.
    """
    match expression:
        case Column(unit=unit, definition=None) if unit == YES_NO:
            return Unit.parse(TEXT)
        case Number(unit=unit) | Missing(unit=unit) | Column(unit=unit):
            return Unit.parse(unit)
        case Position():
            return Unit.parse(ROW)
        case At(column=column):
            return unit_of(column)
        case Bands():
            return Unit.parse(TEXT)
        case Across(columns=columns):
            return same(*(unit_of(column) for column in columns))
        case Counted(number=number, unit=unit):
            same(unit_of(number), Unit.parse("1"))
            return Unit.parse(unit)
        case Text():
            return Unit.parse(TEXT)
        case Apply(primitive=primitive, operands=operands):
            return primitive.unit(*(unit_of(operand) for operand in operands))
    raise UnitError(f"no unit for {expression!r}")


def leaves(expression: Expression) -> Iterator[Column]:
    """Yield the columns that a definition refers to, as often as it does."""
    match expression:
        case Column():
            yield expression
        case Position(column=column) | At(column=column):
            yield column
        case Across(columns=columns):
            yield from columns
        case Counted(number=number):
            yield from leaves(number)
        case Apply(operands=operands):
            for operand in operands:
                yield from leaves(operand)
