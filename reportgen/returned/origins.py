"""What a workbook's Notes say of its inputs: the files they came from, and their digests on that day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reportgen.calculation.ledger import INPUT_SHEETS
from reportgen.digits import all_digits
from reportgen.expression import Sheet
from reportgen.returned.cells import LAST_ROW, Book, Cell, whole

LOWEST_HEADER: Final = 50
"""Rows in which a header is looked for."""
_NOTES: Final = "Notes"
_FILE_NAME = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|.][^\x00-\x1f\x7f/\\:*?\"<>|]{0,199}")
_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Origin:
    """What the workbook says of an input: the file it was made from, its rows, the digest of its one text."""

    file: str
    rows: int
    digest: str


def default_file(sheet: type[Sheet]) -> str:
    """Return the file name of an input whose own is not known."""
    return f"{sheet.title.lower().replace(' ', '_')}.csv"


def read_origins(book: Book) -> dict[type[Sheet], Origin]:
    """Return what the Notes say each input was made from; nothing where they do not."""
    by_title = {sheet.title: sheet for sheet in INPUT_SHEETS}
    origins: dict[type[Sheet], Origin] = {}
    for number, cells in book.rows(_NOTES) if _NOTES in book.titles else ():
        title, file, rows, digest = (cells.get(column, Cell(None)).value for column in range(1, 5))
        sheet = by_title.get(title) if isinstance(title, str) else None
        if sheet is not None and isinstance(file, str) and _DIGEST.fullmatch(str(digest)):
            origins.setdefault(sheet, Origin(file, _count(rows), str(digest)))
        if number > LOWEST_HEADER:
            break
    return origins


def _count(value: object) -> int:
    rows = whole(all_digits(value) if isinstance(value, float) else str(value))
    return rows if rows is not None and rows <= LAST_ROW else 0


def file_names(origins: Mapping[type[Sheet], Origin]) -> dict[type[Sheet], str]:
    """Return a file name for each input: its own, unless it leads elsewhere or another input has it."""
    names: dict[type[Sheet], str] = {}
    for sheet in INPUT_SHEETS:
        own = origins[sheet].file if sheet in origins else ""
        default = default_file(sheet)
        taken = {name.casefold() for name in names.values()}
        further = (f"{number}_{default}" for number in range(2, 2 + len(INPUT_SHEETS)))
        wanted = (*([own] if _is_sound(own) else []), default, *further)
        names[sheet] = next(name for name in wanted if name.casefold() not in taken)
    return names


def _is_sound(name: str) -> bool:
    """Return whether a name stays in its folder on every system."""
    return bool(_FILE_NAME.fullmatch(name)) and not _RESERVED.fullmatch(name) and name[-1] not in ". "
