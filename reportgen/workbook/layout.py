"""Where everything stands: the rows and columns of each sheet, and how one formula names another's cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openpyxl.utils import get_column_letter, quote_sheetname

from reportgen.expression import Column, Sheet

HEADER_ROW = 5
FIRST_ROW = HEADER_ROW + 1


@dataclass(frozen=True)
class Region:
    """The table of one sheet: its columns from A on, its header, its rows."""

    sheet: type[Sheet]
    columns: Sequence[Column]
    rows: int

    @property
    def last_row(self) -> int:
        """The number of the last row."""
        return FIRST_ROW + self.rows - 1

    def letter(self, column: Column) -> str:
        """Return the letter of a column."""
        return get_column_letter(self.columns.index(column) + 1)


class Layout:
    """All regions of a workbook."""

    def __init__(self, regions: Mapping[type[Sheet], Region]) -> None:
        self._regions = regions
        self._letters = {
            column: (region.sheet.title, region.letter(column), region.last_row)
            for region in regions.values()
            for column in region.columns
        }

    def __getitem__(self, sheet: type[Sheet]) -> Region:
        return self._regions[sheet]

    def seen_from(self, title: str, row: str) -> SeenFrom:
        """Return how a formula on a sheet's row names the cells it needs."""
        return SeenFrom(self._letters, title, row)


@dataclass(frozen=True)
class SeenFrom:
    """Addresses as one formula writes them: its own sheet goes unnamed, whole columns are absolute."""

    letters: Mapping[Column, tuple[str, str, int]]
    title: str
    row: str

    def cell(self, column: Column) -> str:
        """Return the address of the column's cell in this row."""
        title, letter, _ = self.letters[column]
        return f"{self._prefix(title)}{letter}{self.row}"

    def range(self, column: Column) -> str:
        """Return the address of the whole column."""
        title, letter, last = self.letters[column]
        return f"{self._prefix(title)}${letter}${FIRST_ROW}:${letter}${last}"

    def _prefix(self, title: str) -> str:
        if title == self.title:
            return ""
        return (title if title.isalpha() else quote_sheetname(title)) + "!"
