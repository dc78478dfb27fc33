"""What a workbook keeps from the day it was built, so that it can be calculated again in its own shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile
from typing import Any, Final

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.analysis import AsBuilt
from reportgen.calculation.bill import BillOfMaterials, GroupTotals
from reportgen.calculation.catalogues import AssumptionRows
from reportgen.calculation.comparison import TITLE as COMPARISON
from reportgen.calculation.comparison import comparison
from reportgen.calculation.ledger import Inputs, Table
from reportgen.calculation.plan import Plan
from reportgen.calculation.whatif import STEPS, Picked
from reportgen.calculation.whatif import TITLE as WHAT_IF
from reportgen.errors import FileError, Problem, Severity
from reportgen.expression import Column, Sheet
from reportgen.returned.cells import Book, Cell, Row
from reportgen.returned.inputs import Returned, ReturnedSheet, place
from reportgen.workbook.book import SPARE_ENTRIES, SPARE_JOBS
from reportgen.workbook.layout import FIRST_ROW
from reportgen.workbook.whatif import PICKED_ROW

_HARDWARE_ROW = re.compile(r"Hardware!\$[A-Z]+\$(\d{1,7})\b")
_MADE = re.compile(r"Made on (\d{4}-\d\d-\d\d) by reportgen (\S{1,40})\.")
_COST = " cost [USD]"
_SUMMARY: Final = "Summary"


@dataclass(frozen=True)
class Imprint:
    """What a workbook says of itself."""

    title: str
    day: date
    version: str


def read_imprint(book: Book) -> Imprint:
    """Return title, day and version; the first day there is, and no version, where the workbook does not say."""
    title, day, version = "", date.min, ""
    for row in book.rows(_SUMMARY) if _SUMMARY in book.titles else ():
        text = row.cells.get(1, Cell(None)).value
        if not isinstance(text, str):
            continue
        title = title or text
        if made := _MADE.fullmatch(text):
            day, version = _day(made[1]), made[2]
    return Imprint(title, day, version)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def read_as_built(book: Book, inputs: Inputs, returned: Returned) -> AsBuilt:
    """Return the shape of a workbook whose inputs have their nameless rows.

    Raises:
        FileError: If the workbook no longer shows it.
    """
    given: dict[Column, Array] = {}
    lines = dict(_numbers_under(book, BillOfMaterials.title, (BillOfMaterials.line, GroupTotals.group_line)))
    if len(lines) < 2:  # noqa: PLR2004 - both tables of the bill
        raise FileError(f"{book.file}: sheet {BillOfMaterials.title}: has no lines; expected a bill as build writes it")
    given |= lines
    given |= {
        column: steps
        for column, steps in _numbers_under(book, WHAT_IF, tuple(STEPS))
        if len(steps) == len(STEPS[column])
    }
    if picked := _picked_job(book):
        given[Picked.picked_job] = np.asarray(picked, dtype=object)
    spare = {
        sheet: _built_rows(book, one) - len(inputs.tables[sheet])
        for sheet, one in returned.sheets.items()
        if sheet is not AssumptionRows
    }
    return AsBuilt(_compared(book, inputs), given, spare)


def _built_rows(book: Book, returned: ReturnedSheet) -> int:
    """Return how many rows a sheet was built with, spare ones included; it must still have so many."""
    if returned.origin is None:
        raise FileError(f"{book.file}: sheet Notes: no longer says what {returned.sheet.title} was made from")
    if returned.sheet is AssumptionRows:
        return returned.origin.rows
    rows = returned.origin.rows + (SPARE_JOBS if returned.sheet is Plan else SPARE_ENTRIES)
    if rows > returned.seen:
        found = f"{returned.seen:,} rows, and {rows:,} when it was built"
        raise FileError(f"{book.file}: sheet {returned.sheet.title}: has {found}; clear rows, do not delete them")
    return rows


def with_nameless_rows(book: Book, inputs: Inputs, returned: Returned) -> Inputs:
    """Return inputs with a row for each one of the workbook up to the last that has a name.

    What stands below the rows that formulas reach is left out.
    """
    tables = {
        sheet: _stretched(table, returned.sheets[sheet], _built_rows(book, returned.sheets[sheet]))
        for sheet, table in inputs.tables.items()
    }
    return replace(inputs, tables=tables)


def beyond_reach(book: Book, returned: Returned) -> Iterator[Problem]:
    """Yield a warning for each sheet with named rows that no formula reaches."""
    for sheet, one in returned.sheets.items():
        last = FIRST_ROW + _built_rows(book, one) - 1
        if below := [row for row in one.rows if row > last]:
            found = f"{len(below):,} rows below the last that formulas reach, which do not count"
            expected = f"rows up to {last}; import and build make room"
            yield Problem(place(book.file, sheet), below[0], "", found, expected, Severity.WARNING)


def _stretched(table: Table, returned: ReturnedSheet, rows: int) -> Table:
    kept = [row for row in returned.rows if row < FIRST_ROW + rows]
    places = [row - FIRST_ROW for row in kept]
    built = returned.origin.rows if returned.origin is not None else 0
    size = max([built, *(row + 1 for row in places[-1:])])
    if size == len(table):
        return table
    nameless = sorted(set(range(size)) - set(places))
    index = np.array(places, dtype=np.intp)

    def stretch(column: Column, values: Array) -> Array:
        absent: Any = "" if values.dtype == object else np.nan
        stretched = np.full(size, absent, dtype=values.dtype)
        stretched[index] = values[: len(places)]
        for row in nameless:
            cell = returned.others.get(row + FIRST_ROW, {}).get(returned.places[column], Cell(None))
            if isinstance(cell.value, float if values.dtype != object else str):
                stretched[row] = cell.value
        return stretched

    own = {
        name: tuple(dict(zip(places, texts, strict=False)).get(row, "") for row in range(size))
        for name, texts in table.further.items()
    }
    return replace(
        table,
        lines=tuple(range(size)),
        values={column: stretch(column, values) for column, values in table.values.items()},
        further=own,
        computed={
            column: frozenset(places[row] for row in empty if row < len(places))
            for column, empty in table.computed.items()
        },
        nameless=frozenset(nameless),
    )


def _numbers_under(book: Book, title: str, columns: tuple[Column, ...]) -> Iterator[tuple[Column, Array]]:
    """Yield, for each header found in the first column of a sheet, the numbers right under it."""
    by_header: Mapping[object, Column] = {column.header: column for column in columns}
    rows = book.rows(title) if title in book.titles else iter(())
    for row in rows:
        column = by_header.get(row.cells.get(1, Cell(None)).value)
        if column is not None:
            under = takewhile(lambda number: number is not None, map(_first_number, rows))
            yield column, np.array(list(under), dtype=np.float64)


def _first_number(row: Row) -> float | None:
    value = row.cells.get(1, Cell(None)).value
    return value if isinstance(value, float) else None


def _picked_job(book: Book) -> str:
    for row in book.rows(WHAT_IF) if WHAT_IF in book.titles else ():
        if row.number >= PICKED_ROW:
            value = row.cells.get(2, Cell(None)).value
            return value if row.number == PICKED_ROW and isinstance(value, str) else ""
    return ""


def _compared(book: Book, inputs: Inputs) -> type[Sheet]:
    """Return the sheet that compares cards, with the names it was built with and the rows that its formulas name."""
    header: Mapping[int, Cell] = {}
    names: list[str] = []
    positions: list[int] = []
    hardware = next(table for sheet, table in inputs.tables.items() if sheet.title == "Hardware")
    for row in book.rows(COMPARISON) if COMPARISON in book.titles else ():
        if header:
            for column, cell in header.items():
                formula = row.cells.get(column, Cell(None)).formula or ""
                if found := _HARDWARE_ROW.search(formula):
                    names.append(str(cell.value).removesuffix(_COST))
                    positions.append(int(found[1]) - FIRST_ROW)
            break
        header = {
            column: cell
            for column, cell in sorted(row.cells.items())
            if isinstance(cell.value, str) and cell.value.endswith(_COST)
        }
    if not names or not all(0 <= position < len(hardware) for position in positions):
        raise FileError(f"{book.file}: sheet {COMPARISON}: names no cards of the hardware")
    return comparison(names, positions)
