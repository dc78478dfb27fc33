"""Calculates a workbook again from its own inputs and says where it holds something else than reportgen would write."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from reportgen.calculation.checks import HOLDS
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import INPUT_SHEETS, Inputs, calculate
from reportgen.errors import FileError, Problem
from reportgen.expression import Sheet
from reportgen.progress import Progress
from reportgen.report import VERDICT_EDITED, VERDICT_FAILED, VERDICT_OK, Report
from reportgen.returned.as_built import beyond_reach, read_as_built, read_imprint, with_nameless_rows
from reportgen.returned.cells import Book, Cell, Row, Value
from reportgen.returned.comparing import Difference, Exceptions, Place, compare, same_value
from reportgen.returned.inputs import Returned, inputs_of, read_returned
from reportgen.seal import is_untouched_book
from reportgen.workbook.book import build_workbook, lay_out
from reportgen.workbook.cells import save
from reportgen.workbook.checks import AS_REPORTED, EDITED, VERDICT_ROW
from reportgen.workbook.checks import TITLE as CHECKS
from reportgen.workbook.layout import Layout, Region
from reportgen.workbook.summary import TITLE as SUMMARY
from reportgen.workbook.summary import VERDICT_ROW as SUMMARY_VERDICT_ROW

MOST_DIFFERENCES: Final = 100
"""How many are listed; the others are counted."""
_NOTES: Final = "Notes"
_REPORTED: Final = ("total", "live", "reported", "unit", "status")


@dataclass(frozen=True)
class Verification:
    """What was found: cells that differ, how many more, sheets of inputs edited since the build, warnings.

    ``version`` is that of the reportgen which made the workbook; ``untouched`` says whether nobody has saved it since.
    """

    formulas: int
    differences: tuple[Difference, ...]
    more: int
    edited: tuple[str, ...]
    warnings: tuple[Problem, ...]
    version: str
    untouched: bool


def verify(data: bytes, file: str, *, watched: bool = False) -> Verification:
    """Compare every formula and every stored value of a workbook with what its own inputs give.

    Args:
        data: The workbook.
        file: Its name, for messages.
        watched: Say on standard error how far it is, if that is a terminal.

    Raises:
        InputError: If its inputs are wrong, or not all there.
        FileError: If it is no whole workbook that ``build`` wrote.
    """
    stored = Book(data, file)
    returned = read_returned(stored)
    inputs = inputs_of(returned, file)
    edited = tuple(sheet.title for sheet in INPUT_SHEETS if _is_edited(inputs, returned, sheet))
    imprint = read_imprint(stored)
    if imprint.title == "":
        raise FileError(f"{file}: sheet {SUMMARY}: has no title; expected a workbook that reportgen build wrote")
    warnings = (*returned.warnings, *beyond_reach(stored, returned))
    inputs = replace(with_nameless_rows(stored, inputs, returned), warnings=())
    as_built = read_as_built(stored, inputs, returned)
    report = Report(calculate(inputs), imprint.title, imprint.day, imprint.version, as_built=as_built)
    written = io.BytesIO()
    save(build_workbook(report), written, imprint.day)
    expected, layout = Book(written.getvalue(), "expected"), lay_out(report)
    counted: list[int] = []
    exceptions = _exceptions(expected, stored, inputs, layout, unedited=not edited)
    rows = sum(region.rows + region.spare for region in layout.regions.values())
    with Progress("comparing", rows, watched=watched) as progress:
        found = compare(expected, stored, exceptions, counted, progress.advance)
        listed = tuple(_labelled(one, layout) for one in islice(found, MOST_DIFFERENCES))
        more = sum(1 for _ in found)
    untouched = is_untouched_book(io.BytesIO(data))
    return Verification(sum(counted), listed, more, edited, warnings, imprint.version, untouched)


def _is_edited(inputs: Inputs, returned: Returned, sheet: type[Sheet]) -> bool:
    origin = returned.sheets[sheet].origin
    return origin is not None and inputs.tables[sheet].digest != origin.digest


def _labelled(difference: Difference, layout: Layout) -> Difference:
    """Name the column of a table's cell; what stands elsewhere keeps the text in front of it."""
    for region in layout.regions.values():
        inside = region.header_row < difference.row <= region.last_row
        if region.sheet.title == difference.sheet and inside and difference.column <= len(region.sheet.columns):
            return difference._replace(label=region.sheet.columns[difference.column - 1].header)
    return difference


def _exceptions(expected: Book, stored: Book, inputs: Inputs, layout: Layout, *, unedited: bool) -> Exceptions:
    places: set[Place] = set()
    values: dict[Place, Value] = {}
    for region in layout.regions.values():
        if not region.grows:
            continue
        table = inputs.tables.get(region.sheet, inputs.plan)
        for row in _rows_without_name(region, table.nameless):
            for column, declared in enumerate(region.sheet.columns, 1):
                if isinstance(declared, Input):
                    places.add((region.sheet.title, row, column))
                else:
                    values[region.sheet.title, row, column] = ""
    reported, follow = _reported(expected, stored, unedited=unedited)
    return Exceptions({_NOTES}, places | _own_columns(layout, inputs) | reported, values | follow)


def _rows_without_name(region: Region, nameless: frozenset[int]) -> Iterator[int]:
    yield from (region.first_row + place for place in sorted(nameless))
    yield from range(region.first_row + region.rows, region.last_row + 1)


def _own_columns(layout: Layout, inputs: Inputs) -> set[Place]:
    """Return the cells of the reader's own columns, which may stand anywhere."""
    return {
        (sheet.title, row, len(sheet.columns) + 1 + position)
        for sheet, table in inputs.tables.items()
        for position in range(len(table.further))
        for row in range(layout[sheet].header_row, layout[sheet].last_row + 1)
    }


def _reported(expected: Book, stored: Book, *, unedited: bool) -> tuple[set[Place], dict[Place, Value]]:
    """Return what follows from the totals that were reported on the day of the build.

    They are compared only where no input has been edited since: then they must be the totals of today.
    """
    then = {number: cells.get(3, Cell(None)).value for number, cells in _reported_rows(stored)}
    places: set[Place] = set()
    values: dict[Place, Value] = {}
    statuses: list[str] = []
    for number, cells in _reported_rows(expected):
        now = cells.get(2, Cell(None)).value
        before = cells.get(3, Cell(None)).value if unedited else then.get(number)
        statuses.append(AS_REPORTED if same_value(now, before) else EDITED)
        values[CHECKS, number, 5] = statuses[-1]
        if not unedited:
            places.add((CHECKS, number, 3))
    verdict = _verdict(expected, statuses)
    return places, values | {(CHECKS, VERDICT_ROW, 2): verdict, (SUMMARY, SUMMARY_VERDICT_ROW, 2): verdict}


def _verdict(expected: Book, statuses: list[str]) -> str:
    checks = [row.cells.get(5, Cell(None)) for row in expected.rows(CHECKS)]
    verdicts = [cell.value for cell in checks if cell.formula is not None and cell.value not in (AS_REPORTED, EDITED)]
    if any(verdict != HOLDS for verdict in verdicts):
        return VERDICT_FAILED
    return VERDICT_EDITED if EDITED in statuses else VERDICT_OK


def _reported_rows(book: Book) -> Iterator[Row]:
    """Yield the rows of the totals as they were reported."""
    under = False
    for row in book.rows(CHECKS) if CHECKS in book.titles else ():
        texts = tuple(row.cells.get(column, Cell(None)).value for column in range(1, 6))
        if under and row.cells.get(2, Cell(None)).formula is None:
            return
        if under:
            yield row
        under = under or texts == _REPORTED
