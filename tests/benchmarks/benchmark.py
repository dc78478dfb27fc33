"""Measures everything and writes docs/benchmarks.md and the table of README.md.

python tests/benchmarks/benchmark.py 1000 10000 100000
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from entries import fixed, one_phase, phases, start_ups, whole_build, writers
from machine import machine
from many_jobs import write_plan
from measuring import ROOT
from page_of_figures import Figures, page, short

PAGE: Final = ROOT / "docs" / "benchmarks.md"
README: Final = ROOT / "README.md"
TURNS, SMALL = 5, 50
BEYOND: Final = 10
"""The ledger alone is calculated for so many times the jobs of the largest workbook too."""


def measured(sizes: Sequence[int], folder: Path, turns: int) -> Figures:
    """Measure plans of so many jobs; short runs are repeated, and files go into the folder."""
    began = time.monotonic()
    starts = start_ups(2 * turns)
    small = whole_build(SMALL, write_plan(SMALL, folder / "small.csv"), folder, turns)
    alone = fixed(folder, turns) if len(sizes) > 1 else {}
    written, own = {}, []
    for jobs in sizes:
        plan = write_plan(jobs, folder / f"{jobs}.csv")
        written[jobs] = writers(jobs, plan, folder, turns)
        own += phases(jobs, plan, turns)
    most = BEYOND * max(sizes)
    own.append(one_phase("calculate", most, write_plan(most, folder / "most.csv"), turns))
    return Figures(machine(), (time.monotonic() - began) / 60, written, own, starts, small, alone)


def main(sizes: Sequence[int]) -> None:
    """Measure, print the page and write it into the documents."""
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(sizes, Path(folder), TURNS)
    sys.stdout.write(page(figures))
    PAGE.write_text(page(figures), encoding="utf-8", newline="\n")
    shown = f"<!-- benchmark -->\n{short(figures)}\n<!-- /benchmark -->"
    readme = README.read_text(encoding="utf-8")
    readme = re.sub(r"<!-- benchmark -->\n.*?<!-- /benchmark -->", lambda _: shown, readme, flags=re.DOTALL)
    README.write_text(readme, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
