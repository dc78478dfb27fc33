"""The language of conditions: Python's own expressions, the few of them that are meant, over the columns of a job.

A text is compared with a column of texts; in front of a number it is one with its unit, as a plan's cells have it:
``card_total_bytes <= "70 GiB"``. What has no figure holds no condition, whichever way it is asked.
"""

from __future__ import annotations

import ast
import difflib
import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from reportgen.calculation.declare import Bounds
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError, Problem, quoted
from reportgen.expression import Column, Expression, Number, Text
from reportgen.functions import NO, YES, both, given, is_text, where
from reportgen.reading.columns import number_parser
from reportgen.reading.csv_text import normalized
from reportgen.reading.quantities import LARGEST_EXACT, QuantityError, parse_date
from reportgen.readings import unit_of
from reportgen.sweeping.figures import figures_of_one_job, known_columns
from reportgen.units import DATE, TEXT, YES_NO, Unit, UnitError

LONGEST: Final = 4_000
DEEPEST: Final = 40
_ALLOWED: Final = (
    "columns, numbers, texts in quotes, and, or, not, <, <=, >, >=, ==, !=, in (...), +, -, *, / and parentheses"
)
_TEXT, _YES_NO, _PURE = Unit.parse(TEXT), Unit.parse(YES_NO), Unit.parse("1")
_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ORDERED: Final[Mapping[type[ast.cmpop], Callable[..., Expression]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: lambda left, right: both(left <= right, left >= right),
}
_OPPOSITE: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {ast.NotEq: ast.Eq, ast.NotIn: ast.In}


def condition_of(text: str, file: str) -> Expression:
    """Return the condition that a text says.

    Raises:
        InputError: With what is wrong with it, and where in the text.
    """
    reader = _Reader(text, file)
    return reader.holds(reader.parsed(), 0)


def ranked_by(text: str, file: str) -> tuple[Column, bool]:
    """Return the column that a ranking names, and whether the largest comes first.

    Raises:
        InputError: If there is no such column, or it holds no numbers.
    """
    name = text.removeprefix("-").strip()
    reader = _Reader(name, file, "best.by")
    column = reader.column(name, 0)
    if reader.unit(column, 0) in (_TEXT, _YES_NO):
        raise reader.refused(
            f"{column.name}, which holds no numbers", "a column of numbers; reportgen columns lists them", 0
        )
    return column, text.startswith("-")


class _Reader:
    """Reads one condition; every problem names the character at which it is."""

    def __init__(self, text: str, file: str, key: str = "where") -> None:
        self._text, self._file, self._key = text, file, key

    def refused(self, found: str, expected: str, position: int = 0) -> InputError:
        """Return what to raise of a part of the condition; ``position`` counts its characters from 0."""
        place = f" at character {position + 1}" if position else ""
        return InputError([Problem(self._file, 0, self._key, found + place, expected)])

    def parsed(self) -> ast.expr:
        if len(self._text) > LONGEST:
            raise self.refused(f"{len(self._text):,} characters", f"at most {LONGEST:,}", 0)
        self._text = self._text.strip().translate(dict.fromkeys(map(ord, "\r\n\t\f"), " "))
        try:
            with warnings.catch_warnings(action="ignore"):
                return ast.parse(self._text, mode="eval").body
        except SyntaxError as error:
            position = (error.offset or len(self._text) + 1) - 1
            raise self.refused(
                f"{quoted(self._text)}, which ends or goes wrong", "a condition such as fits", position
            ) from None
        except (ValueError, RecursionError, MemoryError):
            raise self.refused("parentheses in parentheses without end", f"at most {DEEPEST}") from None

    def holds(self, node: ast.expr, depth: int, *, denied: bool = False) -> Expression:
        """Return the condition of a node, or its opposite: only what is compared is ever turned round."""
        self._refuse_deep(node, depth)
        match node:
            case ast.BoolOp(op=op, values=values):
                parts = [self.holds(value, depth + 1, denied=denied) for value in values]
                return _joined(parts, both if isinstance(op, ast.And) != denied else _either)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.holds(operand, depth + 1, denied=not denied)
            case ast.Compare():
                return self._comparisons(node, depth, denied)
            case ast.Name():
                return _not(self._yes(node)) if denied else self._yes(node)
        raise self.refused(
            f"{self._said(node)}, which is no condition", "a comparison, or a column of yes and no", self._at(node)
        )

    def _yes(self, node: ast.Name) -> Expression:
        column = self.column(node.id, self._at(node))
        if column.unit != YES_NO:
            raise self.refused(f"{node.id}, which is no condition", f"it compared, as in {node.id} > 0", self._at(node))
        return is_text(column, "yes") if self.unit(column, 0) == _TEXT else column

    def _comparisons(self, node: ast.Compare, depth: int, denied: bool) -> Expression:
        operands = [node.left, *node.comparators]
        parts = [
            self._comparison(left, kind, right, depth + 1, denied)
            for left, kind, right in zip(operands, node.ops, node.comparators, strict=False)
        ]
        return _joined(parts, _either if denied else both)

    def _comparison(self, left: ast.expr, kind: ast.cmpop, right: ast.expr, depth: int, denied: bool) -> Expression:
        opposite = _OPPOSITE.get(type(kind))
        compare, denied = (opposite, not denied) if opposite else (type(kind), denied)
        if compare is ast.In:
            if not isinstance(right, ast.Tuple | ast.List) or not right.elts:
                raise self.refused(f"{self._said(right)} after in", 'a list, as in ("a", "b")', self._at(right))
            one_of = [self._compared(left, ast.Eq, choice, depth) for choice in right.elts]
            found = _joined(one_of, _either)
        elif compare in _ORDERED:
            found = self._compared(left, compare, right, depth)
        else:
            raise self.refused(f"{self._said(left)} {type(kind).__name__.lower()} ...", _ALLOWED, self._at(left))
        return _not(found) if denied else found

    def _compared(self, left: ast.expr, kind: type[ast.cmpop], right: ast.expr, depth: int) -> Expression:
        one, other = self._alike(self._value(left, depth), self._value(right, depth), left, right)
        if self.unit(one, self._at(left)) != _TEXT:
            compared = _ORDERED[kind](one, other)
            self.unit(compared, self._at(left))
            return compared
        if kind is not ast.Eq:
            raise self.refused(
                f"texts compared in order: {self._said(left)}", "==, != or in between texts", self._at(left)
            )
        return is_text(one, other)

    def _alike(
        self, one: Expression, other: Expression, left: ast.expr, right: ast.expr
    ) -> tuple[Expression, Expression]:
        """Return two operands with the unit of the one given to the other, where that is a bare number or text."""
        if isinstance(one, Number | Text) and not isinstance(other, Number | Text):
            return self._like(one, other, left), other
        if isinstance(other, Number | Text):
            return one, self._like(other, one, right)
        return one, other

    def _like(self, literal: Expression, model: Expression, node: ast.expr) -> Expression:
        unit = self.unit(model, self._at(node))
        match literal:
            case Number(value=value) if unit not in (_TEXT, _YES_NO):
                return Number(value, str(unit))
            case Text(value=text) if unit == _TEXT:
                return literal
            case Text(value=text) if unit != _YES_NO:
                return Number(self._quantity(text, model, node), str(unit))
        wanted = "a text in quotes" if unit == _TEXT else "a column of yes and no without a comparison"
        raise self.refused(
            f"{self._said(node)} beside {'texts' if unit == _TEXT else 'yes and no'}", wanted, self._at(node)
        )

    def _quantity(self, text: str, model: Expression, node: ast.expr) -> float:
        unit = model.unit if isinstance(model, Column | Number) else str(self.unit(model, 0))
        percent = isinstance(model, Column) and model.percent
        try:
            return parse_date(text) if unit == DATE else number_parser(unit, Bounds(least=None), percent=percent)(text)
        except QuantityError as error:
            raise self.refused(f"the text {quoted(text)} compared with a number", str(error), self._at(node)) from None

    def _value(self, node: ast.expr, depth: int) -> Expression:
        self._refuse_deep(node, depth)
        match node:
            case ast.Constant(value=str(text)):
                return Text(text.strip())
            case ast.Constant(value=int() | float() as number) if (
                not isinstance(number, bool) and abs(number) <= LARGEST_EXACT
            ):
                return Number(float(number))
            case ast.Name(id=name):
                return self.column(name, self._at(node))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._calculated(ast.Constant(0), ast.Sub(), operand, node, depth)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self._calculated(left, op, right, node, depth)
        raise self.refused(self._said(node), _ALLOWED, self._at(node))

    def _calculated(self, left: ast.expr, op: ast.operator, right: ast.expr, node: ast.expr, depth: int) -> Expression:
        one, other = self._value(left, depth + 1), self._value(right, depth + 1)
        if isinstance(one, Number) and isinstance(other, Number):
            if isinstance(op, ast.Div) and not other.value:
                raise self.refused("a division by zero", "another number", self._at(node))
            return Number(_ARITHMETIC[type(op)](one.value, other.value))
        if isinstance(op, ast.Add | ast.Sub):
            one, other = self._alike(one, other, left, right)
        found: Expression = _ARITHMETIC[type(op)](one, other)
        if _TEXT in (self.unit(one, self._at(node)), self.unit(other, self._at(node))):
            raise self.refused(f"texts calculated with: {self._said(node)}", "numbers", self._at(node))
        self.unit(found, self._at(node))
        return found

    def column(self, name: str, position: int) -> Column:
        """Return the column of a name, or of another header that a plan may have for it."""
        column = known_columns().get(normalized(name))
        if column is None:
            near = difflib.get_close_matches(normalized(name), known_columns(), 3) if len(name) < LONGEST // 40 else []
            expected = (
                f"a column of the ledger; nearest: {', '.join(near)}" if near else "one that reportgen columns lists"
            )
            raise self.refused(f"{quoted(name)}, which no column is named", expected, position)
        if column.name == Plan.job.name:
            raise self.refused("job", "another column: the names are made from what varies", position)
        if column not in figures_of_one_job():
            raise self.refused(
                f"{name}, which tells of the other jobs of a plan", "a column of one job alone", position
            )
        return column

    def unit(self, expression: Expression, position: int) -> Unit:
        try:
            return unit_of(expression)
        except UnitError as error:
            raise self.refused(str(error), "figures of one unit", position) from None

    def _refuse_deep(self, node: ast.expr, depth: int) -> None:
        if depth > DEEPEST:
            raise self.refused("parts in parts without end", f"at most {DEEPEST}", self._at(node))

    def _at(self, node: ast.expr) -> int:
        """Return at which character a node begins; Python counts bytes."""
        return len(self._text.encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore"))

    def _said(self, node: ast.expr) -> str:
        return quoted(ast.get_source_segment(self._text, node) or "0")


def _not(condition: Expression) -> Expression:
    return where(condition, NO, YES)


def _either(left: Expression, right: Expression) -> Expression:
    """Yes where one of the two holds, be there a figure for the other or not."""
    return where(where(given(left), left, NO), YES, right)


def _joined(parts: Sequence[Expression], join: Callable[[Expression, Expression], Expression]) -> Expression:
    """Return all parts as one, in a tree that is as low as can be."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return join(_joined(parts[:half], join), _joined(parts[half:], join))
