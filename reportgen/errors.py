"""What can be wrong with an input or a file, as data with a place.

ReportgenError
├── InputError   the user's data: a list of problems, each with its place
└── FileError    the file system: something cannot be read or written
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong, where it is, and what would be right.

    ``line`` counts lines of the file from 1; 0 stands for the file as a whole.
    """

    file: str
    line: int
    column: str
    found: str
    expected: str

    def __str__(self) -> str:
        place = ": ".join(
            part for part in (f"{self.file}:{self.line}" if self.line else self.file, self.column) if part
        )
        return f"{place}: found {self.found}; expected {self.expected}"


class ReportgenError(Exception):
    """Base of every error that is the user's to mend."""


class InputError(ReportgenError):
    """The input has problems; all of them are listed."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class FileError(ReportgenError):
    """A file cannot be read or written."""
