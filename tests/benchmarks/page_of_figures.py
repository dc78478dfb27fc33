"""The figures as Markdown: the page of all tables, and the short table of the README."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Final

from entries import CELLS, OURS, WHOLE, Entry
from measuring import Measured

HEAD: Final = """\
# How fast it is

`make benchmark` measures and writes this page; `make benchmark JOBS="1000 10000"` chooses the sizes. Every figure is of
a process of its own, measured from outside. Short runs are repeated up to five times, and the median is shown. Ours and
another writer run by turns, and each ratio is that of a pair.
"""

WRITERS: Final = """\
## Writing the same cells

Each writer gets the cells of our job sheets, from our own report: header, formulas, values, number formats. Its time
begins when the figures are there. Ours covers the building and saving of the whole workbook, with all its other sheets,
styles, notes, lists and charts. The others get number formats and no other style.

- openpyxl writes in its write-only mode, which has no place for a formula's value.
- XlsxWriter writes in constant memory and is given every value. It goes over each formula with some thirty patterns:
  a hundred thousand jobs would take hours, at the same time a job, so it is given ten thousand at most.
- rustpy-xlsxwriter fills each formula down by itself. It stores no value of a formula and leaves empty cells out.
- “Cells alone” makes the text of every formula and every value and writes nothing. openpyxl and XlsxWriter include it.
"""

PHASES: Final = """\
## Phases

Without the start of Python and the phases before. The yardstick of the calculation is numpy writing as many arrays of
that length as the ledger has results, once, in the same process.
"""

START: Final = """\
## Start

Whole processes, by turns with `python -c "import typer"`.
"""

GROWTH: Final = """\
## Growth

CPU for each job, from the smallest to the largest size, after what one job alone takes is taken off; and what the
writer adds to the memory that the figures hold. At the smallest size little is left after that: these figures are the
least certain of the page.
"""

LABELS: Final = {
    OURS: "reportgen, the whole workbook",
    "openpyxl": "openpyxl, write-only, no values",
    "XlsxWriter": "XlsxWriter, constant memory, with values",
    "rustpy-xlsxwriter": "rustpy-xlsxwriter (Rust), no values",
    CELLS: "cells alone, nothing written",
    WHOLE: "`reportgen build`, whole process, with the page",
    "read": "read the plan",
    "calculate": "calculate the ledger",
    "page": "render the page",
}


@dataclass(frozen=True)
class Figures:
    """All that was measured; ``fixed`` is a plan of one job, where there is growth to say."""

    machine: str
    minutes: float
    writers: Mapping[int, list[Entry]]
    phases: list[Entry]
    starts: list[Entry]
    small_build: Entry
    fixed: Mapping[str, Entry]


def page(figures: Figures) -> str:
    """Return the whole page."""
    ran = f"Measured {figures.machine} The run took {figures.minutes:.0f} minutes."
    parts = [HEAD, ran, WRITERS, *("\n".join(_writers(entries)) for entries in figures.writers.values())]
    parts += [PHASES, "\n".join(_phases(figures.phases)), START, "\n".join(_starts(figures))]
    if len(figures.writers) > 1:
        parts += [GROWTH, "\n".join(_growth(figures))]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def short(figures: Figures) -> str:
    """Return the table of the README: the time of each writer as a multiple of ours, with memory and size."""
    lines = list(_table("jobs", "writer", "CPU s", "times ours", "wall s", "times ours", "peak MB", "file MB"))
    for jobs, entries in figures.writers.items():
        for one in entries:
            if one.name not in (CELLS, WHOLE):
                taken = [
                    shown
                    for of in (_cpu, _wall)
                    for shown in (_number(one.figure(of)), _number(one.ratio(of)) if one.beside else "1")
                ]
                lines.append(_line(f"{jobs:,}", LABELS[one.name], *taken, _peak(one), _mb(one.file_bytes)))
    return "\n".join([*lines, "", figures.machine])


def _writers(entries: list[Entry]) -> Iterator[str]:
    said = next(entry for entry in entries if entry.name == CELLS).runs[0].said
    yield f"{entries[0].jobs:,} jobs: {said['cells']:,.0f} cells, {said['formulas']:,.0f} of them formulas."
    yield ""
    yield from _table(
        "writer", "CPU s", "wall s", "CPU, times ours", "wall, times ours", "whole process, CPU s", "peak MB",
        "writer adds MB", "file MB", "runs",
    )  # fmt: skip
    for one in entries:
        times = [_number(one.ratio(_cpu)), _number(one.ratio(_wall))] if one.beside else ["", ""]
        taken = [_number(one.figure(_cpu)), _number(one.figure(_wall)), *times, _number(one.figure(_whole_cpu))]
        added = "" if one.name == WHOLE else _mb(one.figure(_added))
        size = _mb(one.file_bytes) if one.file_bytes else ""
        yield _line(LABELS[one.name], *taken, _peak(one), added, size, str(len(one.runs)))


def _phases(entries: list[Entry]) -> Iterator[str]:
    yield from _table("phase", "jobs", "CPU s", "wall s", "µs of CPU a job", "times numpy", "peak MB", "runs")
    for one in entries:
        cpu = one.figure(_cpu)
        times = _number(one.figure(_over_yardstick)) if "yardstick" in one.runs[0].said else ""
        taken = [_number(cpu), _number(one.figure(_wall)), _number(cpu / one.jobs * 1e6), times]
        yield _line(LABELS[one.name], f"{one.jobs:,}", *taken, _peak(one), str(len(one.runs)))


def _starts(figures: Figures) -> Iterator[str]:
    yield from _table("command", "CPU s", "wall s", "CPU, times typer", "wall, times typer", "peak MB", "runs")
    for one in figures.starts:
        taken = [_number(one.figure(_whole_cpu)), _number(one.figure(_whole_wall))]
        times = [_number(one.ratio(_whole_cpu)), _number(one.ratio(_whole_wall))]
        yield _line(f"`{one.name}`", *taken, *times, _peak(one), str(len(one.runs)))
    build = figures.small_build
    taken = [_number(build.figure(_whole_cpu)), _number(build.figure(_whole_wall)), "", ""]
    yield _line(f"`{WHOLE}`, {build.jobs} jobs", *taken, _peak(build), str(len(build.runs)))


def _growth(figures: Figures) -> Iterator[str]:
    every = [*chain.from_iterable(figures.writers.values()), *figures.phases]
    yield from _table("what", "jobs", "µs a job", "jobs", "µs a job", "times", "writer adds MB", "writer adds MB")
    for name in (OURS, WHOLE, "read", "calculate", "page"):
        sizes = [one for one in every if one.name == name]
        least, most = min(sizes, key=_jobs), max(sizes, key=_jobs)
        each = [_each(one, figures.fixed[name]) for one in (least, most)]
        added = [_mb(one.figure(_added)) for one in (least, most)] if name == OURS else ["", ""]
        shown = [f"{least.jobs:,}", _number(each[0]), f"{most.jobs:,}", _number(each[1])]
        yield _line(LABELS[name], *shown, _number(each[1] / each[0]), *added)


def _each(one: Entry, fixed: Entry) -> float:
    return (one.figure(_cpu) - fixed.figure(_cpu)) / one.jobs * 1e6


def _table(*heads: str) -> Iterator[str]:
    yield _line(*heads)
    yield _line(*("---" if head in ("writer", "phase", "command", "what") else "---:" for head in heads))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _number(value: float) -> str:
    """Return three digits, or all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}"


def _mb(value: float) -> str:
    return _number(value / 1e6)


def _peak(entry: Entry) -> str:
    return _mb(max(run.peak for run in entry.runs))


_jobs: Final[Callable[[Entry], int]] = attrgetter("jobs")
_cpu: Final[Callable[[Measured], float]] = attrgetter("cpu")
_wall: Final[Callable[[Measured], float]] = attrgetter("wall")
_whole_cpu: Final[Callable[[Measured], float]] = attrgetter("whole_cpu")
_whole_wall: Final[Callable[[Measured], float]] = attrgetter("whole_wall")
_added: Final[Callable[[Measured], float]] = attrgetter("added")


def _over_yardstick(run: Measured) -> float:
    return run.cpu / run.said["yardstick"]
