"""What must hold for every job: sums are the sums of their parts, sharding only ever helps, doubling doubles."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from jobs import Job, figures, jobs, ledger_of, replica
from strategies import drawn

from reportgen import Ledger
from reportgen.arrays import Array

JOBS: Final = drawn(jobs(), 500)
REPLICAS: Final = (1, 2, 3, 7, 8, 64, 1000)
STAGES: Final = range(4)
WHOLE_WIDTHS: Final = {"sgd", "momentum", "adam", "adamw", "lion", "lamb", "adan"}

SUMS: Final = {
    "optimizer_state_bytes": ("master_weight_bytes", "master_gradient_bytes", "moment_bytes"),
    "gradient_and_optimizer_bytes": ("gradient_bytes", "optimizer_state_bytes"),
    "training_footprint_bytes": ("parameter_bytes", "gradient_bytes", "optimizer_state_bytes"),
    "layer_activation_bytes": (
        "hidden_activation_bytes",
        "query_activation_bytes",
        "kv_activation_bytes",
        "score_activation_bytes",
        "head_statistic_bytes",
        "norm_statistic_bytes",
        "ffn_activation_bytes",
        "expert_activation_bytes",
        "router_activation_bytes",
        "adapter_activation_bytes",
    ),
    "card_total_bytes": ("card_state_bytes", "gradient_bucket_bytes", "working_bytes"),
    "usable_bytes": ("card_total_bytes", "headroom_bytes"),
    "reported_bytes": (
        "usable_bytes",
        "driver_bytes",
        "context_bytes",
        "communication_bytes",
        "fragmentation_bytes",
    ),
    "shared_usable_bytes": ("zero3_floor_bytes", "zero3_room_bytes"),
}
"""A whole and its parts."""

MAY_BE_NEGATIVE: Final = {"headroom_bytes", "zero3_room_bytes"}


@pytest.fixture(scope="module")
def replicated() -> Ledger:
    """Each job on each number of replicas, the replicas of one job side by side."""
    return ledger_of(job | {"cards": replica(job) * replicas} for job in JOBS for replicas in REPLICAS)


def breaking(broken: Array) -> list[Job]:
    """Return the jobs for which something does not hold, on any number of replicas."""
    return [job for job, wrong in zip(JOBS, broken.reshape(len(JOBS), -1), strict=True) if wrong.any()]


def growth(ledger: Ledger, name: str) -> Array:
    """Return by how much a figure grows from each number of replicas to the next, one row a job."""
    return np.diff(figures(ledger, name).reshape(len(JOBS), -1))


@pytest.mark.parametrize("whole", SUMS)
def test_a_whole_is_the_sum_of_its_parts(whole: str, replicated: Ledger) -> None:
    parts = sum(figures(replicated, part) for part in SUMS[whole])
    assert breaking(figures(replicated, whole) != parts) == []


@pytest.mark.parametrize("name", sorted({name for whole, parts in SUMS.items() for name in (whole, *parts)}))
def test_bytes_are_whole_and_not_negative(name: str, replicated: Ledger) -> None:
    values = figures(replicated, name)
    assert breaking(values % 1 != 0) == []
    assert name in MAY_BE_NEGATIVE or breaking(values < 0) == []


def test_all_parameters_are_trained_or_frozen(replicated: Ledger) -> None:
    held = figures(replicated, "parameters") + figures(replicated, "adapter_parameters")
    known = figures(replicated, "trainable_parameters") + figures(replicated, "frozen_parameters")
    assert breaking(held != known) == []


def test_either_activations_or_temporaries_of_the_step_work_on_a_card(replicated: Ledger) -> None:
    comes_and_goes = figures(replicated, "activation_bytes") + figures(replicated, "live_parameter_bytes")
    working = np.maximum(comes_and_goes, figures(replicated, "step_temporary_bytes"))
    assert breaking(figures(replicated, "working_bytes") != working) == []


def test_a_job_fits_where_nothing_is_missing(replicated: Ledger) -> None:
    assert breaking((figures(replicated, "fits") == 1) != (figures(replicated, "headroom_bytes") >= 0)) == []


@pytest.mark.parametrize("name", ["card_state_bytes", *(f"zero{stage}_card_bytes" for stage in STAGES)])
def test_more_replicas_never_put_more_states_on_a_card(name: str, replicated: Ledger) -> None:
    assert breaking(growth(replicated, name) > 0) == []


def test_more_replicas_never_put_more_on_a_card(replicated: Ledger) -> None:
    """From the second on: with it come the buckets and what is gathered, which a lone replica does not need."""
    assert breaking(growth(replicated, "card_total_bytes")[:, 1:] > 0) == []


@pytest.mark.parametrize("stage", STAGES[1:])
def test_a_higher_stage_never_puts_more_states_on_a_card(stage: int, replicated: Ledger) -> None:
    higher, lower = (figures(replicated, f"zero{one}_card_bytes") for one in (stage, stage - 1))
    assert breaking(higher > lower) == []


def test_a_lone_replica_shards_nothing() -> None:
    ledger = ledger_of(job | {"cards": replica(job)} for job in JOBS)
    for stage in STAGES:
        assert breaking(figures(ledger, f"zero{stage}_card_bytes") != figures(ledger, "zero0_card_bytes")) == []


def test_a_single_card_holds_the_plain_sum() -> None:
    ledger = ledger_of(job | {"tensor_parallel_degree": 1, "pipeline_parallel_degree": 1, "cards": 1} for job in JOBS)
    assert breaking(figures(ledger, "card_state_bytes") != figures(ledger, "training_footprint_bytes")) == []


@pytest.mark.parametrize("count", [1, 999_999_937, 2**36])
def test_twice_the_parameters_take_twice_the_bytes(count: int) -> None:
    """To the byte where every width is whole, and for even counts of all; else to the one byte that rounding moves."""
    once, twice = (
        ledger_of(
            {"optimizer": job["optimizer"], "recipe": job["recipe"], "hardware": "H100", "parameters": parameters}
            for job in JOBS
        )
        for parameters in (count, 2 * count)
    )
    whole = np.array([job["optimizer"] in WHOLE_WIDTHS for job in JOBS]) | (count % 2 == 0)
    for band in ("parameter", "gradient", "master_weight", "master_gradient", "moment"):
        apart = np.abs(figures(twice, f"{band}_bytes") - 2 * figures(once, f"{band}_bytes"))
        assert breaking(apart > np.where(whole, 0, 1)) == []
