"""The input sheets of a workbook as CSV, edited or not: found by title and header, every digit kept."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from reportgen.calculation.catalogues import AssumptionRows
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import INPUT_SHEETS, Inputs
from reportgen.calculation.plan import Plan
from reportgen.digits import all_digits
from reportgen.errors import InputError, Problem, Severity, quoted
from reportgen.expression import Column, Expression, Sheet
from reportgen.reading.canonical import csv_line, number_text, unit_of_assumption
from reportgen.reading.columns import default_of
from reportgen.reading.csv_text import normalized
from reportgen.reading.inputs import read_inputs
from reportgen.reading.marks import Mark
from reportgen.reading.tables import Source
from reportgen.returned.cells import Book, Cell, ErrorValue, Row, letters
from reportgen.returned.origins import LOWEST_HEADER, Origin, file_names, read_origins
from reportgen.units import TEXT, YES_NO

LONGEST_CSV: Final = 1 << 26
MOST_ASIDE: Final = 1_000_000
MOST_WARNINGS: Final = 100
_BELOW_ASSUMPTIONS: Final = "Constants"


@dataclass(frozen=True)
class ReturnedSheet:
    """One input sheet as CSV.

    ``rows`` are the sheet's rows that the records come from, in their order; ``others`` the rows that have no name,
    each with its cells; ``seen`` counts all rows under the header; ``header_row`` and ``places`` say where the columns
    stand.
    """

    sheet: type[Sheet]
    source: Source
    rows: tuple[int, ...]
    others: Mapping[int, Mapping[int, Cell]]
    header_row: int
    places: Mapping[Column, int]
    origin: Origin | None = None
    seen: int = 0

    def row_of(self, line: int) -> int:
        """Return the sheet's row of a line of the CSV."""
        return self.header_row if line == 1 else self._lines.get(line, 0)

    @property
    def _lines(self) -> dict[int, int]:
        records = csv.reader(io.StringIO(self.source.data.decode(), newline=""))
        next(records)
        begins, found = records.line_num + 1, {}
        for row, _ in zip(self.rows, records, strict=False):
            found[begins] = row
            begins = records.line_num + 1
        return found


@dataclass(frozen=True)
class Returned:
    """All inputs of a workbook; ``warnings`` says what does not come back as it stands there."""

    sheets: Mapping[type[Sheet], ReturnedSheet]
    warnings: tuple[Problem, ...] = ()

    def in_sheets(self, error: InputError, book: str) -> InputError:
        """Return an error whose problems are placed in the workbook instead of in its CSVs."""
        by_file = {returned.source.file: returned for returned in self.sheets.values()}

        def placed(problem: Problem) -> Problem:
            at = by_file.get(problem.file)
            if at is None:
                return problem
            return replace(problem, file=place(book, at.sheet), line=at.row_of(problem.line), record=0)

        return InputError([placed(one) for one in error.problems], [placed(one) for one in error.warnings])


def read_returned(book: Book) -> Returned:
    """Return the inputs of a workbook that ``build`` wrote.

    Raises:
        InputError: With every sheet and every header that is not there.
        FileError: If the workbook is not whole.
    """
    origins = read_origins(book)
    problems: list[Problem] = []
    warnings: list[Problem] = []
    sheets: dict[type[Sheet], ReturnedSheet] = {}
    names = file_names(origins)
    for sheet in INPUT_SHEETS:
        if sheet.title not in book.titles:
            found = f"the sheets {quoted(', '.join(book.titles))}" if book.titles else "no sheet"
            problems.append(Problem(book.file, 0, "", found, f"a sheet {sheet.title}"))
            continue
        reader = _SheetReader(book, sheet)
        problems += reader.problems
        warnings += reader.warnings
        if not reader.problems:
            sheets[sheet] = reader.returned(names[sheet], origins.get(sheet))
    if problems:
        raise InputError(problems)
    return Returned(sheets, tuple(warnings[:MOST_WARNINGS]))


def inputs_of(returned: Returned, book: str, instead: Mapping[type[Sheet], Source] | None = None) -> Inputs:
    """Return the inputs of a workbook as if its CSVs had been read.

    Args:
        returned: What the workbook holds.
        book: Its name, which stands in the place of the CSVs' in messages.
        instead: Files in place of some of its sheets.

    Raises:
        InputError: With every problem, placed in the workbook's sheets.
    """
    sources = {sheet: one.source for sheet, one in returned.sheets.items()} | dict(instead or {})
    try:
        inputs = read_inputs(sources[Plan], sources)
    except InputError as error:
        raise returned.in_sheets(error, book) from None
    return replace(inputs, warnings=(*returned.warnings, *inputs.warnings))


def place(book: str, sheet: type[Sheet]) -> str:
    """Return how problems call a sheet of a workbook."""
    return f"{book} sheet {sheet.title}"


class _SheetReader:
    """Reads one input sheet, row by row, into CSV."""

    def __init__(self, book: Book, sheet: type[Sheet]) -> None:
        self.sheet, self.file = sheet, place(book.file, sheet)
        self.columns = [column for column in sheet.columns if isinstance(column, Input)]
        self._defaults = {column: default_of(column) for column in self.columns}
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.places: dict[Column, int] = {}
        self.further: dict[str, int] = {}
        self.rows: list[int] = []
        self.others: dict[int, Mapping[int, Cell]] = {}
        self.header_row = self.seen = self._aside = 0
        self._text = io.StringIO()
        self._read(book.rows(sheet.title))

    def returned(self, name: str, origin: Origin | None) -> ReturnedSheet:
        data = self._text.getvalue().encode()
        return ReturnedSheet(
            self.sheet,
            Source(name, data, "utf-8", Mark.POINT),
            tuple(self.rows),
            self.others,
            self.header_row,
            self.places,
            origin,
            self.seen,
        )

    def _read(self, rows: Iterator[Row]) -> None:
        first = self.columns[0].header
        for row in rows:
            if self.header_row:
                if self._is_end(row):
                    break
                self._take(row)
            elif any(cell.value == first for cell in row.cells.values()):
                self._read_header(row)
            if self.problems or (not self.header_row and row.number > LOWEST_HEADER):
                break
        if not self.header_row:
            expected = f"the header {first} in one of the first {LOWEST_HEADER} rows"
            self._problem(0, "", "no header", expected)
        elif not self.rows and not self.problems:
            self._problem(self.header_row, "", "no row under the header", "at least one")

    def _problem(self, row: int, column: str, found: str, expected: str) -> None:
        self.problems.append(Problem(self.file, row, column, found, expected))

    def _warn(self, row: int, column: str, found: str, expected: str) -> None:
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(Problem(self.file, row, column, found, expected, Severity.WARNING))

    def _read_header(self, row: Row) -> None:
        self.header_row = row.number
        known = {column.header: column for column in self.sheet.columns}
        seen: dict[str, int] = {}
        for position, cell in sorted(row.cells.items()):
            name = cell.value.strip() if isinstance(cell.value, str) else ""
            if not name:
                continue
            if normalized(name) in seen:
                found = f"the header in columns {letters(seen[normalized(name)])} and {letters(position)}"
                self._problem(row.number, name, found, "each header once")
            seen[normalized(name)] = position
            if name in known:
                self.places[known[name]] = position
            else:
                self.further[name] = position
        for column in self.columns:
            if column not in self.places:
                self._problem(row.number, column.name, "no such header", f"a column with the header {column.header}")
        self._text.write(csv_line([*(column.name for column in self.columns), *self.further]))

    def _is_end(self, row: Row) -> bool:
        return self.sheet is AssumptionRows and self._cell(row, self.columns[0]).value == _BELOW_ASSUMPTIONS

    def _cell(self, row: Row, column: Column) -> Cell:
        return row.cells.get(self.places[column], Cell(None))

    def _take(self, row: Row) -> None:
        self.seen += 1
        if self._cell(row, self.columns[0]).value in (None, ""):
            self._set_aside(row)
            self._warn_nameless(row)
            return
        name = self._cell(row, self.columns[0]).value
        texts = [self._text_of(row, column, str(name)) for column in self.columns]
        own = [self._own_text(row, name, position) for name, position in self.further.items()]
        self.rows.append(row.number)
        self._text.write(csv_line([*texts, *own]))
        if self._text.tell() > LONGEST_CSV:
            self._problem(row.number, "", "more text than a plan has", f"at most {LONGEST_CSV:,} characters")

    def _set_aside(self, row: Row) -> None:
        held = {at: row.cells[at] for at in self.places.values() if at in row.cells and row.cells[at].value is not None}
        self._aside += len(held)
        if self._aside > MOST_ASIDE:
            self._problem(row.number, self.columns[0].name, f"more than {MOST_ASIDE:,} cells without one", "a name")
        self.others[row.number] = held

    def _warn_nameless(self, row: Row) -> None:
        """Say what stands in a row without a name and is more than what spare rows hold."""
        for column in self.columns:
            cell = self._cell(row, column)
            if cell.formula is None and cell.value not in (None, "", self._defaults[column]):
                name = self.columns[0].name
                found = f"{quoted(self._shown(cell.value))} in a row without {name}, which does not count"
                self._warn(row.number, column.name, found, f"a {name}, or an empty row")
                return

    def _text_of(self, row: Row, column: Input, name: str) -> str:
        cell = self._cell(row, column)
        if cell.formula is not None:
            if isinstance(column.default, Expression) and is_default(cell.formula, row.number):
                return ""
            held = "no value" if cell.value is None else f"the value {quoted(self._shown(cell.value))}"
            self._warn(row.number, column.name, f"a formula of your own with {held}", "a value; that one is taken")
        if not isinstance(cell.value, float) or isinstance(cell.value, bool):
            return self._shown(cell.value)
        if self.sheet is AssumptionRows:
            return number_text(cell.value, unit_of_assumption(name))
        return number_text(cell.value, "1" if column.unit in (TEXT, YES_NO) else column.unit)

    def _own_text(self, row: Row, name: str, position: int) -> str:
        cell = row.cells.get(position, Cell(None))
        if isinstance(cell.value, ErrorValue):
            self._warn(row.number, name, f"the error {cell.value}", "a text; the error's name is taken")
        return self._shown(cell.value)

    @staticmethod
    def _shown(value: object) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            return all_digits(value)
        return value if isinstance(value, str) else ""


def is_default(formula: str, row: int) -> bool:
    """Return whether a formula in an input column is the one that stands for an empty cell."""
    return formula.replace(" ", "").startswith(f'IF($A{row}="","",')
