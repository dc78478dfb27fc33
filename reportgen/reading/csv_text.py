"""From bytes to records with their places; knows CSV, not what the columns mean."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress, count, islice
from operator import is_
from typing import Final, TypeAlias

from reportgen.errors import Problem, Severity, kept, quoted
from reportgen.reading.decoding import UnreadableError, decoded

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ALLOWED_IN_ASCII: Final = bytes(code for code in range(128) if not _FORBIDDEN.match(chr(code)))
_LONGEST_CELL: Final = 32_767
MOST_ROWS: Final = 1_000_000
"""Rows of one file, so that a sheet of a workbook holds them."""
MOST_COLUMNS: Final = 16_000
_DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_DECLARED = re.compile(r'"?sep=([,;\t|])"?(?:\r\n|\r|\n)', re.IGNORECASE)
"""The line with which Excel is told the delimiter."""
_LONGEST_HEADER: Final = 1 << 20
_BATCH: Final = 1_000
"""Rows that are turned into columns at once: a hundred thousand rows at a time would keep the collector busy."""

_Row: TypeAlias = list[str]


@dataclass(frozen=True)
class Records:
    """The header and the columns of one CSV file.

    ``lines`` holds the line on which each row begins, ``header_line`` that of the header.
    """

    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    header_line: int = 1
    delimiter: str = ","

    @property
    def separators(self) -> str:
        """What divides the cells, in words."""
        return _DELIMITERS[self.delimiter]


class _Shape:
    """The records of a file as they stand, taken in by column; position 0 is the header."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.header: list[str] = []
        self.columns: list[list[str]] = []
        self.lines: list[int] = []
        self.ragged: list[tuple[int, int]] = []
        self._taken = 0
        self.known: list[dict[str, str]] = []
        """Of each column the different cells: equal ones are one object, or a long file would fill the memory."""

    def problem(self, position: int, column: str, found: str, expected: str) -> Problem:
        return Problem(self.file, self.lines[position], column, found, expected, record=position + 1)

    def take(self, rows: list[_Row]) -> None:
        """Add records; what a row lacks is empty, what it has too much is left out, and both are noted."""
        if not self.columns:
            self.header = [name.strip() for name in rows[0]]
            self.columns = [[] for _ in self.header]
            self.known = [{} for _ in self.header]
            self._taken, rows = 1, rows[1:]
        wide = len(self.header)
        if set(map(len, rows)) - {wide}:
            ragged = [(self._taken + place, len(row)) for place, row in enumerate(rows) if len(row) != wide]
            self.ragged += ragged
            rows = [(row + [""] * (wide - len(row)))[:wide] for row in rows]
        if wide > MOST_COLUMNS:
            raise UnreadableError(self.lines[0], f"{wide:,} columns", f"at most {MOST_COLUMNS:,}")
        self._taken += len(rows)
        if self._taken <= MOST_ROWS + 1:
            for column, known, cells in zip(self.columns, self.known, zip(*rows, strict=True), strict=False):
                column.extend(map(known.setdefault, cells, cells))

    def refuse_too_many(self) -> None:
        """Raise an error where there are more rows than a sheet holds: those were counted, not kept."""
        if self._taken > MOST_ROWS + 1:
            expected = f"at most {MOST_ROWS:,}, which a sheet of a workbook holds; divide the plan or keep its best"
            raise UnreadableError(self.lines[MOST_ROWS + 1], f"{self._taken - 1:,} rows", expected)


def normalized(header: str) -> str:
    """Return a header as it is compared: without regard to case, width forms, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "_", unicodedata.normalize("NFKC", header).strip().casefold()).strip("_")


def read_records(
    data: bytes, file: str, known_headers: Iterable[str], encoding: str = ""
) -> tuple[Records | None, list[Problem]]:
    """Return the records of a CSV file and the problems of its shape.

    Args:
        data: The file.
        file: Its name, for problems only.
        known_headers: Headers that tell the delimiter: the one that splits the first line into most of them.
        encoding: The file's encoding where it has no byte order mark; UTF-8 where empty.
    """
    try:
        text, doubts = decoded(data, encoding)
        if "\r" in text:  # XML knows one line end, so a carriage return would not come back from a workbook
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        delimiter, begins = _delimiter(text, known_headers)
        shape = _shape(file, text, delimiter, begins)
    except UnreadableError as error:
        return None, [Problem(file, error.line, "", error.found, error.expected, record=error.record)]
    warnings = [Problem(file, doubt.line, "", doubt.found, doubt.expected, Severity.WARNING) for doubt in doubts]
    if not shape.header:
        return None, [Problem(file, 0, "", "an empty file", "a header line and at least one row")]
    header = shape.header
    stripped = list(map(_stripped, shape.columns, shape.known))
    columns = tuple(texts for texts, _ in stripped)
    problems = kept(_ragged(shape))
    problems += kept(_header_problems(shape, header, columns))
    if _has_forbidden(text) or max(longest for _, longest in stripped) > _LONGEST_CELL // 2:
        problems += kept(_cell_problems(shape, header, columns))
    if len(shape.lines) == 1:
        problems.append(shape.problem(0, "", "no row under the header", "at least one row"))
    if problems:
        return None, problems
    named = [bool(name) for name in header]
    first, *lines = shape.lines
    header, columns = list(compress(header, named)), tuple(compress(columns, named))
    return Records(tuple(header), columns, tuple(lines), first, delimiter), warnings


def _delimiter(text: str, known_headers: Iterable[str]) -> tuple[str, int]:
    """Return the delimiter and where the records begin."""
    if declared := _DECLARED.match(text):
        return declared[1], declared.end()
    known = set(known_headers)
    firsts = {mark: _first_record(text, mark) for mark in _DELIMITERS}
    found = {mark: sum(normalized(cell) in known for cell in row) for mark, row in firsts.items()}
    return max(_DELIMITERS, key=lambda mark: (found[mark], len(firsts[mark]))), 0


def _first_record(text: str, delimiter: str) -> _Row:
    lines = io.StringIO(text.lstrip()[:_LONGEST_HEADER], newline="")
    try:
        return next(iter(csv.reader(lines, delimiter=delimiter)), [])
    except csv.Error:
        return []


def _shape(file: str, text: str, delimiter: str, start: int) -> _Shape:
    """Return the records that hold anything.

    Raises:
        UnreadableError: If a quote is out of place, or there is more than a workbook can hold.
    """
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    records = text[start:] if start else text
    lines = io.StringIO(records, newline="") if '"' in records else records.split("\n")
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    shape = _Shape(file)
    batch: list[_Row] = []
    before = begins = 2 if start else 1
    try:
        if '"' not in records:
            _take_lines(shape, reader, begins)
        for row in reader:
            if row and (row[0].strip() or any(map(str.strip, row))):
                batch.append(row)
                shape.lines.append(begins)
                if len(batch) == _BATCH:
                    shape.take(batch)
                    batch = []
            begins = before + reader.line_num
    except csv.Error as error:
        last = max(before + reader.line_num - 1, begins)
        unclosed = "unexpected end of data" in str(error)
        found = "a quote that is never closed" if unclosed else "a quote inside a cell"
        found += f" until line {last}, the last" if unclosed and last > begins else ""
        found += f" on line {last} of the record" if not unclosed and last > begins else ""
        expected = "every quote closed before the next delimiter or line end"
        raise UnreadableError(begins, found, expected, len(shape.lines) + 1) from None
    if batch:
        shape.take(batch)
    shape.refuse_too_many()
    return shape


def _take_lines(shape: _Shape, reader: Iterator[_Row], line: int) -> None:
    """Take the records of a text without quotes: each is a line."""
    while batch := list(islice(reader, _BATCH)):
        filled = [bool(row) and (row[0].strip() != "" or any(map(str.strip, row))) for row in batch]
        shape.lines += compress(count(line), filled)
        line += len(batch)
        if any(filled):
            shape.take(batch if all(filled) else list(compress(batch, filled)))


def _ragged(shape: _Shape) -> Iterator[Problem]:
    expected = f"{len(shape.header)}, as in the header on line {shape.lines[0]}"
    for position, cells in shape.ragged:
        yield shape.problem(position, "", f"{cells} cells", expected)


def _stripped(column: list[str], known: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Return the cells of a column without spaces around them, and the length of the longest; all of them are known."""
    stripped = {text: text.strip() for text in known}
    longest = max(map(len, stripped.values()), default=0)
    if all(map(is_, stripped, stripped.values())):
        return tuple(column), longest
    return tuple(map(stripped.__getitem__, column)), longest


def _has_forbidden(text: str) -> bool:
    if text.isascii():
        return bool(text.encode().translate(None, _ALLOWED_IN_ASCII))
    return _FORBIDDEN.search(text) is not None


def _header_problems(shape: _Shape, header: list[str], columns: tuple[tuple[str, ...], ...]) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for position, (name, column) in enumerate(zip(header, columns, strict=True), 1):
        if not name:
            row = next((row for row, text in enumerate(column, 1) if text), 0)
            if row:
                found = f"{quoted(column[row - 1])} in column {position}, which has no name"
                yield shape.problem(row, "", found, "a header above every value")
        elif normalized(name) in seen:
            found = f"the header twice, in columns {seen[normalized(name)]} and {position}"
            yield shape.problem(0, name, found, "each header once")
        else:
            seen[normalized(name)] = position


def _cell_problems(shape: _Shape, header: list[str], columns: tuple[tuple[str, ...], ...]) -> Iterator[Problem]:
    for name, column in zip(header, columns, strict=True):
        wrong = {text: found for text in dict.fromkeys((name, *column)) if (found := cell_problem(text))}
        if wrong:
            for position, text in enumerate((name, *column)):
                if text in wrong:
                    yield shape.problem(position, name, *wrong[text])


def cell_problem(cell: str) -> tuple[str, str] | None:
    """Return what of a text no workbook can hold, and what is expected; nothing where all can be held."""
    if forbidden := _FORBIDDEN.search(cell):
        return f"the character U+{ord(forbidden.group()):04X}", "text that a workbook can hold"
    if len(cell) > _LONGEST_CELL // 2 and len(cell.encode("utf-16-le")) > 2 * _LONGEST_CELL:
        return (
            f"a text of {len(cell):,} characters",
            f"at most {_LONGEST_CELL:,}, as many as a cell of a workbook holds",
        )
    return None
