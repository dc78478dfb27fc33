"""A grid from its file to the rows of a plan: what the rules allow, a condition keeps and a ranking puts first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final, TextIO, Unpack

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import LARGEST_EXACT_BYTES
from reportgen.calculation.plan import Plan
from reportgen.errors import FileError, Problem
from reportgen.expression import Number
from reportgen.files import pieces_writer, read_source, write_together
from reportgen.parquet import parquet_writer
from reportgen.progress import Progress
from reportgen.reading.csv_text import MOST_ROWS
from reportgen.reading.rules import PLAN_RULES, Rule
from reportgen.sources import FilePath, Reading
from reportgen.sweeping.asked import Asked, read_asked
from reportgen.sweeping.rows import PlanRows
from reportgen.sweeping.space import BLOCK, Block

RULES: Final = (
    *PLAN_RULES,
    Rule(
        Calculation.training_footprint_bytes > Number(LARGEST_EXACT_BYTES, "byte"),
        Plan.parameters,
        "a state too large for exact figures",
        f"at most {LARGEST_EXACT_BYTES / 1e12:,.0f} TB of it",
    ),
)
"""What forbids a combination: what does in a plan, and what refuses to be calculated."""

_WRITTEN: Final = 1 << 16
"""Rows that are made at once."""


@dataclass
class Outcome:
    """What came of a sweep: how many combinations there are, are kept, and are left out for which reason."""

    combinations: int
    warnings: tuple[Problem, ...] = ()
    kept: int = 0
    left_out: Counter[Rule] = field(default_factory=Counter)
    ranked_by: str = ""
    unranked: int = 0
    seconds: float = 0.0

    def lines(self) -> list[str]:
        """Return it in words."""
        rate = self.combinations / max(self.seconds, 1e-3)
        parts = (
            f"{self.combinations:,} combinations",
            f"{self.kept:,} kept",
            f"{self.left_out.total():,} left out by rules",
            f"{self.seconds:.1f} s",
            f"{rate:,.0f} a second",
        )
        lines = [", ".join(parts)]
        lines += [
            f"left out {times:,}: {rule.column.name}: found {rule.found}; expected {rule.expected}"
            for rule, times in self.left_out.items()
        ]
        if self.unranked:
            lines.append(f"left out {self.unranked:,}: no {self.ranked_by} to rank by")
        if self.kept > MOST_ROWS:
            lines.append(f"one workbook holds at most {MOST_ROWS:,} jobs; a narrower condition or [best] keeps fewer")
        return lines


def sweep(
    grid: FilePath,
    output: FilePath | TextIO,
    *,
    force: bool = False,
    watched: bool = False,
    block: int = BLOCK,
    **reading: Unpack[Reading],
) -> Outcome:
    """Write the combinations of a grid that its condition keeps and its ranking puts first, as a plan.

    Args:
        grid: A TOML file with the values of the plan's columns; ``-`` for standard input.
        output: Where to write: Parquet where it ends so, else CSV; or an open file that takes the CSV.
        force: Replace a file that is there already.
        watched: Say on standard error how far it is, if that is a terminal.
        block: How many combinations are looked at together: memory against speed, and nothing else.
        reading: The catalogues, as for ``read_plan``.

    Raises:
        InputError: If anything in the grid or the catalogues is wrong; it lists every problem.
        FileError: If a file cannot be read or written.
    """
    target = Path(output) if isinstance(output, str | Path) else None
    if target is not None and target.is_file() and not force:
        raise FileError(f"{target}: is there already; --force replaces it")
    asked = read_asked(*read_source(grid), reading, block)
    rows, outcome = PlanRows(asked.axes), Outcome(len(asked.space), asked.warnings)
    with Progress("sweep", outcome.combinations, "combinations", watched=watched) as progress:
        found = _found(asked, outcome, progress)
        if isinstance(output, str | Path):
            _write(Path(output), rows, found, force=force)
        else:
            output.writelines(_lines(rows, found))
        outcome.seconds = progress.seconds
    return outcome


def _write(target: Path, rows: PlanRows, found: Iterator[Array], *, force: bool) -> None:
    if target.suffix.lower() == ".parquet":
        write = parquet_writer(Plan.job.name, rows.texts, map(rows.places, found))
    else:
        write = pieces_writer(_lines(rows, found))
    write_together({target: write}, force=force)


def _lines(rows: PlanRows, found: Iterator[Array]) -> Iterator[str]:
    return chain([rows.header], map(rows.lines, found))


def _found(asked: Asked, outcome: Outcome, progress: Progress) -> Iterator[Array]:
    """Yield the numbers of what is kept, some at a time; what is left out is counted."""
    best = asked.best
    for block in asked.space.blocks():
        kept = _kept(block, asked, outcome)
        if best is not None:
            best.offer(block, kept)
        elif kept.any():
            numbers = np.flatnonzero(block.spread(kept)) + block.start
            outcome.kept += len(numbers)
            yield from _pieces(numbers)
        progress.advance(block.size)
    if best is not None:
        numbers, outcome.unranked, outcome.ranked_by = best.numbers(), best.unranked, best.score.name
        outcome.kept = len(numbers)
        yield from _pieces(numbers)


def _kept(block: Block, asked: Asked, outcome: Outcome) -> Array:
    """Return what no rule forbids and the condition keeps; each combination counts for the first rule it breaks."""
    kept: Array = np.ones((1,) * len(block.slices), dtype=bool)
    for rule in RULES:
        wrong = kept & (block.figures(rule.wrong) == 1)
        if times := block.times(wrong):
            outcome.left_out[rule] += times
            kept = kept & ~wrong
    return kept if asked.condition is None else kept & (block.figures(asked.condition) == 1)


def _pieces(numbers: Array) -> list[Array]:
    return np.array_split(numbers, len(numbers) // _WRITTEN + 1)
