"""Killed at any moment, a run leaves the old pair or the new pair, and the next run leaves nothing else."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from engines import environment

from reportgen.files import text_writer, write_together
from reportgen.replacing import ENDING
from reportgen.seal import UNSEALED, is_untouched, sealed

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system with fork")

ROWS, MOMENTS = (int(os.environ.get(name, usual)) for name, usual in (("KILLED_ROWS", 400), ("KILLED_TIMES", 10)))
OLD, NEW = "2026-01-31", "2026-02-01"
SCRIPT: Final = Path(__file__).with_name("reports.py")


class Runs:
    """The process that writes reports; one child for each run."""

    def __init__(self, plan: Path, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, str(SCRIPT), str(plan), str(folder)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment())  # noqa: S603
        assert self._line() == "ready"

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def begin(self, day: str) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(day + "\n")
        self.process.stdin.flush()
        return int(self._line())

    def end(self) -> int:
        return int(self._line().removeprefix("done "))

    def days(self) -> tuple[str, str]:
        """Return the day of each output, which must be whole."""
        book, page = self.folder / "plan.xlsx", self.folder / "plan.html"
        assert is_untouched(book)
        assert is_untouched(page)
        return OLD if book.read_bytes() == self.books[OLD] else NEW, page.read_text()[:10]

    def both_days(self) -> float:
        """Write both reports once, and return how long one takes."""
        self.books: dict[str, bytes] = {}
        began = time.monotonic()
        for day in (NEW, OLD):
            self.begin(day)
            assert self.end() == 0
            self.books[day] = (self.folder / "plan.xlsx").read_bytes()
        assert self.books[OLD] != self.books[NEW]
        return (time.monotonic() - began) / 2


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    jobs = "".join(f"job {row},7B,H100,{row + 1}\n" for row in range(ROWS))
    (tmp_path / "plan.csv").write_text(f"job,parameters,hardware,hours\n{jobs}")
    (tmp_path / "out").mkdir()
    runs = Runs(tmp_path / "plan.csv", tmp_path / "out")
    yield runs
    runs.process.kill()
    runs.process.communicate()


def test_a_killed_run_leaves_a_whole_pair_and_the_next_one_nothing_else(runs: Runs) -> None:
    seconds = runs.both_days()
    chance = random.Random(7)  # noqa: S311 - moments, not secrets
    for moment in range(MOMENTS):
        before = runs.days()
        assert before[0] == before[1]
        day = NEW if before[0] == OLD else OLD
        child = runs.begin(day)
        time.sleep(chance.uniform(0, 1.1) * seconds if moment % 2 else chance.uniform(0.85, 1.05) * seconds)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        runs.end()
        assert runs.days() in (before, (day, day))
        write_together({runs.folder / "other.html": text_writer("x")}, force=True)
        assert {path.name for path in runs.folder.iterdir()} == {"plan.xlsx", "plan.html", "other.html"}


def test_a_run_killed_between_the_two_last_steps_is_mended_by_the_next(tmp_path: Path) -> None:
    """Two files cannot be replaced in one step; both are whole, and nothing of the killed run stays."""
    pair = (tmp_path / "plan.xlsx", tmp_path / "plan.html")
    old, new = (sealed(f"{word} {UNSEALED}") for word in ("old", "new"))
    write_together({path: text_writer(old) for path in pair}, force=False)
    child = os.fork()
    if child == 0:
        replace = Path.replace

        def replace_and_die(self: Path, target: Path) -> Path:
            replace(self, target)
            os._exit(9)

        Path.replace = replace_and_die  # type: ignore[method-assign,assignment]
        write_together({path: text_writer(new) for path in pair}, force=False)
    os.waitpid(child, 0)
    assert [path.read_text() for path in pair] == [new, old]
    assert len([path for path in tmp_path.iterdir() if path.name.endswith(ENDING)]) == 3
    write_together({path: text_writer(new) for path in pair}, force=False)
    assert [path.read_text() for path in pair] == [new, new]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.html", "plan.xlsx"]
