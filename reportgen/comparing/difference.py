"""What differs between two states of a plan: jobs by name and order, inputs by column, figures by amount."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reportgen.comparing.snapshot import FIGURES, FOLLOWED, GIVEN, LONE_FIGURES, TOTALS, Snapshot, Value
from reportgen.expression import Column

_NOISE: Final = 1e-12
"""By what part two fractions may differ that different programs computed; whole numbers may not."""

Key = tuple[str, int]
"""A job's name, and the how manieth of that name it is."""


@dataclass(frozen=True)
class Move:
    """One figure or input in both states."""

    column: Column
    old: Value
    new: Value


@dataclass(frozen=True)
class LoneJob:
    """A job that only one state has, with its figures; ``number`` counts jobs of one name from 1."""

    job: str
    number: int
    figures: tuple[tuple[Column, Value], ...]


@dataclass(frozen=True)
class ChangedJob:
    """A job that both states have: what it was given, what the catalogues say of it, what it comes to.

    ``followed`` is empty where an input changed: what the catalogues say then follows from that.
    """

    job: str
    number: int
    given: tuple[Move, ...]
    followed: tuple[Move, ...]
    figures: tuple[Move, ...]


@dataclass(frozen=True)
class Difference:
    """All that differs; added and changed jobs in the new order, removed ones in the old."""

    old: Snapshot
    new: Snapshot
    totals: tuple[Move, ...]
    added: tuple[LoneJob, ...]
    removed: tuple[LoneJob, ...]
    changed: tuple[ChangedJob, ...]

    @property
    def unchanged(self) -> int:
        """How many jobs are as they were."""
        return len(self.new.jobs) - len(self.added) - len(self.changed)

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.totals or self.added or self.removed or self.changed)


def compare(old: Snapshot, new: Snapshot) -> Difference:
    """Return what differs between two states; jobs of one name are told apart by their order."""
    before = {key: row for row, key in enumerate(numbered(old.jobs))}
    after = {key: row for row, key in enumerate(numbered(new.jobs))}
    pairs = [(key, before[key], row) for key, row in after.items() if key in before]
    return Difference(
        old,
        new,
        tuple(_moves(TOTALS, old.totals.__getitem__, new.totals.__getitem__)),
        tuple(_lone(new, key, row) for key, row in after.items() if key not in before),
        tuple(_lone(old, key, row) for key, row in before.items() if key not in after),
        tuple(_changed(old, new, pairs)),
    )


def numbered(jobs: Iterable[str]) -> Iterator[Key]:
    """Yield each name with the how manieth of that name it is, from 1."""
    seen: Counter[str] = Counter()
    for job in jobs:
        seen[job] += 1
        yield job, seen[job]


def same(one: Value, other: Value) -> bool:
    """Return whether two values are one: texts and whole numbers exactly, fractions but for the last digits."""
    if isinstance(one, str) or isinstance(other, str) or one == other:
        return one == other
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    whole = one.is_integer() and other.is_integer()
    return not whole and math.isclose(one, other, rel_tol=_NOISE)


def _lone(snapshot: Snapshot, key: Key, row: int) -> LoneJob:
    return LoneJob(*key, tuple((column, snapshot.values[column][row]) for column in LONE_FIGURES))


def _changed(old: Snapshot, new: Snapshot, pairs: Sequence[tuple[Key, int, int]]) -> Iterator[ChangedJob]:
    given = [column for column in GIVEN if column in old.values and column in new.values]
    given += dict.fromkeys((*old.own_columns, *new.own_columns))
    for key, before, after in pairs:
        inputs, followed, figures = (
            tuple(_moves(columns, old.of_job(before), new.of_job(after))) for columns in (given, FOLLOWED, FIGURES)
        )
        if inputs or figures:
            yield ChangedJob(*key, inputs, () if inputs else followed, figures)


def _moves(columns: Iterable[Column], old: Callable[[Column], Value], new: Callable[[Column], Value]) -> Iterator[Move]:
    for column in columns:
        before, after = old(column), new(column)
        if not same(before, after):
            yield Move(column, before, after)
