"""Files are replaced as a set: what is left over is swept, what is alive is not, what stood there keeps its mode."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from engines import environment

from reportgen.errors import FileError
from reportgen.files import text_writer, write_together
from reportgen.replacing import ENDING, LEFT_OVER_AFTER, Replacement
from reportgen.seal import UNSEALED, sealed

OURS = sealed(f"ours {UNSEALED}")
HOLDING = """
import sys
from pathlib import Path
from reportgen.replacing import Replacement
with Replacement(force=True) as replacement:
    print(replacement.temporary(Path(sys.argv[1])), flush=True)
    sys.stdin.read()
"""


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def left_over(folder: Path, run: str = "0123abcd") -> Path:
    path = folder / f".plan.xlsx.1a2b3c.{run}{ENDING}"
    path.write_text("half of i")
    return path


def test_what_a_killed_run_left_is_swept_by_the_next(tmp_path: Path) -> None:
    left_over(tmp_path)
    write_together({tmp_path / "other.html": text_writer(OURS)}, force=False)
    assert names(tmp_path) == {"other.html"}


def test_what_a_living_run_holds_is_left_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(tmp_path / "plan.xlsx")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment()) as living:  # noqa: S603
        assert living.stdout is not None
        held = Path(living.stdout.readline().strip())
        write_together({tmp_path / "plan.html": text_writer(OURS)}, force=False)
        assert names(tmp_path) == {"plan.html", held.name}
        living.communicate()
    assert names(tmp_path) == {"plan.html"}


@pytest.mark.parametrize(("age", "swept"), [(60.0, False), (LEFT_OVER_AFTER + 60, True)])
def test_where_there_are_no_locks_age_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float, swept: bool
) -> None:
    monkeypatch.setattr("reportgen.replacing._take", lambda _: None)
    path = left_over(tmp_path)
    os.utime(path, (time.time() - age,) * 2)
    write_together({tmp_path / "plan.html": text_writer(OURS)}, force=False)
    assert path.exists() is not swept


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    for name in ("~$plan.xlsx", ".plan.xlsx.abcd1234", ".hidden", "notes.reportgen-tmp"):
        (tmp_path / name).write_text("mine")
    write_together({tmp_path / "plan.html": text_writer(OURS)}, force=False)
    assert names(tmp_path) == {"plan.html", "~$plan.xlsx", ".plan.xlsx.abcd1234", ".hidden", "notes.reportgen-tmp"}


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "plan.html"
    write_together({path: text_writer(OURS)}, force=False)
    path.chmod(0o640)
    write_together({path: text_writer(OURS)}, force=False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_an_edit_made_while_a_run_writes_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "plan.html"
    write_together({path: text_writer(OURS)}, force=False)

    def write_while_somebody_edits(target: Path) -> None:
        target.write_text(OURS)
        path.write_text(OURS + "a remark")

    with pytest.raises(FileError, match="has been edited since reportgen wrote it"):
        write_together({path: write_while_somebody_edits}, force=False)
    assert path.read_text() == OURS + "a remark"
    assert names(tmp_path) == {"plan.html"}


def test_folders_made_for_a_run_that_fails_do_not_stay(tmp_path: Path) -> None:
    def fail(_: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(FileError, match="No space left on device; free some space, nothing was replaced"):
        write_together({tmp_path / "a" / "b" / "plan.html": fail}, force=False)
    assert names(tmp_path) == set()


def test_a_read_only_output_stays(tmp_path: Path) -> None:
    path = tmp_path / "plan.html"
    path.write_text(OURS)
    path.chmod(0o444)
    with pytest.raises(FileError, match=r"plan\.html: is read-only, so it stays"):
        write_together({path: text_writer(OURS)}, force=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with pipes that have names")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan.html")
    with pytest.raises(FileError, match=r"plan\.html: is no file"):
        write_together({tmp_path / "plan.html": text_writer(OURS)}, force=True)


def test_a_link_is_replaced_and_what_it_leads_to_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.html").write_text(OURS)
    (tmp_path / "plan.html").symlink_to(tmp_path / "elsewhere.html")
    write_together({tmp_path / "plan.html": text_writer("new")}, force=True)
    assert (tmp_path / "elsewhere.html").read_text() == OURS
    assert not (tmp_path / "plan.html").is_symlink()


def test_names_near_the_longest_are_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".html")
    write_together({path: text_writer(OURS)}, force=False)
    assert names(tmp_path) == {path.name}


def test_nothing_stays_where_nothing_is_committed(tmp_path: Path) -> None:
    with Replacement(force=False) as replacement:
        replacement.temporary(tmp_path / "plan.html").write_text("half of i")
    assert names(tmp_path) == set()
