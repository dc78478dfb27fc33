"""One job on other numbers of cards: the ledger's own formulas evaluated again for each degree and each stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reportgen.calculation.ledger import Inputs, Ledger, Table, calculate
from reportgen.calculation.memory import Memory
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding

STAGES: Final = (0, 1, 2, 3)
DEGREES: Final = tuple(2**power for power in range(11))
"""Data-parallel degrees that are looked at: 1, 2, 4, … 1,024."""


@dataclass(frozen=True)
class Curve:
    """What the fullest card holds of one job; ``totals`` and ``fits`` have a row a degree, a column a stage."""

    cards: tuple[float, ...]
    usable: tuple[float, ...]
    totals: tuple[tuple[float, ...], ...]
    fits: tuple[tuple[bool, ...], ...]


def curves(ledger: Ledger, positions: Sequence[int]) -> list[Curve]:
    """Return a curve for each of the jobs; one calculation serves them all."""
    points = [(position, degree, stage) for position in positions for degree in DEGREES for stage in STAGES]
    if not points:
        return []
    replicas = ledger.values[Memory.model_parallel_degree].tolist()
    cards = [replicas[position] * degree for position, degree, _ in points]
    values = calculate(_varied(ledger.inputs, points, cards)).values
    totals = values[Sharding.card_total_bytes].tolist()
    usable = values[Sharding.usable_bytes].tolist()
    fits = [fit == 1 for fit in values[Sharding.fits].tolist()]
    size, wide = len(DEGREES) * len(STAGES), len(STAGES)
    found = []
    for start in range(0, len(points), size):
        rows = range(start, start + size, wide)
        found.append(
            Curve(
                tuple(cards[row] for row in rows),
                tuple(usable[row] for row in rows),
                tuple(tuple(totals[row : row + wide]) for row in rows),
                tuple(tuple(fits[row : row + wide]) for row in rows),
            )
        )
    return found


def _varied(inputs: Inputs, points: list[tuple[int, int, int]], cards: list[float]) -> Inputs:
    """Return the inputs with a plan of one row a point: its job on these cards at this stage."""
    rows = [position for position, _, _ in points]
    values = {column: array.take(rows) for column, array in inputs.plan.values.items()}
    values[Plan.cards][:] = cards
    values[Plan.zero_stage][:] = [stage for _, _, stage in points]
    plan = Table(Plan, inputs.plan.file, inputs.plan.digest, tuple(inputs.plan.lines[row] for row in rows), values)
    return replace(inputs, tables={**inputs.tables, Plan: plan})
