"""A short run of the fuzzer over workbooks; xlsx_target.py runs as long as one likes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from xlsx_target import Mutator, one, run, small_book


def test_a_workbook_a_little_wrong_ends_in_inputs_or_in_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run(150, seed=0)
    assert set(ended) <= {"read", "holds", "differs", "FileError", "InputError"}
    assert min(ended["read"], ended["FileError"]) > 10, "mutants neither all sound nor all broken"


def test_a_seed_gives_the_same_workbooks() -> None:
    book = small_book()
    one_run, other = (Mutator(book, random.Random(5)) for _ in range(2))  # noqa: S311 - no secrets
    assert [one_run.mutant() for _ in range(20)] == [other.mutant() for _ in range(20)]


def test_the_workbook_itself_holds() -> None:
    assert one(small_book(), verified=True) == "holds"
