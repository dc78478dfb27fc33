"""The jobs of a workbook that ``build`` wrote: the values its cells hold, found by sheet and by header.

Knows nothing of where ``build`` puts a column, so that a workbook in which somebody moved or added one reads as well.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.ledger import JOB_SHEETS
from reportgen.calculation.plan import Plan
from reportgen.errors import FileError, quoted
from reportgen.expression import Column, Sheet
from reportgen.returned.cells import Book, Value, letters
from reportgen.units import TEXT, YES_NO

_LOWEST_HEADER: Final = 50
"""Rows in which the header is looked for."""

_LARGEST: Final = 1e24
"""No figure of a job is larger; sums of those that are not stay finite."""


@dataclass(frozen=True)
class StoredJobs:
    """The jobs of a workbook: an array a column, and the user's own columns as texts."""

    values: Mapping[Column, Array]
    further: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_stored_jobs(data: bytes, file: str, columns: Collection[Column]) -> StoredJobs:
    """Return the stored values of the wanted columns; a column of the plan may be missing, as in an older workbook.

    Args:
        data: The workbook.
        file: Its name, for messages only.
        columns: Columns of the sheets that have a row for each job.

    Raises:
        FileError: If this is no workbook that ``build`` wrote, or its cells hold no value or an error.
    """
    book = Book(data, file)
    if missing := [sheet.title for sheet in JOB_SHEETS if sheet.title not in book.titles]:
        raise FileError(_foreign(file, f"it has no sheet {missing[0]}"))
    tables = {sheet: _Table(book, sheet, columns) for sheet in JOB_SHEETS}
    rows = tables[Plan].filled_rows()
    if not rows:
        raise FileError(f"{file}: sheet {Plan.title} has no job")
    values = {
        column: table.column(column, rows)
        for sheet, table in tables.items()
        for column in sheet.columns
        if column in columns and (sheet is not Plan or column.header in table.places)
    }
    return StoredJobs(values, tables[Plan].further(rows))


def _foreign(file: str, why: str) -> str:
    return f"{file}: is no workbook made by reportgen build: {why}"


class _Table:
    """One sheet: where its columns stand and what stands under them; of a calculated sheet only what is wanted."""

    def __init__(self, book: Book, sheet: type[Sheet], columns: Collection[Column]) -> None:
        self.file, self.sheet = book.file, sheet
        self.places: dict[str, int] = {}
        self.header_row = 0
        self.rows: dict[int, Mapping[int, Value]] = {}
        first = sheet.columns[0].header
        wanted: set[int] = set()
        for number, cells in book.rows(sheet.title):
            if self.places:
                self.rows[number - self.header_row] = {
                    at: cell.value for at, cell in cells.items() if sheet is Plan or at in wanted
                }
            elif number <= _LOWEST_HEADER and any(cell.value == first for cell in cells.values()):
                self.header_row = number
                for at, cell in cells.items():
                    self.places.setdefault(_text(cell.value), at)
                wanted = {self.places[one.header] for one in columns if one.header in self.places}
        if not self.places:
            raise FileError(_foreign(self.file, f"sheet {sheet.title} has no column {first}"))

    def filled_rows(self) -> list[int]:
        """Return the rows that have a job: its name, else its model."""
        names = [self._place(column) for column in self.sheet.columns[:2]]
        return [row for row, cells in self.rows.items() if any(cells.get(at) not in (None, "") for at in names)]

    def column(self, column: Column, rows: Sequence[int]) -> Array:
        """Return a column's values in some rows."""
        at = self._place(column)
        cells = [self.rows.get(row, {}).get(at) for row in rows]
        if column.unit in (TEXT, YES_NO) and column.sheet is Plan:
            return np.array([_text(cell) for cell in cells], dtype=object)
        numbers = [self._number(column, cell, at, row) for cell, row in zip(cells, rows, strict=True)]
        return np.array(numbers, dtype=np.float64)

    def further(self, rows: Iterable[int]) -> dict[str, tuple[str, ...]]:
        """Return the columns that the user added."""
        known = {column.header for column in self.sheet.columns}
        own = {name: at for name, at in self.places.items() if name and name not in known}
        return {name: tuple(_text(self.rows[row].get(at)) for row in rows) for name, at in own.items()}

    def _place(self, column: Column) -> int:
        if column.header not in self.places:
            raise FileError(_foreign(self.file, f"sheet {self.sheet.title} has no column {column.header}"))
        return self.places[column.header]

    def _number(self, column: Column, cell: Value, at: int, row: int) -> float:
        """Return a number; NaN for an empty input and for the word that stands where there is no figure."""
        if isinstance(cell, bool | float) and abs(cell) <= _LARGEST:
            return float(cell)
        may_be_empty = column.definition is None or not column.absent
        if (may_be_empty and cell in (None, "")) or (cell and cell == column.absent):
            return math.nan
        place = f"{self.file}: {self.sheet.title}!{letters(at)}{self.header_row + row}"
        if cell is None:
            raise FileError(f"{place}: holds no value; open the workbook in a spreadsheet program and save it")
        raise FileError(f"{place}: found {quoted(cell) if isinstance(cell, str) else cell}; expected a number")


def _text(cell: Value) -> str:
    """Return a cell as the text that a plan would hold: a whole number has no point."""
    match cell:
        case None:
            return ""
        case bool():
            return "yes" if cell else "no"
        case float() if cell.is_integer():
            return str(int(cell))
    return str(cell)
