"""Jobs of every kind, drawn from all that the catalogues offer, and the ledger of many of them at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reportgen import Ledger, calculate, read_plan
from reportgen.arrays import Array
from reportgen.calculation.catalogues import Blocks, Hardware, Optimizers, Recipes
from reportgen.calculation.models import Models
from reportgen.expression import Column
from reportgen.listing import ledger_columns

Job: TypeAlias = Mapping[str, object]

COUNTS: Final = [1, 2, 999, *(int(10 ** (tenth / 20)) for tenth in range(170, 231))]
"""Parameters, evenly from 3 × 10⁸ to 3 × 10¹¹ by their magnitude: about where a card is full."""

ACTIVATIONS: Final = ["", 0, 1, 123_456_789, 10**9, 12 * 2**30, 60 * 10**9, 10**11]
TOO_LARGE: Final = "lbfgs-history-100"
"""Its 202 values a parameter are more than the ledger admits for the largest models."""


def ledger_of(jobs: Iterable[Job]) -> Ledger:
    """Return every figure of some jobs; a cell that a job does not name is empty."""
    listed = list(jobs)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for job in listed for name in job)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    with TemporaryDirectory() as folder:
        plan = Path(folder, "plan.csv")
        plan.write_text(text.getvalue(), encoding="utf-8")
        return calculate(read_plan(plan))


def figures(ledger: Ledger, name: str) -> Array:
    """Return a column of the jobs by its name in ``reportgen table``."""
    return ledger.values[ledger_columns()[name]]


def replica(job: Job) -> int:
    """Return how many cards hold one replica of a job's model."""
    return int(str(job["tensor_parallel_degree"])) * int(str(job["pipeline_parallel_degree"]))


@cache
def _names(column: Column) -> list[str]:
    catalogues = ledger_of([{"parameters": 1, "hardware": "H100"}]).values
    return [str(name) for name in catalogues[column].tolist()]


@cache
def _sized_models() -> list[str]:
    catalogues = ledger_of([{"parameters": 1, "hardware": "H100"}]).values
    sized = (catalogues[Models.layers] >= 1) & (catalogues[Models.hidden_size] >= 1)
    return [str(name) for name in catalogues[Models.model][sized].tolist()]


def jobs() -> SearchStrategy[dict[str, object]]:
    """Return jobs without a number of cards; half of them bring their own count of parameters."""
    return _job()


@st.composite
def _job(draw: DrawFn) -> dict[str, object]:
    job = draw(
        _cells(
            optimizer=[name for name in _names(Optimizers.optimizer) if name != TOO_LARGE],
            recipe=_names(Recipes.recipe),
            hardware=_names(Hardware.hardware),
            zero_stage=range(4),
            tensor_parallel_degree=(1, 1, 1, 2, 3, 8),
            pipeline_parallel_degree=(1, 1, 1, 2, 5),
            recompute=("none", "selective", "full"),
            sequence_parallel=("yes", "no"),
        )
    )
    if draw(st.booleans()):
        given = _cells(parameters=COUNTS, trainable_share=("", "5%", "33.3%"), activation_bytes=ACTIVATIONS)
        return job | draw(given)
    job |= draw(_cells(model=_sized_models(), block=("", *_names(Blocks.block))))
    lora = _cells(lora_rank=(1, 8, 256), lora_targets=("query-value", "attention", "all-linear"))
    batch = _cells(micro_batch_size=(1, 3), sequence_length=(500, 4096))
    return job | draw(lora | _cells(trainable_share=("", "5%"))) | draw(batch | _cells())


def _cells(**choices: Sequence[object]) -> SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({name: st.sampled_from(choice) for name, choice in choices.items()})
