"""Builds at the same time: each output whole, and the two of a pair always from one build."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from engines import environment

from reportgen.seal import is_untouched

BUILDS = 8


def start(folder: Path, number: int, output: str) -> subprocess.Popen[str]:
    """Begin to build a plan of the same name from a folder of its own."""
    own = folder / f"plan {number}"
    own.mkdir()
    (own / "plan.csv").write_text(f"job,parameters,hardware\nbuild-{number},7B,H100\n")
    command = [sys.executable, "-m", "reportgen", "build", str(own / "plan.csv"), "-o", output, "--date", "2026-01-31"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment(), stderr=pipe, stdout=pipe, text=True)  # noqa: S603


def builds_of(folder: Path) -> set[str]:
    """Return which builds the outputs in a folder are from; there must be a whole pair and nothing else."""
    assert {path.name for path in folder.iterdir()} == {"plan.xlsx", "plan.html"}
    assert all(is_untouched(path) for path in folder.iterdir())
    verified = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "reportgen", "import", str(folder / "plan.xlsx"), "-o", str(folder / "back")],
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert verified.returncode == 0, verified.stderr
    texts = ((folder / "back" / "plan.csv").read_text(), (folder / "plan.html").read_text(encoding="utf-8"))
    return {name for text in texts for name in re.findall(r"build-\d", text)}


def test_into_one_folder(tmp_path: Path) -> None:
    for process in [start(tmp_path, number, "out") for number in range(BUILDS)]:
        assert process.communicate()[1].startswith("wrote ")
    assert len(builds_of(tmp_path / "out")) == 1


def test_into_eight_folders(tmp_path: Path) -> None:
    for process in [start(tmp_path, number, f"out {number}") for number in range(BUILDS)]:
        assert process.communicate()[1].startswith("wrote ")
    assert [builds_of(tmp_path / f"out {number}") for number in range(BUILDS)] == [
        {f"build-{number}"} for number in range(BUILDS)
    ]
