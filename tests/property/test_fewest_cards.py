"""The smallest number of cards is what trying one number after the other finds, at every stage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Final

import numpy as np
import pytest
from jobs import figures, jobs, ledger_of, replica
from strategies import drawn

from reportgen import Ledger

TRIED: Final = 64
"""Replicas that are tried one by one; beyond them the claimed number and the one before it."""

MOST_CARDS: Final = 10**9
"""As many cards as a plan may give; from the second replica on a card's total never grows (test_invariants.py)."""

STAGES: Final = range(4)
SPARE: Final = (0, 1, 10**6, 10**8, 10**9)
FILL: Final = (0.78, 0.85, 0.92, 0.97, 1.0)


def with_little_room(loose: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield jobs with activations that leave few bytes, or none, of a card for what is sharded."""
    ledger = ledger_of(loose)
    for position, (job, spare) in enumerate(zip(loose, cycle(SPARE), strict=False)):
        if job["zero_stage"] in (1, 2, 3):
            room = figures(ledger, f"zero{job['zero_stage']}_room_bytes")[position]
            activations = figures(ledger, "activation_bytes")[position] + room - spare
            if activations >= 0:
                yield job | {"activation_bytes": int(activations)}


def with_states_as_large_as_a_card(loose: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield jobs whose states alone nearly fill the cards of one replica: the temporaries of a step decide."""
    ledger = ledger_of(loose)
    filled = figures(ledger, "zero0_card_bytes") / figures(ledger, "shared_usable_bytes")
    for job, share, fill in zip(loose, filled.tolist(), cycle(FILL), strict=False):
        if "parameters" in job:
            yield job | {"parameters": max(int(int(str(job["parameters"])) * fill / share), 1), "activation_bytes": 0}


LOOSE: Final = [job | {"zero_stage": stage} for job in drawn(jobs(), 150) for stage in STAGES]
JOBS: Final = [*LOOSE, *with_little_room(LOOSE), *with_states_as_large_as_a_card(LOOSE)]
REPLICA: Final = np.array([replica(job) for job in JOBS])
MOST: Final = (MOST_CARDS // REPLICA).tolist()


@pytest.fixture(scope="module")
def planned() -> Ledger:
    """Each job at each stage, with the cards it is said to need."""
    return ledger_of(JOBS)


@pytest.fixture(scope="module")
def claimed(planned: Ledger) -> list[float]:
    """The smallest number of replicas that each is said to need; infinite for never."""
    by_stage = np.stack([figures(planned, f"zero{stage}_min_cards") for stage in STAGES], axis=1)
    cards = by_stage[np.arange(len(JOBS)), [int(str(job["zero_stage"])) for job in JOBS]]
    return [float(number) for number in np.nan_to_num(cards / REPLICA, nan=np.inf)]


def fitting(replicas: list[list[int]]) -> list[list[int]]:
    """Return, for each job, those numbers of replicas on which it fits."""
    ledger = ledger_of(
        job | {"cards": number * replica(job)}
        for job, numbers in zip(JOBS, replicas, strict=True)
        for number in numbers
    )
    fits = iter(figures(ledger, "fits").tolist())
    return [[number for number in numbers if next(fits)] for numbers in replicas]


def test_no_smaller_number_of_replicas_fits(claimed: list[float]) -> None:
    within = [number if number <= most else np.inf for number, most in zip(claimed, MOST, strict=True)]
    tried = fitting(
        [sorted({*range(1, TRIED + 1), *_around(number), most}) for number, most in zip(within, MOST, strict=True)]
    )
    found = [float(min(numbers, default=np.inf)) for numbers in tried]
    wrong = [
        job | {"found": first, "claimed": said}
        for job, first, said in zip(JOBS, found, within, strict=True)
        if first != said
    ]
    assert wrong == []


def test_the_jobs_are_of_every_kind(claimed: list[float]) -> None:
    """One replica, some, more than are tried one by one, never."""
    kinds = np.searchsorted([1, TRIED, np.finfo(float).max], claimed)
    assert min(np.bincount(kinds, minlength=4).tolist()) > 20


def _around(number: float) -> set[int]:
    """Return a number of replicas and the one before it; nothing where there is none."""
    return {int(number), max(int(number) - 1, 1)} if np.isfinite(number) else set()


def test_the_smallest_number_is_that_of_the_jobs_own_stage(planned: Ledger, claimed: list[float]) -> None:
    own = np.nan_to_num(figures(planned, "min_cards") / REPLICA, nan=np.inf)
    assert own.tolist() == claimed


def test_the_cards_of_a_plan_fit_wherever_some_do(planned: Ledger, claimed: list[float]) -> None:
    """Also after rounding up to whole nodes."""
    fits = figures(planned, "fits") == 1
    assert [job for job, fit, number in zip(JOBS, fits, claimed, strict=True) if fit != np.isfinite(number)] == []
