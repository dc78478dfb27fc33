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
from programs import REPORTGEN, building

from reportgen.files import data_folder

PLAN = "job,parameters,hardware,note\nmodèle 模型,7B,H100,ağ İı\n"
HELD = """
import sys, time
import reportgen.building
def hold(*_):
    print("holding", flush=True)
    time.sleep(60)
reportgen.building.render_page = hold
from reportgen.__main__ import main
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


@pytest.mark.parametrize("seconds", [0.06, 0.12, 0.2, 0.3])
def test_a_signal_while_the_program_loads_is_quiet_too(seconds: float) -> None:
    with subprocess.Popen([*REPORTGEN, "columns"], env=environment(), stdout=-3, stderr=-1, text=True) as process:  # noqa: S603
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
    assert "reportgen" not in said, "a traceback through our own code"


def test_a_signal_while_files_are_written_leaves_the_old_pair(tmp_path: Path, command: list[str]) -> None:
    began = time.monotonic()
    subprocess.run([*command, "-o", "out"], cwd=tmp_path, env=environment(), check=True, stderr=-1)  # noqa: S603
    seconds = time.monotonic() - began
    old = digests(tmp_path / "out")
    again = [*command, "-o", "out", "--quiet", "--title", "Another"]
    for moment in (0.5, 0.8, 0.9, 0.95):
        with subprocess.Popen(again, cwd=tmp_path, env=environment(), stderr=-1) as process:  # noqa: S603
            time.sleep(moment * seconds)
            process.send_signal(signal.SIGINT)
            assert process.communicate()[1] == b""
        assert process.returncode in (0, 130, -signal.SIGINT), "-2 is the interpreter's own, once all is written"
        new = digests(tmp_path / "out")
        assert set(new) == {"plan.xlsx", "plan.html"}
        assert len(set(new.items()) & set(old.items())) in (0, 2)
        old = new
        again[-1] += "!"


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


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
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


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """What builds a plan with letters of many alphabets."""
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    return [*building(tmp_path), "plan.csv"]


def test_every_locale_gives_the_same_bytes(tmp_path: Path, command: list[str]) -> None:
    settings: tuple[dict[str, str], ...] = (
        {},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "de_DE.UTF-8"},
        {"LC_ALL": "tr_TR.ISO-8859-9", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii:strict", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
    )
    seen = set()
    for number, changes in enumerate(settings):
        done = subprocess.run(  # noqa: S603 - our own program
            [*command, "-o", str(number)], cwd=tmp_path, env=environment(**changes), capture_output=True, check=True
        )
        assert b"Traceback" not in done.stderr
        outputs = digests(tmp_path / str(number))
        seen.add((outputs["plan.xlsx"], outputs["plan.html"]))
    assert len(seen) == 1


def test_names_in_other_alphabets_are_printed_whatever_the_encoding(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    command = [*REPORTGEN, "table", "plan.csv", "--columns", "job"]
    ascii_only = environment(LC_ALL="C", PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    done = subprocess.run(command, cwd=tmp_path, env=ascii_only, capture_output=True, check=True)  # noqa: S603
    assert done.stdout.decode() == "job\nmodèle 模型\n"
