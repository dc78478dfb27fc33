"""One CSV file becomes the table of its sheet: headers known and unknown, cells read, defaults filled."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from reportgen.arrays import Array
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import INPUT_SHEETS, Table
from reportgen.calculation.models import Architectures, Models
from reportgen.calculation.plan import Plan
from reportgen.errors import Problem, Severity, kept, quoted
from reportgen.expression import Column, Expression, Sheet
from reportgen.reading.architectures import fill_from_architectures
from reportgen.reading.columns import absent_column, default_of, empty_rows, fill_default, holds_numbers, read_column
from reportgen.reading.csv_text import Records, normalized, read_records
from reportgen.reading.doubts import repeated_rows
from reportgen.reading.marks import Mark, has_marks, mark_of, mixed
from reportgen.readings import evaluate

_LIKE: Final = 0.85
"""From which likeness on an unknown header is rather a known one misspelt."""


class Source(NamedTuple):
    """A file: its name as problems show it, its bytes, and what the user says of them.

    ``encoding`` is UTF-8 and ``decimal`` is told from the file where they are empty.
    """

    file: str
    data: bytes
    encoding: str = ""
    decimal: str = ""


class _Headers:
    """What the headers of a file mean: a column of the sheet each, or one of the user's own."""

    def __init__(self, sheet: type[Sheet]) -> None:
        self.columns = [column for column in sheet.columns if isinstance(column, Input)]
        self.known = {normalized(name): column for column in self.columns for name in (column.name, *column.also)}

    def meant(self, records: Records) -> list[Input | None]:
        return [self.known.get(normalized(name)) for name in records.header]

    def problems(self, file: str, records: Records) -> Iterator[Problem]:
        meant, line = self.meant(records), records.header_line
        for column in self.columns:
            if meant.count(column) > 1:
                names = [name for name, known in zip(records.header, meant, strict=True) if known is column]
                yield Problem(file, line, column.name, f"the headers {', '.join(names)}", "one of them", record=1)
            if column.required and column not in meant:
                found = "no such column" + _nearest_header(column, records)
                yield Problem(file, line, column.name, found, "it", record=1)

    def doubts(self, file: str, records: Records) -> Iterator[Problem]:
        """Yield what is taken as a column of the user's own and looks like a slip of the pen."""
        meant = self.meant(records)
        missing = {name: one for name, one in self.known.items() if one not in meant and not one.required}
        for name in records.header:
            near = difflib.get_close_matches(normalized(name), missing, 1, _LIKE)
            if near and normalized(name) not in self.known:
                found = f"{quoted(name)}, taken as a column of your own"
                expected = f"{missing[near[0]].name}, if that is meant"
                yield Problem(file, records.header_line, name, found, expected, Severity.WARNING, 1)


_HEADERS: Final = {sheet: _Headers(sheet) for sheet in (*INPUT_SHEETS, Architectures)}


def known_headers(sheet: type[Sheet]) -> Mapping[str, Input]:
    """Return the column that each normalized header of a sheet means."""
    return _HEADERS[sheet].known


def _nearest_header(column: Input, records: Records) -> str:
    near = difflib.get_close_matches(column.name, records.header, 1)
    if near:
        return f" (nearest: {near[0]})"
    listed = quoted(", ".join(records.header[:8]) + (", ..." if len(records.header) > 8 else ""))  # noqa: PLR2004
    return f" among {listed}, which {records.separators} divide"


def read_table(
    sheet: type[Sheet], source: Source, architectures: Table | None = None
) -> tuple[Table | None, list[Problem]]:
    """Return a file's table, or none where its shape is wrong, and its problems; models may name architectures."""
    file, headers = source.file, _HEADERS[sheet]
    records, problems = read_records(source.data, file, headers.known, source.encoding)
    if records is None:
        return None, problems
    problems += [*headers.problems(file, records), *kept(headers.doubts(file, records))]
    cells: dict[Column, tuple[str, ...]] = {}
    further: dict[str, tuple[str, ...]] = {}
    for name, column, texts in zip(records.header, headers.meant(records), records.columns, strict=True):
        if column is None:
            further[name] = texts
        else:
            cells[column] = texts
    if sheet is Plan:
        problems += kept(repeated_rows(file, records))
        split_shares(cells)
    if sheet is Models and architectures is not None:
        fill_from_architectures(cells, architectures)
    values, computed, found = _read_cells(source, headers, cells, records)
    problems += found
    defaults: dict[Column, float | str] = {column: default_of(column) for column in headers.columns}
    digest = hashlib.sha256(source.data).hexdigest()
    return Table(sheet, file, digest, records.lines, values, further, defaults, computed), problems


def _read_cells(
    source: Source, headers: _Headers, cells: Mapping[Column, tuple[str, ...]], records: Records
) -> tuple[dict[Column, Array], dict[Column, frozenset[int]], list[Problem]]:
    """Return the values of each column, the rows in which its default follows from other columns, and the problems."""
    mark = _decimal_mark(source, headers, cells, records)
    values: dict[Column, Array] = {}
    computed: dict[Column, frozenset[int]] = {}
    problems: list[Problem] = []
    for column in headers.columns:
        if column in cells:
            values[column], found = read_column(source.file, column, cells[column], records.lines, mark)
            problems += found
            if holds_numbers(column):
                problems += _mixed_marks(source.file, column, cells[column], records.lines)
        else:
            values[column] = absent_column(column, len(records.lines))
        if isinstance(column.default, Expression):
            computed[column] = frozenset(empty_rows(values[column]))
            values[column] = fill_default(values[column], evaluate(column.default, values))
    return values, computed, problems


def _decimal_mark(
    source: Source, headers: _Headers, cells: Mapping[Column, tuple[str, ...]], records: Records
) -> Mark | None:
    if source.decimal:
        return Mark(source.decimal)
    numbers = (text for column in headers.columns if holds_numbers(column) for text in set(cells.get(column, ())))
    return mark_of(numbers, marked_by_locale=records.delimiter in ";\t")


def _mixed_marks(file: str, column: Input, texts: tuple[str, ...], lines: tuple[int, ...]) -> Iterator[Problem]:
    distinct = dict.fromkeys(texts)
    if has_marks(distinct) and (pair := mixed(distinct)):
        first, second = sorted(texts.index(text) for text in pair)
        found = f"{quoted(texts[second])}, and {quoted(texts[first])} on line {lines[first]}"
        expected = "one decimal mark in a column; --decimal says which"
        yield Problem(file, lines[second], column.name, found, expected, Severity.WARNING)


def split_shares(cells: dict[Column, tuple[str, ...]]) -> None:
    """Move shares such as ``5%`` from the trainable count to the trainable share, where that is empty."""
    counts = cells.get(Plan.trainable_parameters, ())
    if any(text.endswith("%") for text in set(counts)):
        shares = cells.get(Plan.trainable_share, ("",) * len(counts))
        pairs = [
            ("", count) if count.endswith("%") and not share else (count, share)
            for count, share in zip(counts, shares, strict=True)
        ]
        cells[Plan.trainable_parameters], cells[Plan.trainable_share] = zip(*pairs, strict=True)
