"""The nodes of a formula: numbers, texts, named columns, and primitives applied to them.

A ``Column`` is an expression too, so a later column is written with earlier ones; what has no primitive
(``if``, ``**``, ``//`` on a column) fails at import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NoReturn, TypeAlias

from reportgen.primitives import PRIMITIVES
from reportgen.units import TEXT

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
    match operand:
        case Expression():
            return operand
        case str():
            return Text(operand)
        case int() | float() if not isinstance(operand, bool):
            return Number(operand)
    raise TypeError(f"{operand!r} is no operand; yes and no are YES and NO, and == between columns is is_text()")
