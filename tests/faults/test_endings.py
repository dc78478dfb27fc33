"""Told to stop, unread, without an output, in any locale: quiet, with the right status, with the same bytes."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from engines import environment

from reportgen.files import data_folder

REPORTGEN = [sys.executable, "-m", "reportgen"]
PLAN = "job,parameters,hardware,note\nmodèle 模型,7B,H100,ağ İı\n"
HELD = """
import sys, time
import reportgen.api
def hold(*_):
    print("holding", flush=True)
    time.sleep(60)
reportgen.api.render_page = hold
from reportgen.cli import main
main()
"""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals and pipes as Unix has them")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_quietly_with_nothing_half_written(tmp_path: Path, number: int, status: int) -> None:
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    command = [sys.executable, "-c", HELD, "build", "plan.csv", "-o", "out"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=pipe, stderr=pipe, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "holding\n"
        process.send_signal(number)
        assert process.communicate() == ("", "")
        assert process.returncode == status
    assert [path.name for path in tmp_path.rglob("*")] == ["plan.csv"]


def test_a_signal_while_files_are_written_leaves_the_old_pair(tmp_path: Path) -> None:
    """Sent at ten moments of a build, of which some fall into the writing."""
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    command = [*REPORTGEN, "build", "plan.csv", "-o", "out", "--quiet", "--date"]
    began = time.monotonic()
    subprocess.run([*command, "2026-01-31"], cwd=tmp_path, env=environment(), check=True)  # noqa: S603
    seconds = time.monotonic() - began
    old = digests(tmp_path / "out")
    for moment in (0.5, 0.7, 0.8, 0.9, 0.95):
        with subprocess.Popen([*command, "2026-02-01"], cwd=tmp_path, env=environment(), stderr=-1) as process:  # noqa: S603
            time.sleep(moment * seconds)
            process.send_signal(signal.SIGINT)
            assert process.communicate()[1] == b""
        assert digests(tmp_path / "out") == old or process.returncode == 0
        assert set(digests(tmp_path / "out")) == {"plan.xlsx", "plan.html"}
        if process.returncode == 0:
            break


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize("command", ["columns", "catalog models", f"table {data_folder('inputs') / 'plan.csv'}"])
def test_a_pipe_that_nobody_reads_ends_quietly(command: str) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*REPORTGEN, *command.split()], env=environment(), stdout=pipe, stderr=pipe) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_to_fail(tmp_path: Path, closed: str) -> None:
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    line = f'"{sys.executable}" -m reportgen build plan.csv -o out --date 2026-01-31 {closed}'
    done = subprocess.run(line, shell=True, cwd=tmp_path, env=environment(), capture_output=True, check=False)  # noqa: S602
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"plan.xlsx", "plan.html"}


def test_a_closed_standard_input_is_said() -> None:
    line = f'"{sys.executable}" -m reportgen check - <&-'
    done = subprocess.run(line, shell=True, env=environment(), capture_output=True, text=True, check=False)  # noqa: S602
    assert (done.returncode, done.stderr) == (1, "standard input: is closed\n")


def test_every_locale_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    settings = (
        {},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "de_DE.UTF-8"},
        {"LC_ALL": "tr_TR.UTF-8"},
        {"LC_ALL": "tr_TR.ISO-8859-9", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
    )
    seen = set()
    for number, changes in enumerate(settings):
        built = [*REPORTGEN, "build", "plan.csv", "-o", str(number), "--date", "2026-01-31"]
        shown = [*REPORTGEN, "table", "plan.csv", "--columns", "job,planned_cards"]
        for command in (built, shown):
            done = subprocess.run(command, cwd=tmp_path, env=environment(**changes), capture_output=True, check=True)  # noqa: S603
            assert b"Traceback" not in done.stderr
        outputs = digests(tmp_path / str(number))
        seen.add((outputs["plan.xlsx"], outputs["plan.html"], done.stdout))
    assert len(seen) == 1
