"""What can be wrong with an input or a file, as data with a place.

ReportgenError
├── InputError   the user's data: a list of problems, each with its place
└── FileError    the file system: something cannot be read or written
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import Final

LISTED: Final = 100
"""How many problems are said in full; the others are counted."""
KEPT: Final = 1000
"""How many problems of one kind in one column are held in memory; the others are counted."""
_LONGEST_QUOTE: Final = 80


class Severity(StrEnum):
    """Whether a problem stops the work or is only said."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """One thing that is wrong, where it is, and what would be right.

    ``line`` counts lines of the file from 1; 0 stands for the file as a whole. ``record`` counts the records that hold
    anything, the header being 1; 0 where it is not known. ``more`` counts those of its kind that were found after it
    and are not kept one by one.
    """

    file: str
    line: int
    column: str
    found: str
    expected: str
    severity: Severity = Severity.ERROR
    record: int = field(default=0, compare=False)
    more: int = field(default=0, compare=False)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        word = "warning" if self.severity is Severity.WARNING else ""
        parts = ": ".join(printable(part) for part in (place, self.column, word) if part)
        record = f" (record {self.record})" if self.record not in (0, self.line) else ""
        return f"{parts}: found {printable(self.found)}; expected {printable(self.expected)}{record}"


def printable(text: str) -> str:
    """Return a text with every character that would not show, or would do something, written as its code."""
    return text if text.isprintable() else "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in text)


def quoted(text: str) -> str:
    """Return a text in quotes, cut where it is long."""
    if len(text) <= _LONGEST_QUOTE:
        return repr(text)
    return f"{text[:_LONGEST_QUOTE]!r}... ({len(text):,} characters)"


def kept(found: Iterable[Problem]) -> list[Problem]:
    """Return the first problems of a kind, the last of them with the number of those that follow."""
    stream = iter(found)
    first = list(islice(stream, KEPT))
    if more := sum(1 for _ in stream):
        first[-1] = replace(first[-1], more=more)
    return first


def listed(problems: Sequence[Problem]) -> str:
    """Return problems as lines: the first hundred, and how many there are besides."""
    lines = [str(problem) for problem in problems[:LISTED]]
    more = len(problems) - len(lines) + sum(problem.more for problem in problems)
    return "\n".join([*lines, f"... and {more:,} more"] if more else lines)


def problems_as_json(problems: Sequence[Problem]) -> str:
    """Return problems as a JSON list of objects, for programs; every one that is kept."""
    return json.dumps([asdict(problem) for problem in problems], ensure_ascii=False, indent=1) + "\n"


class ReportgenError(Exception):
    """Base of every error that is the user's to mend."""


class InputError(ReportgenError):
    """The input has problems; all of them are listed.

    ``warnings`` holds what was noticed besides.
    """

    def __init__(self, problems: list[Problem], warnings: Sequence[Problem] = ()) -> None:
        super().__init__("\n".join(filter(None, (listed(problems), listed(warnings)))))
        self.problems, self.warnings = problems, tuple(warnings)


class FileError(ReportgenError):
    """A file cannot be read or written."""
