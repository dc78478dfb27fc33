"""Reads the jobs of a workbook that ``build`` wrote: the values its cells hold, found by sheet and by header.

Knows nothing of where ``build`` puts a column, so that a workbook in which somebody moved or added one reads as well.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import Any, Final

import numpy as np
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from reportgen.arrays import Array
from reportgen.calculation.ledger import JOB_SHEETS
from reportgen.calculation.plan import Plan
from reportgen.errors import FileError
from reportgen.expression import Column, Sheet
from reportgen.units import DAY_ZERO, TEXT, YES_NO

_LOWEST_HEADER: Final = 50
"""Rows in which the header is looked for."""


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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what another program put into the file, and openpyxl does not read
        try:
            grids = dict(_grids(data))
        except Exception as error:  # noqa: BLE001 - a foreign file fails in as many ways as it has parts
            found = str(error).splitlines()
            raise FileError(_foreign(file, found[0] if found else type(error).__name__)) from None
    if missing := [sheet.title for sheet in JOB_SHEETS if sheet.title not in grids]:
        raise FileError(_foreign(file, f"it has no sheet {missing[0]}"))
    tables = {sheet: _Table(file, sheet, grids[sheet.title]) for sheet in JOB_SHEETS}
    rows = tables[Plan].filled_rows()
    if not rows:
        raise FileError(f"{file}: sheet {Plan.title} has no job")
    values = {
        column: table.column(column, rows)
        for sheet, table in tables.items()
        for column in sheet.columns
        if column in columns and (sheet is not Plan or table.has(column))
    }
    return StoredJobs(values, tables[Plan].further(rows))


def _foreign(file: str, why: str) -> str:
    return f"{file}: is no workbook made by reportgen build: {why}"


def _grids(data: bytes) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Yield the title and the rows of each sheet that has a row for each job."""
    workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        for sheet in JOB_SHEETS:
            if sheet.title in workbook.sheetnames:
                page = workbook[sheet.title]
                page.reset_dimensions()
                yield sheet.title, list(page.iter_rows(values_only=True))
    finally:
        workbook.close()


class _Table:
    """One sheet: where its header stands, and what is under it."""

    def __init__(self, file: str, sheet: type[Sheet], rows: list[tuple[Any, ...]]) -> None:
        self.file, self.sheet, self.rows = file, sheet, rows
        first = sheet.columns[0].header
        numbers = [number for number, row in enumerate(islice(rows, _LOWEST_HEADER)) if first in row]
        if not numbers:
            raise FileError(_foreign(file, f"sheet {sheet.title} has no column {first}"))
        self.header_row = numbers[0]
        self.header = [cell if isinstance(cell, str) else "" for cell in rows[self.header_row]]

    def has(self, column: Column) -> bool:
        return column.header in self.header

    def filled_rows(self) -> list[int]:
        """Return the rows that have a job: its name, else its model."""
        names = [self._at(column) for column in self.sheet.columns[:2]]
        rows = range(self.header_row + 1, len(self.rows))
        return [row for row in rows if any(_cell(self.rows[row], at) not in (None, "") for at in names)]

    def column(self, column: Column, rows: Iterable[int]) -> Array:
        at = self._at(column)
        cells = [_cell(self.rows[row], at) if row < len(self.rows) else None for row in rows]
        if column.unit in (TEXT, YES_NO) and column.sheet is Plan:
            return np.array([_text(cell) for cell in cells], dtype=object)
        numbers = [self._number(column, cell, at, row) for cell, row in zip(cells, rows, strict=True)]
        return np.array(numbers, dtype=np.float64)

    def further(self, rows: list[int]) -> dict[str, tuple[str, ...]]:
        known = {column.header for column in self.sheet.columns}
        return {
            name: tuple(_text(_cell(self.rows[row], at)) for row in rows)
            for at, name in enumerate(self.header)
            if name and name not in known
        }

    def _at(self, column: Column) -> int:
        if not self.has(column):
            raise FileError(_foreign(self.file, f"sheet {self.sheet.title} has no column {column.header}"))
        return self.header.index(column.header)

    def _number(self, column: Column, cell: object, at: int, row: int) -> float:
        """Return a number; NaN for an empty input and for the word that stands where there is no figure."""
        match cell:
            case bool() | int() | float():
                return float(cell)
            case datetime():
                return float((cell.date() - DAY_ZERO).days)
            case date():
                return float((cell - DAY_ZERO).days)
            case None | "" if column.definition is None:
                return float("nan")
            case str() if cell and cell == column.absent:
                return float("nan")
        place = f"{self.file}: {self.sheet.title}!{get_column_letter(at + 1)}{row + 1}"
        if cell is None:
            raise FileError(f"{place}: holds no value; open the workbook in a spreadsheet program and save it")
        raise FileError(f"{place}: found {cell!r}; expected a number")


def _cell(row: tuple[Any, ...], at: int) -> Any:  # noqa: ANN401 - whatever a cell may hold
    return row[at] if at < len(row) else None


def _text(cell: object) -> str:
    """Return a cell as the text that a plan would hold: a whole number has no point, a day is ISO 8601."""
    match cell:
        case None:
            return ""
        case bool():
            return "yes" if cell else "no"
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime() if cell.time() == datetime.min.time():
            return cell.date().isoformat()
    return str(cell)
