"""What a grid asks for, from the bytes of all files: the combinations, the condition, the ranking, or every problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import TypeVar

from reportgen.calculation.ledger import given_figures
from reportgen.errors import InputError, Problem, Severity
from reportgen.expression import Column, Expression
from reportgen.reading.csv_text import MOST_ROWS
from reportgen.reading.inputs import read_catalogues
from reportgen.sources import Reading, all_catalogues, given_catalogues
from reportgen.sweeping.axes import Axis, read_axes
from reportgen.sweeping.conditions import condition_of, ranked_by
from reportgen.sweeping.grid import Ranking, read_grid
from reportgen.sweeping.ranking import Best
from reportgen.sweeping.space import Space

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Asked:
    """A grid that is understood: all of it is kept without a condition, in its own order without a ranking."""

    axes: list[Axis]
    space: Space
    condition: Expression | None
    best: Best | None
    warnings: tuple[Problem, ...]


def read_asked(file: str, data: bytes, reading: Reading, block: int) -> Asked:
    """Return what a grid asks for.

    Args:
        file: The grid's name, for problems only.
        data: The grid.
        reading: The catalogues, as for ``read_plan``.
        block: How many combinations are looked at together.

    Raises:
        InputError: With everything that is wrong with the grid and the catalogues.
        FileError: If a catalogue cannot be read.
    """
    grid, problems = read_grid(file, data)
    tables, assumptions, found = read_catalogues(all_catalogues(given_catalogues(reading)))
    problems += found
    axes, found = read_axes(grid, tables)
    problems += found
    condition = _tried(lambda: condition_of(grid.where, file), problems) if grid.where.strip() else None
    ranking = grid.best
    score = _tried(lambda: ranked_by(ranking.by, file), problems) if ranking is not None else None
    ordered = sorted(set(problems))
    warnings = tuple(problem for problem in ordered if problem.severity is Severity.WARNING)
    if len(warnings) < len(ordered):
        raise InputError([problem for problem in ordered if problem.severity is Severity.ERROR], warnings)
    space = Space(axes, given_figures(tables, assumptions), block)
    best = _best(file, space, ranking, *score) if ranking is not None and score is not None else None
    return Asked(axes, space, condition, best, warnings)


def _tried(call: Callable[[], _Result], problems: list[Problem]) -> _Result | None:
    try:
        return call()
    except InputError as error:
        problems += error.problems
        return None


def _best(file: str, space: Space, ranking: Ranking, score: Column, largest: bool) -> Best:
    per = [place for place, axis in enumerate(space.axes) if axis.column in ranking.per]
    kept = min(prod(space.shape[place] for place in per) * ranking.top, len(space))
    if kept > MOST_ROWS:
        expected = f"at most {MOST_ROWS:,}, as many as a workbook holds"
        raise InputError([Problem(file, 0, "best", f"a ranking of {kept:,} combinations", expected)])
    return Best(score, space.shape, per, ranking.top, largest=largest)
