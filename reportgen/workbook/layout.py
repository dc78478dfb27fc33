"""Where everything stands: the rows and columns of each table, and how one formula names another's cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl.utils import get_column_letter, quote_sheetname

from reportgen.expression import Column, Sheet

HEADER_ROW = 5
FIRST_ROW = HEADER_ROW + 1
ROW_MARK = "\0"
"""Stands for the row's own number in a formula that is printed once for all rows."""


@dataclass(frozen=True)
class Region:
    """One table: its columns from A on, its header row, its rows, and the spare ones that a reader may fill.

    Where it ``grows``, a formula waits for its row's name; where it is ``streamed``, only its first row is built of
    cells.
    """

    sheet: type[Sheet]
    rows: int
    spare: int = 0
    header_row: int = HEADER_ROW
    grows: bool = False
    streamed: bool = False

    @property
    def first_row(self) -> int:
        """The number of the first row."""
        return self.header_row + 1

    @property
    def last_row(self) -> int:
        """The number of the last row, spare ones included."""
        return self.header_row + self.rows + self.spare

    def letter(self, column: Column) -> str:
        """Return the letter of a column."""
        return get_column_letter(self.sheet.columns.index(column) + 1)


class Layout:
    """All tables of a workbook."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self.regions = {region.sheet: region for region in regions}
        self.places = {
            column: (region, get_column_letter(position))
            for region in regions
            for position, column in enumerate(region.sheet.columns, 1)
        }

    def __getitem__(self, sheet: type[Sheet]) -> Region:
        return self.regions[sheet]

    def seen_from(self, title: str, row: str = ROW_MARK) -> SeenFrom:
        """Return how a formula on a sheet's row names the cells it needs."""
        return SeenFrom(self, title, row)


@dataclass(frozen=True)
class SeenFrom:
    """Addresses as one formula writes them: its own sheet goes unnamed, whole columns are absolute."""

    layout: Layout
    title: str
    row: str

    def cell(self, column: Column) -> str:
        """Return the address of the column's cell in this row."""
        region, letter = self.layout.places[column]
        return f"{self._prefix(region)}{letter}{self.row}"

    def at(self, column: Column, position: int) -> str:
        """Return the address of the column's cell in a fixed row, counted from 0."""
        region, letter = self.layout.places[column]
        return f"{self._prefix(region)}${letter}${region.first_row + position}"

    def range(self, column: Column) -> str:
        """Return the address of the whole column."""
        region, letter = self.layout.places[column]
        return f"{self._prefix(region)}${letter}${region.first_row}:${letter}${region.last_row}"

    def bands(self, columns: tuple[Column, ...]) -> str:
        """Return the address of the headings above neighbouring columns."""
        region, first = self.layout.places[columns[0]]
        _, last = self.layout.places[columns[-1]]
        row = region.header_row - 1
        return f"{self._prefix(region)}${first}${row}:${last}${row}"

    def position(self, column: Column) -> str:
        """Return a formula for the number of this row among the column's rows."""
        region, letter = self.layout.places[column]
        return f"ROW()-ROW({self._prefix(region)}${letter}${region.header_row})"

    def _prefix(self, region: Region) -> str:
        title = region.sheet.title
        if title == self.title:
            return ""
        return (title if title.isalpha() else quote_sheetname(title)) + "!"
