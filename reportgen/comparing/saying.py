"""How a difference is said: old figure, new figure, by how much, by what part. Text and page say the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from reportgen.calculation.bands import Calculation
from reportgen.calculation.sharding import Sharding
from reportgen.comparing.difference import Difference, Move
from reportgen.comparing.snapshot import Value
from reportgen.expression import Column
from reportgen.page.saying import DOES_NOT_FIT, FITS, at_a_glance, many, named, unit_shown
from reportgen.units import DATE, GB, ROW, TEXT, YES_NO
from reportgen.wording import amount, figure

NOTHING_GIVEN: Final = "No input of its own changed; what the catalogues or assumptions say did."
"""Why the figures of a job moved where it was given the same."""

EMPTY: Final = "empty"
"""An input that is not there."""

_SMALLEST_SHARE: Final = 0.0005
_MANY_TIMES: Final = 10
_NO_QUANTITY: Final = (TEXT, YES_NO, DATE, ROW)


@dataclass(frozen=True, slots=True)
class Moved:
    """A move as it is read; ``change`` and ``share`` are empty where there is nothing to subtract."""

    name: str
    label: str
    old: str
    new: str
    change: str
    share: str
    tone: str = ""


def moved(move: Move) -> Moved:
    """Return a move in words."""
    column, old, new = move.column, move.old, move.new
    label = named(column).removeprefix("total ")
    if column is Sharding.fits:
        return Moved(column.name, "verdict", _verdict(old), _verdict(new), "", "", "good" if new else "bad")
    say = said_at_a_glance if said_at_a_glance(old, column) != said_at_a_glance(new, column) else exactly
    before, after = say(old, column), say(new, column)
    if isinstance(old, str) or isinstance(new, str) or column.unit in _NO_QUANTITY or math.isnan(old + new):
        return Moved(column.name, label, before, after, "", "")
    return Moved(column.name, label, before, after, _sign(new - old) + say(abs(new - old), column), share_of(old, new))


def given(move: Move) -> Moved:
    """Return a changed input in words: exact, since somebody typed it."""
    column = move.column
    return Moved(column.name, column.name, exactly(move.old, column), exactly(move.new, column), "", "")


def exactly(value: Value, column: Column) -> str:
    """Return a value with all its digits and its unit."""
    if value == "" or (not isinstance(value, str) and math.isnan(value)):
        return column.absent or EMPTY
    if isinstance(value, str):
        return value
    if column.unit == "GB":
        return amount(float(round(value * GB)), Calculation.training_footprint_bytes)
    named_after_unit = not unit_shown(column) or (column.unit != "byte" and column.name.endswith(f"{column.unit}s"))
    return figure(value, column) if named_after_unit else amount(value, column).replace("*", "·")


def said_at_a_glance(value: Value, column: Column) -> str:
    """Return a value with as many digits as an eye takes in; bytes in GB."""
    if column is Sharding.fits:
        return _verdict(value)
    if isinstance(value, str) or math.isnan(value) or column.unit in _NO_QUANTITY or column.percent:
        return exactly(value, column)
    return f"{at_a_glance(value, column)} {unit_shown(column)}".strip()


def said_alone(value: Value, column: Column) -> str:
    """Return a value where no name stands beside it: with its unit, counts too."""
    if isinstance(value, str) or math.isnan(value) or unit_shown(column) or column.unit in _NO_QUANTITY:
        return said_at_a_glance(value, column)
    return f"{at_a_glance(value, column)} {amount(value, column).partition(' ')[2].replace('*', '·')}".strip()


def share_of(old: float, new: float) -> str:
    """Return by what part a figure moved; empty where it was nothing before, times where it grew manifold."""
    if not old:
        return ""
    part = (new - old) / abs(old)
    if part >= _MANY_TIMES:
        return f"×{at_a_glance(new / old, Calculation.training_footprint_gb)}"
    if abs(part) < _SMALLEST_SHARE:
        return f"{_sign(part)}<0.1%"
    return _sign(part) + at_a_glance(abs(part), Calculation.optimizer_share)


def _sign(number: float) -> str:
    return "+" if number > 0 else "−"


def _verdict(fits: Value) -> str:
    return FITS if fits else DOES_NOT_FIT


def counted(difference: Difference) -> str:
    """Return how many jobs are new, gone, changed, the same, in one sentence."""
    before, after = len(difference.old.jobs), len(difference.new.jobs)
    if difference.is_empty:
        return f"{many(after, 'job')}, and nothing differs."
    jobs = many(after, "job") if before == after else f"{many(before, 'job')} → {many(after, 'job')}"
    kinds = (
        (len(difference.added), "added"),
        (len(difference.removed), "removed"),
        (len(difference.changed), "changed"),
        (difference.unchanged, "as before"),
    )
    return f"{jobs}: " + ", ".join(f"{number:,} {what}" for number, what in kinds if number) + "."


def which(number: int) -> str:
    """Return which of several jobs of one name is meant; empty for the first."""
    return f"no. {number} of that name" if number > 1 else ""
