"""The tree of a formula: numbers, texts, named columns, and primitives applied to them.

A ``Column`` is an expression too, so a later column is written with earlier ones; what has no primitive
(``if``, ``**``, ``//`` on a column) fails at import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NoReturn, TypeAlias

from reportgen.primitives import PRIMITIVES
from reportgen.units import TEXT, YES_NO

Operand: TypeAlias = "Expression | float | str"


class Expression:
    """A node of the tree; operators build larger trees."""

    def __add__(self, other: Operand) -> Expression:
        return Apply("add", self, other)

    def __sub__(self, other: Operand) -> Expression:
        return Apply("subtract", self, other)

    def __rsub__(self, other: float) -> Expression:
        return Apply("subtract", other, self)

    def __mul__(self, other: Operand) -> Expression:
        return Apply("multiply", self, other)

    def __rmul__(self, other: float) -> Expression:
        return Apply("multiply", other, self)

    def __truediv__(self, other: Operand) -> Expression:
        return Apply("divide", self, other)

    def __radd__(self, other: float) -> Expression:
        return Apply("add", other, self)

    def __rtruediv__(self, other: float) -> Expression:
        return Apply("divide", other, self)

    def __le__(self, other: Operand) -> Expression:
        return Apply("at_most", self, other)

    def __lt__(self, other: Operand) -> Expression:
        return Apply("less", self, other)

    def __ge__(self, other: Operand) -> Expression:
        return Apply("at_least", self, other)

    def __gt__(self, other: Operand) -> Expression:
        return Apply("more", self, other)

    def __bool__(self) -> NoReturn:
        raise TypeError("an expression is neither true nor false; use where()")


@dataclass(frozen=True, eq=False)
class Number(Expression):
    """A number that belongs to the formula itself, never one that an input could hold."""

    value: float
    unit: str = "1"


@dataclass(frozen=True, eq=False)
class Text(Expression):
    """A text that belongs to the formula itself."""

    value: str


@dataclass(frozen=True, eq=False)
class Missing(Expression):
    """No figure: NaN in arrays, null in JSON; ``word`` says so in a cell."""

    word: str
    unit: str


@dataclass(frozen=True, eq=False)
class Position(Expression):
    """The number of the row itself, from 1, among the rows of a column."""

    column: Column


@dataclass(frozen=True, eq=False)
class Counted(Expression):
    """A pure number that counts something: it has that unit, and no arithmetic of its own."""

    number: Expression
    unit: str


@dataclass(eq=False)
class Column(Expression):
    """A named column of a sheet: an input, or defined by an expression over earlier columns.

    ``percent`` shows a pure number as a percentage; ``absent`` is the word in the cell where there is no figure;
    ``band`` is the heading that a column shares with its neighbours.
    """

    unit: str
    meaning: str
    definition: Expression | None = None
    source: str = ""
    percent: bool = False
    absent: str = ""
    band: str = ""
    name: str = ""
    sheet: type[Sheet] | None = None

    def __set_name__(self, sheet: type[Sheet], name: str) -> None:
        self.name = name
        self.sheet = sheet

    @property
    def header(self) -> str:
        """The name with its unit, as the workbook's header cells show it."""
        return self.name if self.unit in (TEXT, "1") else f"{self.name} [{self.unit}]"


@dataclass(eq=False)
class Scalar(Column):
    """A figure that has one value for all rows; in the workbook its name is a defined name."""


class Sheet:
    """A sheet is a class whose body lists its columns, in order; its docstring says what the sheet is for."""

    title: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]] = ()
    bands: ClassVar[Mapping[str, str]] = {}
    """Headings over neighbouring columns, each by the name of the first column under it."""

    def __init_subclass__(cls) -> None:
        cls.columns = tuple(value for value in vars(cls).values() if isinstance(value, Column))
        band = ""
        for column in cls.columns:
            band = cls.bands.get(column.name, band)
            column.band = column.band or band

    @staticmethod
    def made_of(name: str, title: str, purpose: str, columns: tuple[Column, ...]) -> type[Sheet]:
        """Return a sheet whose columns depend on the input."""
        sheet: type[Sheet] = type(name, (Sheet,), {"title": title, "__doc__": purpose})
        sheet.columns = columns
        for column in columns:
            column.sheet = sheet
        return sheet

    @classmethod
    def derived(cls) -> tuple[tuple[Column, Expression], ...]:
        """Return the columns that have a definition, each with it."""
        return tuple((column, column.definition) for column in cls.columns if column.definition is not None)


@dataclass(frozen=True, eq=False)
class At(Expression):
    """The value of a column in one fixed row; ``position`` counts from 0."""

    column: Column
    position: int


@dataclass(frozen=True, eq=False)
class Across(Expression):
    """Neighbouring columns of one row, from the first to the last."""

    columns: tuple[Column, ...]


@dataclass(frozen=True, eq=False)
class Bands(Expression):
    """The headings above neighbouring columns, as a list of texts."""

    columns: tuple[Column, ...]


class Apply(Expression):
    """A primitive applied to its operands."""

    def __init__(self, name: str, *operands: Operand) -> None:
        self.name = name
        self.primitive = PRIMITIVES[name]
        self.operands = tuple(_expression(operand) for operand in operands)


def _expression(operand: Operand) -> Expression:
    if isinstance(operand, str):
        return Text(operand)
    return Number(operand) if isinstance(operand, int | float) else operand


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


def is_text(value: Expression, text: str) -> Expression:
    """Return yes where a text cell holds ``text``."""
    return Apply("is_text", value, text)


def match(key: Expression, names: Column) -> Expression:
    """Return the position of ``key`` in a whole column, from 1, ignoring case; 0 when it is not there."""
    return Apply("match", key, names)


def pick(row: Expression, column: Column, key: Expression) -> Expression:
    """Return a column's value at ``row``; ``key`` names that row in words."""
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
