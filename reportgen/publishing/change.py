"""What changed in a plan since it was built before, from the ledgers and the totals of both builds."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from typing import Final

from reportgen.calculation.totals import Totals
from reportgen.comparing.difference import Move as MovedTotal
from reportgen.comparing.difference import numbered, same
from reportgen.comparing.saying import moved
from reportgen.comparing.snapshot import TOTALS
from reportgen.page.saying import many
from reportgen.publishing.state import Change, Move

_SAID: Final = 4
"""Moves that the feed says; it counts the others."""

_FOREMOST: Final = (
    Totals.jobs_that_do_not_fit,
    Totals.total_planned_cards,
    Totals.total_nodes,
    Totals.total_training_footprint_gb,
    Totals.total_rental_cost,
    Totals.total_purchase_cost,
    Totals.total_card_hours,
)
"""Totals that are said first."""


def change_since(
    day: str, old_csv: str, new_csv: str, old_totals: Mapping[str, float | None], new_totals: Mapping[str, float | None]
) -> Change:
    """Return what changed between two builds of a plan.

    Args:
        day: Day of the former build.
        old_csv: Its ledger; empty where it is not there any more.
        new_csv: The ledger now.
        old_totals: Its totals by name.
        new_totals: The totals now.
    """
    added, removed, changed = _jobs(old_csv, new_csv) if old_csv else (0, 0, 0)
    return Change(day, added, removed, changed, tuple(_moves(old_totals, new_totals)))


def _moves(old: Mapping[str, float | None], new: Mapping[str, float | None]) -> list[Move]:
    found = []
    for column in dict.fromkeys((*_FOREMOST, *TOTALS)):
        if column.name in old and column.name in new:
            before, after = _number(old[column.name]), _number(new[column.name])
            if not same(before, after):
                said = moved(MovedTotal(column, before, after))
                found.append(Move(said.label, said.old, said.new, said.change, said.share))
    return found


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _jobs(old: str, new: str) -> tuple[int, int, int]:
    """Return how many jobs are new, gone, changed; a column that one ledger lacks counts for nothing."""
    before, after = _rows(old), _rows(new)
    shared = [(before[key], row) for key, row in after.items() if key in before]
    changed = sum(any(row[name] != other[name] for name in row.keys() & other.keys()) for row, other in shared)
    return len(after) - len(shared), len(before) - len(shared), changed


def _rows(text: str) -> dict[tuple[str, int], dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    return dict(zip(numbered(row.get("job", "") for row in rows), rows, strict=True))


def jobs_in_words(change: Change) -> str:
    """Return how many jobs are new, gone, changed; empty where none is."""
    kinds = ((change.added, "added"), (change.removed, "removed"), (change.changed, "changed"))
    (first, what), *rest = [(number, kind) for number, kind in kinds if number] or [(0, "")]
    return (
        ", ".join([f"{many(first, 'job')} {what}", *(f"{number:,} {kind}" for number, kind in rest)]) if first else ""
    )


def in_words(change: Change) -> str:
    """Return a change in a few sentences, as the feed says it; empty where nothing moved."""
    jobs = jobs_in_words(change)
    moves = [
        f"{move.label[:1].upper()}{move.label[1:]}: {move.old} → {move.new}"
        + (f" ({', '.join(part for part in (move.change, move.share) if part)})" if move.change else "")
        for move in change.moves[:_SAID]
    ]
    rest = len(change.moves) - _SAID
    further = [f"{many(rest, 'further total')} moved"] if rest > 0 else []
    return " ".join(f"{sentence}." for sentence in [*([jobs] if jobs else []), *moves, *further])
