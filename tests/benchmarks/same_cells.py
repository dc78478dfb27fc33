"""The cells of the job sheets as our own workbook has them, for other writers to write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.comparison import TITLE as COMPARISON
from reportgen.calculation.ledger import JOB_SHEETS
from reportgen.workbook.cells import Book, Formula, Stored
from reportgen.workbook.layout import HEADER_ROW, ROW_MARK
from reportgen.workbook.rows import RowStream, StreamedColumn

ROWS_AT_ONCE: Final = 32


@dataclass(frozen=True)
class SheetColumn:
    """A column: its header, its number format, its formula with ROW_MARK for the row, or no formula, its values."""

    header: str
    number_format: str
    formula: str
    first: Stored
    following: StreamedColumn

    def formulas(self, rows: range) -> list[str]:
        """Return the formulas of rows of the sheet."""
        parts = self.formula.split(ROW_MARK)
        return ["=" + str(row).join(parts) for row in rows]


@dataclass(frozen=True)
class JobSheet:
    """A sheet with one row a job: a header, then rows up to the last, spare ones included."""

    title: str
    columns: tuple[SheetColumn, ...]
    last_row: int

    @property
    def live(self) -> bool:
        """Whether its columns are formulas; those of the plan are inputs."""
        return bool(self.columns[0].formula)

    @property
    def cells(self) -> int:
        """The number of its cells below the header, empty ones included."""
        return len(self.columns) * (self.last_row - HEADER_ROW)

    def values(self) -> Iterator[tuple[int, list[tuple[Stored, ...]]]]:
        """Yield the values of some rows at a time, after the number of the first; of inputs, "" is an empty cell."""
        yield HEADER_ROW + 1, [tuple(column.first for column in self.columns)]
        first = HEADER_ROW + 2
        for start in range(0, self.last_row - first + 1, ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, self.last_row - first + 1)
            some = [column.following.stored(start, stop) for column in self.columns]
            yield first + start, list(zip(*some, strict=True))

    def rows(self) -> Iterator[tuple[int, tuple[str, ...], tuple[Stored, ...]]]:
        """Yield each row's number, its formulas and their values."""
        for first, values in self.values():
            numbers = range(first, first + len(values))
            formulas = zip(*(column.formulas(numbers) for column in self.columns), strict=True)
            yield from zip(numbers, formulas, values, strict=True)


def job_sheets(book: Book) -> list[JobSheet]:
    """Return the job sheets of a workbook."""
    titles = (*(sheet.title for sheet in JOB_SHEETS), COMPARISON)
    streams = {title: book.rows_to_come[title] for title in titles}
    return [_job_sheet(book.workbook[title], rows) for title, rows in streams.items() if isinstance(rows, RowStream)]


def _job_sheet(sheet: Worksheet, rows: RowStream) -> JobSheet:
    columns = []
    for position, following in enumerate(rows.columns, 1):
        first = sheet.cell(HEADER_ROW + 1, position)
        header = str(sheet.cell(HEADER_ROW, position).value)
        columns.append(SheetColumn(header, first.number_format, following.formula, _value(first.value), following))
    return JobSheet(sheet.title, tuple(columns), rows.last_row)


def _value(value: object) -> Stored:
    """Return what a cell that openpyxl holds shows; "" where it is empty."""
    if isinstance(value, Formula):
        return value.value
    return value if isinstance(value, float | bool | str) else ""
