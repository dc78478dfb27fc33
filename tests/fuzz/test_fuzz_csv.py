"""A short run of the fuzz target in every suite; atheris_csv.py is the long one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from csv_target import one
from dictionary import SEEDS, TOKENS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

POSITIONS = st.integers(0, 2_000)
CHANGES = st.lists(
    st.tuples(POSITIONS, st.integers(0, 12), st.sampled_from(TOKENS) | st.binary(max_size=6)), max_size=5
)


def changed(seed: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """Return a seed with bytes replaced by others at a few places."""
    data = bytearray(seed)
    for position, length, token in changes:
        start = position % (len(data) + 1)
        data[start : start + length] = token
    return bytes(data)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_is_believed(seed: bytes) -> None:
    assert one(seed)


@settings(max_examples=250, deadline=5_000, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.sampled_from(SEEDS), changes=CHANGES)
def test_a_changed_input_is_believed_or_refused_in_words(seed: bytes, changes: list[tuple[int, int, bytes]]) -> None:
    one(changed(seed, changes))


@settings(max_examples=150, deadline=5_000)
@given(st.binary(max_size=400))
def test_any_bytes_are_believed_or_refused_in_words(data: bytes) -> None:
    one(data)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells the peak of memory")
def test_a_hostile_file_takes_neither_long_nor_much() -> None:
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parents[1])])
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, here / "hostile.py"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        check=True,
    )
    spent = json.loads(done.stdout)
    assert {case: seconds for case, seconds in spent["seconds"].items() if seconds > 5} == {}
    assert spent["peak_mb"] < 500
