"""The table of primitives: one row each, holding every reading of it.

Numbers are float64, yes/no is 1.0 and 0.0, texts are Python strings. A missing number is NaN in an array and the empty
text in a cell. NaN also stands for an error value, so every primitive lets it through as a spreadsheet lets an error
through, and only ``given`` asks for it. A word such as "never" in a cell is no error to a spreadsheet: a definition
asks ``given`` before it computes with a column that may hold one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from reportgen import arrays
from reportgen.arrays import Array
from reportgen.units import ROW, TEXT, YES_NO, Unit, same

LOOSE, COMPARES, JOINS, ADDS, MULTIPLIES, ATOM = 0, 2, 3, 4, 5, 9
"""How tightly a printed expression binds; an operand that binds less than asked is put in parentheses."""


@dataclass(frozen=True)
class Printed:
    """How one target writes a primitive: a template, the strength of the result, the strength asked of each operand."""

    template: str
    strength: int = ATOM
    asks: tuple[int, ...] = (LOOSE, LOOSE, LOOSE)


@dataclass(frozen=True)
class Primitive:
    """All readings of one primitive.

    ``whole_columns`` are the operands read as whole columns; ``narrows`` names, given functions that return the
    operands' values in one row, the operand that alone need be said of it in words.
    """

    numpy: Callable[..., Array]
    excel: Printed
    words: Printed
    unit: Callable[..., Unit]
    whole_columns: tuple[int, ...] = ()
    narrows: Callable[..., int | None] | None = None


def _infix(symbol: str, strength: int, left: int | None = None) -> Printed:
    """A binary operator; the right operand must bind tighter, which keeps the tree's own grouping."""
    return Printed(f"{{0}}{symbol}{{1}}", strength, (strength if left is None else left, strength + 1))


def _condition(unit: Unit) -> Unit:
    return same(unit, Unit.parse(YES_NO))


def _compared(left: Unit, right: Unit) -> Unit:
    same(left, right)
    return Unit.parse(YES_NO)


def _chosen(condition: Unit, then: Unit, otherwise: Unit) -> Unit:
    _condition(condition)
    return same(then, otherwise)


def _counted(_unit: Unit) -> Unit:
    return Unit.parse("1")


PRIMITIVES: Final[Mapping[str, Primitive]] = {
    "add": Primitive(
        np.add,
        _infix("+", ADDS),
        _infix(" + ", ADDS),
        same,
        narrows=lambda left, right: 0 if right() == 0 else 1 if left() == 0 else None,
    ),
    "subtract": Primitive(np.subtract, _infix("-", ADDS), _infix(" − ", ADDS), same),
    "multiply": Primitive(np.multiply, _infix("*", MULTIPLIES), _infix(" × ", MULTIPLIES), operator.mul),
    "divide": Primitive(arrays.divide, _infix("/", MULTIPLIES), _infix(" ÷ ", MULTIPLIES), operator.truediv),
    "at_most": Primitive(
        arrays.comparison(np.less_equal), _infix("<=", COMPARES, JOINS), _infix(" ≤ ", COMPARES, JOINS), _compared
    ),
    "less": Primitive(
        arrays.comparison(np.less), _infix("<", COMPARES, JOINS), _infix(" < ", COMPARES, JOINS), _compared
    ),
    "at_least": Primitive(
        arrays.comparison(np.greater_equal), _infix(">=", COMPARES, JOINS), _infix(" ≥ ", COMPARES, JOINS), _compared
    ),
    "more": Primitive(
        arrays.comparison(np.greater), _infix(">", COMPARES, JOINS), _infix(" > ", COMPARES, JOINS), _compared
    ),
    "minimum": Primitive(np.minimum, Printed("MIN({0},{1})"), Printed("the smaller of ({0}, {1})"), same),
    "maximum": Primitive(np.maximum, Printed("MAX({0},{1})"), Printed("the larger of ({0}, {1})"), same),
    "absolute": Primitive(np.abs, Printed("ABS({0})"), Printed("|{0}|"), same),
    "whole": Primitive(
        arrays.whole,
        Printed("ROUND({0},0)"),
        Printed("{0}, rounded to a whole number", LOOSE),
        same,
        narrows=lambda value: 0 if value() == value() // 1 else None,
    ),
    "ceil_div": Primitive(
        lambda dividend, divisor: np.ceil(arrays.divide(dividend, divisor)),
        Printed("CEILING({0}/{1},1)", ATOM, (MULTIPLIES, MULTIPLIES + 1)),
        Printed("{0} ÷ {1}, rounded up", LOOSE, (MULTIPLIES, MULTIPLIES + 1)),
        operator.truediv,
    ),
    "where": Primitive(
        arrays.where,
        Printed("IF({0},{1},{2})"),
        Printed("{1} if {0}, otherwise {2}", LOOSE, (COMPARES, COMPARES, LOOSE)),
        _chosen,
        narrows=lambda condition, _then, _otherwise: 1 if condition() == 1 else 2,
    ),
    "both": Primitive(
        np.multiply,
        Printed("AND({0},{1})"),
        Printed("{0} and {1}", COMPARES - 1, (COMPARES, COMPARES)),
        lambda left, right: same(_condition(left), _condition(right)),
    ),
    "choose": Primitive(
        arrays.choose,
        Printed("CHOOSE({0},{1},{2},{3},{4})", ATOM, (LOOSE,) * 5),
        Printed("of {1}, {2}, {3}, {4} the one at {0}", LOOSE, (ADDS, ADDS, ADDS, ADDS, ADDS)),
        lambda _position, *choices: same(*choices),
        narrows=lambda position, *_: None if math.isnan(position()) else int(position()),
    ),
    "common_multiple": Primitive(
        arrays.common_multiple,
        Printed("LCM({0},{1})"),
        Printed("the least common multiple of ({0}, {1})"),
        same,
    ),
    "joined": Primitive(
        arrays.joined,
        _infix("&", JOINS),
        Printed("{0} {1}", LOOSE),
        lambda _left, _right: Unit.parse(TEXT),
    ),
    "given": Primitive(
        lambda value: np.where(np.isnan(value), 0.0, 1.0),
        Printed("ISNUMBER({0})"),
        Printed("{0} is given", COMPARES, (ADDS,)),
        lambda _unit: Unit.parse(YES_NO),
    ),
    "is_text": Primitive(
        arrays.is_text, _infix("=", COMPARES, JOINS), Printed("{0} is “{1}”", COMPARES, (ADDS, LOOSE)), _compared
    ),
    "literal": Primitive(
        lambda key: key,
        Printed('SUBSTITUTE(SUBSTITUTE(SUBSTITUTE({0},"~","~~"),"*","~*"),"?","~?")'),
        Printed("{0}"),
        same,
    ),
    "match": Primitive(
        arrays.match,
        Printed("IFERROR(MATCH({0},{1},0),0)"),
        Printed("the row of {0} in {1}", LOOSE, (ATOM, ATOM)),
        lambda key, names: same(key, names) and Unit.parse(ROW),
        whole_columns=(1,),
    ),
    "find": Primitive(
        arrays.find,
        Printed("MATCH({0},{1},0)"),
        Printed("the row of {0} in {1}", LOOSE, (ATOM, ATOM)),
        lambda key, names: same(key, names) and Unit.parse(ROW),
        whole_columns=(1,),
    ),
    "pick_text": Primitive(
        arrays.pick,
        Printed('INDEX({1},{0})&""', JOINS),
        Printed("{1} of {2}"),
        lambda row, column, _key: same(row, Unit.parse(ROW)) and column,
        whole_columns=(1,),
    ),
    "pick": Primitive(
        arrays.pick,
        Printed("INDEX({1},{0})"),
        Printed("{1} of {2}"),
        lambda row, column, _key: same(row, Unit.parse(ROW)) and column,
        whole_columns=(1,),
    ),
    "total": Primitive(
        np.nansum, Printed("SUM({0})"), Printed("the sum of {0} over all jobs", LOOSE), same, whole_columns=(0,)
    ),
    "smallest_across": Primitive(
        arrays.smallest_across,
        Printed("MIN({0})"),
        Printed("the smallest of {0}", LOOSE),
        lambda across: across,
    ),
    "place_across": Primitive(
        lambda value, across: np.where((across == value).any(axis=0), np.argmax(across == value, axis=0) + 1.0, 0.0),
        Printed("IFERROR(MATCH({0},{1},0),0)"),
        Printed("the place of {0} among {1}", LOOSE),
        lambda value, across: same(value, across) and Unit.parse(ROW),
    ),
    "name_across": Primitive(
        lambda place, names: arrays.pick(place, names, place),
        Printed('INDEX({1},{0})&""', JOINS),
        Printed("the heading at {0} among {1}", LOOSE),
        lambda place, names: same(place, Unit.parse(ROW)) and names,
    ),
    "total_where": Primitive(
        lambda groups, group, value: arrays.grouped(groups, group, np.where(np.isnan(value), 0, value)),
        Printed("SUMIF({0},{1},{2})"),
        Printed("the sum of {2} over the rows whose {0} is {1}", LOOSE),
        lambda groups, group, value: same(groups, group) and value,
        whole_columns=(0, 2),
    ),
    "count_where": Primitive(
        lambda groups, group: arrays.grouped(groups, group, np.ones(len(groups))),
        Printed("COUNTIF({0},{1})"),
        Printed("the number of rows whose {0} is {1}", LOOSE),
        lambda groups, group: _counted(same(groups, group)),
        whole_columns=(0,),
    ),
    "count_given_where": Primitive(
        lambda groups, group, value: arrays.grouped(groups, group, np.where(np.isnan(value), 0.0, 1.0)),
        Printed("SUMPRODUCT(({0}={1})*ISNUMBER({2}))", ATOM, (JOINS, JOINS, LOOSE)),
        Printed("the number of rows whose {0} is {1} and whose {2} is given", LOOSE),
        lambda groups, group, _value: _counted(same(groups, group)),
        whole_columns=(0, 2),
    ),
    "kth_smallest": Primitive(
        arrays.kth_smallest,
        Printed("IFERROR(SMALL({0},{1}),0)"),
        Printed("of the numbers in {0} the one at {1}", LOOSE),
        lambda value, _position: value,
        whole_columns=(0,),
    ),
    "count_yes": Primitive(
        lambda value: np.asarray(np.nansum(value)),
        Printed("COUNTIF({0},TRUE)"),
        Printed("the number of rows where {0} is yes", LOOSE),
        _counted,
        whole_columns=(0,),
    ),
    "count": Primitive(
        lambda value: np.asarray(float(np.count_nonzero(~np.isnan(value)))),
        Printed("COUNT({0})"),
        Printed("the number of rows with {0}", LOOSE),
        _counted,
        whole_columns=(0,),
    ),
    "rows": Primitive(
        lambda value: np.asarray(float(np.count_nonzero(value != ""))),
        Printed("COUNTA({0})"),
        Printed("the number of rows with a {0}", LOOSE),
        _counted,
        whole_columns=(0,),
    ),
}
