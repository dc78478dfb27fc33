"""From bytes to records with their places; knows CSV, not what the columns mean."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reportgen.errors import Problem

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LONGEST_CELL = 32_767
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SIGNATURES = {
    b"pk\x03\x04": "a zip file such as an xlsx",
    b"\xd0\xcf\x11\xe0": "a workbook of an old Excel",
    b"%pdf": "a PDF",
    b"<!doctype": "a page",
    b"<html": "a page",
}
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}


@dataclass(frozen=True)
class Records:
    """The header and the rows of one CSV file; ``lines`` holds the line on which each row begins."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


def normalized(header: str) -> str:
    """Return a header as it is compared: without regard to case, width forms, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "_", unicodedata.normalize("NFKC", header).strip().casefold()).strip("_")


def read_records(data: bytes, file: str, known_headers: Iterable[str]) -> tuple[Records | None, list[Problem]]:
    """Return the records of a CSV file and the problems of its shape.

    Args:
        data: The file, UTF-8 with or without byte order mark.
        file: Its name, for problems only.
        known_headers: Headers that tell the delimiter: the one that splits the first line into most of them.
    """
    try:
        text = _decoded(data)
        numbered = list(_numbered(text, _delimiter(text, known_headers)))
    except _MalformedError as error:
        return None, [Problem(file, error.line, "", error.found, error.expected)]
    if not numbered:
        return None, [Problem(file, 0, "", "an empty file", "a header line and at least one row")]
    (first, header), *rows = numbered
    problems = [*_header_problems(file, first, header, rows)]
    for line, row in rows:
        if len(row) != len(header):
            problems.append(Problem(file, line, "", f"{len(row)} cells", f"{len(header)}, as in the header"))
        for name, cell in zip(header, row, strict=False):
            problems += (Problem(file, line, name, found, expected) for found, expected in _cell_problems(cell))
    if not rows:
        problems.append(Problem(file, first, "", "no row under the header", "at least one row"))
    if problems:
        return None, problems
    kept = [position for position, name in enumerate(header) if name]
    return Records(
        header=tuple(header[position] for position in kept),
        rows=tuple(tuple(row[position] for position in kept) for _, row in rows),
        lines=tuple(line for line, _ in rows),
    ), []


def _cell_problems(cell: str) -> Iterator[tuple[str, str]]:
    if forbidden := _FORBIDDEN.search(cell):
        yield f"the character U+{ord(forbidden.group()):04X}", "text that a workbook can hold"
    if len(cell) > _LONGEST_CELL // 2 and len(cell.encode("utf-16-le")) > 2 * _LONGEST_CELL:
        yield f"a text of {len(cell):,} characters", f"at most {_LONGEST_CELL:,}, as many as a cell of a workbook holds"


class _MalformedError(Exception):
    def __init__(self, line: int, found: str, expected: str) -> None:
        super().__init__(found)
        self.line, self.found, self.expected = line, found, expected


def _decoded(data: bytes) -> str:
    for signature, kind in _SIGNATURES.items():
        if data.lstrip().lower().startswith(signature):
            raise _MalformedError(0, kind, "a CSV file")
    encoding = "utf-16" if data.startswith(_UTF_16_MARKS) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{data[error.start]:02x} at offset {error.start}"
        raise _MalformedError(line, found, "text in UTF-8") from None


def _delimiter(text: str, known_headers: Iterable[str]) -> str:
    first_line = next(iter(text.lstrip().splitlines()), "")
    known = set(known_headers)
    return max(
        _DELIMITERS, key=lambda mark: sum(normalized(cell.strip('"')) in known for cell in first_line.split(mark))
    )


def _numbered(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the records that hold anything, each with the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        unclosed = "unexpected end of data" in str(error)
        found = "a quote that is never closed" if unclosed else "a quote inside a cell"
        raise _MalformedError(begins, found, "every quote closed before the next comma or line end") from None


def _header_problems(file: str, line: int, header: list[str], rows: list[tuple[int, list[str]]]) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for position, name in enumerate(header, 1):
        if not name:
            for row_line, row in rows:
                if len(row) >= position and row[position - 1]:
                    found = f"{row[position - 1]!r} in column {position}, which has no name"
                    yield Problem(file, row_line, "", found, "a header above every value")
                    break
        elif normalized(name) in seen:
            found = f"the header twice, in columns {seen[normalized(name)]} and {position}"
            yield Problem(file, line, name, found, "each header once")
        else:
            seen[normalized(name)] = position
