"""What is measured and against what: each line of the tables as its runs, and the runs beside which they were made."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, TypeVar

from many_jobs import write_plan
from measuring import Measured, measure, phase

OURS: Final = "reportgen"
PEERS: Final = ("openpyxl", "XlsxWriter", "rustpy-xlsxwriter")
"""The other writers, by the names of their packages."""
MOST_JOBS: Final = {"XlsxWriter": 10_000}
"""The most jobs that a writer is given which takes hours for more, at the same time a job."""
CELLS: Final = "cells alone"
WHOLE: Final = "reportgen build"
YARDSTICK: Final = [sys.executable, "-c", "import typer"]
_Run = TypeVar("_Run")
_LONG_ENOUGH = 20.0
"""Seconds that runs take together, after which they are not repeated."""


@dataclass(frozen=True)
class Entry:
    """One line of a table; each of ``beside`` ran directly before the run of the same place."""

    name: str
    jobs: int
    runs: tuple[Measured, ...]
    beside: tuple[Measured, ...] = ()
    file_bytes: int = 0

    def figure(self, of: Callable[[Measured], float]) -> float:
        """Return the median of a figure."""
        return median(map(of, self.runs))

    def ratio(self, of: Callable[[Measured], float]) -> float:
        """Return how many times the figure beside it is: the median over the pairs."""
        return median(of(run) / of(other) for run, other in zip(self.runs, self.beside, strict=True))


def writers(jobs: int, plan: Path, folder: Path, turns: int) -> list[Entry]:
    """Measure each writer by turns with ours, then the making of the cells alone and our whole build."""
    ours, entries, target = list[Measured](), list[Entry](), folder / "ours.xlsx"
    for peer in PEERS:
        if jobs > MOST_JOBS.get(peer, jobs):
            continue
        _tell(f"{jobs:,} jobs: {peer}")
        file = folder / f"{peer}.xlsx"
        pairs = _repeated(partial(_pair, plan, target, peer, file), turns)
        before, runs = zip(*pairs, strict=True)
        entries.append(Entry(peer, jobs, runs, before, file.stat().st_size))
        ours += before
    cells = Entry(CELLS, jobs, (phase(CELLS, plan, folder / "none"),))
    build, built = whole_build(jobs, plan, folder, turns), folder / "build" / f"{plan.stem}.xlsx"
    whole = Entry(WHOLE, jobs, build.runs, file_bytes=built.stat().st_size)
    return [Entry(OURS, jobs, tuple(ours), file_bytes=target.stat().st_size), *entries, cells, whole]


def _pair(plan: Path, target: Path, peer: str, file: Path) -> tuple[Measured, Measured]:
    return phase(OURS, plan, target), phase(peer, plan, file)


def whole_build(jobs: int, plan: Path, folder: Path, turns: int) -> Entry:
    """Measure our command from its start to both files."""
    _tell(f"{jobs:,} jobs: {WHOLE}")
    out = folder / "build"

    def build() -> Measured:
        shutil.rmtree(out, ignore_errors=True)
        return measure([sys.executable, "-m", "reportgen", "build", str(plan), "--output", str(out)])

    return Entry(WHOLE, jobs, tuple(_repeated(build, turns)))


def phases(jobs: int, plan: Path, turns: int) -> list[Entry]:
    """Measure reading, calculating and the page."""
    return [one_phase(name, jobs, plan, turns) for name in ("read", "calculate", "page")]


def one_phase(name: str, jobs: int, plan: Path, turns: int) -> Entry:
    """Measure one phase of ours."""
    _tell(f"{jobs:,} jobs: {name}")
    return Entry(name, jobs, tuple(_repeated(lambda: phase(name, plan), turns)))


def fixed(folder: Path, turns: int) -> dict[str, Entry]:
    """Measure what does not grow: everything of ours with a plan of one job."""
    plan = write_plan(1, folder / "1.csv")
    ours = Entry(OURS, 1, tuple(_repeated(lambda: phase(OURS, plan, folder / "ours.xlsx"), turns)))
    entries = [ours, whole_build(1, plan, folder, turns), *phases(1, plan, turns)]
    return {entry.name: entry for entry in entries}


def start_ups(turns: int) -> list[Entry]:
    """Measure commands that should answer at once, by turns with the import of typer alone."""
    entries = []
    for arguments in (["--help"], ["--version"], ["catalog", "hardware"]):
        name = " ".join([OURS, *arguments])
        _tell(name)
        pairs = [(measure(YARDSTICK), measure([sys.executable, "-m", OURS, *arguments])) for _ in range(turns)]
        before, runs = zip(*pairs, strict=True)
        entries.append(Entry(name, 0, runs, before))
    return entries


def _repeated(run: Callable[[], _Run], turns: int) -> list[_Run]:
    """Run so often, or fewer times where runs are long."""
    began = time.monotonic()
    runs = [run()]
    while len(runs) < turns and time.monotonic() - began < _LONG_ENOUGH:
        runs.append(run())
    return runs


def _tell(what: str) -> None:
    sys.stderr.write(f"{what}\n")
