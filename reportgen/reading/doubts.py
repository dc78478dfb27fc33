"""What is believed but said: rows that count twice, names at odds with their numbers, cards known by label only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np

from reportgen.arrays import coded
from reportgen.calculation.catalogues import Hardware
from reportgen.calculation.ledger import Table
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.errors import Problem, Severity, kept, quoted
from reportgen.expression import Column, Sheet
from reportgen.reading.csv_text import Records

_SIZE: Final = re.compile(
    r"(?<![A-Za-z0-9.,])(\d{1,5}(?:\.\d{1,3})?) ?([BMT])(?![A-Za-z0-9])", re.ASCII | re.IGNORECASE
)
"""A size in a name, such as 27B; not the 7B of 8x7B nor that of A3B."""
_Row: TypeAlias = tuple[str, ...]
_UNITS: Final = {"M": 10**6, "B": 10**9, "T": 10**12}
_APART: Final = 1.35
"""From which factor on a stated size and a count disagree; Gemma 2B has 2.51 billion."""


def doubts_of(tables: Mapping[type[Sheet], Table]) -> list[Problem]:
    """Return what is doubtful about a plan and its catalogues, as warnings."""
    plan = tables[Plan]
    doubts = [*kept(_repeated_names(plan)), *kept(_other_sizes(plan, Plan.model, Plan.parameters))]
    if Models in tables:
        doubts += kept(_other_sizes(tables[Models], Models.model, Models.parameters))
    if Hardware in tables:
        doubts += kept(_labels_only(tables[Hardware], plan))
    return doubts


def repeated_rows(file: str, records: Records) -> Iterator[Problem]:
    """Yield each row that is there more than once: each of them is a job and counts."""
    if any(len(set(column)) == len(column) for column in records.columns):
        return
    rows = list(zip(*records.columns, strict=True))
    times = Counter(rows)
    for row, (first, second) in _first_two(rows, records.lines).items():
        found = f"the row of line {first} again, {times[row]:,} times in all"
        yield _warning(file, second, "", found, f"each job once; each of the {times[row]:,} is counted")


def _repeated_names(plan: Table) -> Iterator[Problem]:
    names = list(map(str.casefold, plan.values[Plan.job].tolist()))
    if len(set(names)) == len(names):
        return
    places: dict[str, int] = {}
    first = np.array([places.setdefault(name, place) for place, name in enumerate(names)])
    again = np.flatnonzero(first < np.arange(len(first)))
    differs = np.zeros(len(again), dtype=bool)
    for values in plan.values.values():
        here, there = values[again], values[first[again]]
        differs |= (here != there) & ((here == here) | (there == there))  # noqa: PLR0124 - what has no figure is alike
    told = {names[place]: place for place in reversed(again[differs].tolist())}
    times = Counter(name for name in names if name in told)
    for name, place in told.items():
        found = f"{quoted(name)}, the name of {times[name]:,} jobs, the first on line {plan.lines[places[name]]}"
        yield _warning(plan.file, plan.lines[place], Plan.job.name, found, "a name for each; all of them are counted")


def _first_two(rows: list[_Row], lines: tuple[int, ...]) -> dict[_Row, tuple[int, int]]:
    """Return the lines of the first two of each row that comes again."""
    first: dict[_Row, int] = {}
    repeated: dict[_Row, tuple[int, int]] = {}
    for row, line in zip(rows, lines, strict=True):
        if first.setdefault(row, line) != line:
            repeated.setdefault(row, (first[row], line))
    return repeated


def _other_sizes(table: Table, model: Column, parameters: Column) -> Iterator[Problem]:
    places, names = coded(table.values[model])
    stated = [_SIZE.search(name) for name in names]
    sizes = np.array([float(size[1]) * _UNITS[size[2].upper()] if size else 0 for size in stated])[places]
    counts = table.values[parameters]
    for row in np.flatnonzero((sizes > 0) & ((counts * _APART < sizes) | (counts > _APART * sizes))).tolist():
        found, size = f"{counts[row]:,.0f} for {quoted(names[places[row]])}", stated[places[row]]
        expected = f"about {size[0] if size else 0}; the column counts"
        yield _warning(table.file, table.lines[row], parameters.name, found, expected)


def _labels_only(hardware: Table, plan: Table) -> Iterator[Problem]:
    used = Counter(plan.values[Plan.hardware].tolist())
    unknown = np.isnan(hardware.values[Hardware.reported_memory]).tolist()
    for line, card, without in zip(hardware.lines, hardware.values[Hardware.hardware].tolist(), unknown, strict=True):
        if without and used[card]:
            found = f"no memory as the driver of {quoted(card)} reports it"
            yield _warning(hardware.file, line, Hardware.reported_memory.name, found, "it; the label's memory counts")


def _warning(file: str, line: int, column: str, found: str, expected: str) -> Problem:
    return Problem(file, line, column, found, expected, Severity.WARNING)
