"""Two workbooks cell by cell: what is stored against what reportgen would write."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, NamedTuple

from reportgen.digits import all_digits
from reportgen.returned.cells import Book, Cell, ErrorValue, Row, Value, letters

AGREE: Final = 1e-12
"""Relative difference up to which two figures are one: programs add in their own order and keep 15 digits."""
EXACT_BELOW: Final = 1e15
"""Whole numbers keep all their digits up to here, whichever program saves them."""
LONGEST_SHOWN: Final = 60
_STRING = re.compile(r'("(?:[^"]|"")*")')
_SHEET = re.compile(r"'(\w+)'!")
_EMPTY: Final = Cell(None)

Place = tuple[str, int, int]
"""A sheet's title, a row, a column."""


class Difference(NamedTuple):
    """A cell that does not hold what reportgen would write."""

    sheet: str
    row: int
    column: int
    label: str
    stored: str
    expected: str

    def __str__(self) -> str:
        label = f" {self.label}" if self.label else ""
        return f"{self.sheet}!{letters(self.column)}{self.row}{label}: stored {self.stored}, expected {self.expected}"


class Exceptions(NamedTuple):
    """Where a workbook may differ from one built today: what is not compared, and values that follow from its own."""

    sheets: Collection[str]
    places: Collection[Place]
    values: Mapping[Place, Value]


def compare(
    expected: Book, stored: Book, exceptions: Exceptions, counted: list[int], advance: Callable[[int], None]
) -> Iterator[Difference]:
    """Yield the differences, sheet by sheet.

    Args:
        expected: What reportgen writes.
        stored: What is there.
        exceptions: What may differ.
        counted: Gets the number of formulas of each sheet.
        advance: Is told of each row.
    """
    for title in expected.titles:
        if title in exceptions.sheets:
            continue
        if title not in stored.titles:
            yield Difference(title, 1, 1, "", "no such sheet", "a sheet")
            continue
        formulas = 0
        for row, other in _side_by_side(expected.rows(title), stored.rows(title)):
            advance(1)
            for column, cell in row.cells.items():
                formulas += cell.formula is not None
                place = (title, row.number, column)
                if place in exceptions.places:
                    continue
                wanted = Cell(exceptions.values.get(place, cell.value), cell.formula)
                held = other.get(column, _EMPTY)
                if wanted != held and (found := _difference(wanted, held)):
                    label = row.cells.get(1, _EMPTY).value
                    yield Difference(*place, label if isinstance(label, str) else "", *found)
        counted.append(formulas)


def _side_by_side(expected: Iterator[Row], stored: Iterator[Row]) -> Iterator[tuple[Row, Mapping[int, Cell]]]:
    """Yield each expected row with the cells of the stored row of the same number."""
    other = next(stored, None)
    for row in expected:
        while other is not None and other.number < row.number:
            other = next(stored, None)
        yield row, other.cells if other is not None and other.number == row.number else {}


def _difference(wanted: Cell, held: Cell) -> tuple[str, str] | None:
    """Return what is stored and what is expected; nothing where both come to the same."""
    if not _same_formula(wanted.formula, held.formula):
        return _as_formula(held), _as_formula(wanted)
    if not same_value(wanted.value, held.value):
        return shown(held.value), shown(wanted.value)
    return None


def _as_formula(cell: Cell) -> str:
    return shown(cell.value) if cell.formula is None else _cut("=" + cell.formula)


def _same_formula(wanted: str | None, held: str | None) -> bool:
    if wanted is None or held is None:
        return wanted is held
    return wanted == held or _normal(wanted) == _normal(held)


def _normal(formula: str) -> str:
    """Return a formula without what programs write each in their own way: blanks, case, needless quotes, TRUE()."""
    parts = _STRING.split(formula)
    for position in range(0, len(parts), 2):
        text = _SHEET.sub(r"\1!", parts[position])
        text = "".join(text.split()).upper().replace("_XLFN.", "")
        parts[position] = text.replace("TRUE()", "TRUE").replace("FALSE()", "FALSE")
    return "".join(parts)


def same_value(wanted: Value, held: Value) -> bool:
    """Return whether two values are one: texts, yes or no and whole numbers exactly, other numbers to twelve digits."""
    if isinstance(wanted, ErrorValue) or isinstance(held, ErrorValue):
        return type(wanted) is type(held) and wanted == held
    if isinstance(wanted, float) and isinstance(held, float):
        if wanted.is_integer() and held.is_integer() and abs(wanted) < EXACT_BELOW:
            return wanted == held
        return abs(wanted - held) <= AGREE * max(abs(wanted), abs(held), 1.0)
    if isinstance(wanted, bool) or isinstance(held, bool):
        return wanted is held
    return (wanted or "") == (held or "")


def shown(value: Value) -> str:
    """Return a value as messages show it."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return all_digits(value)
    return f"the error {value}" if isinstance(value, ErrorValue) else _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."
