"""Builds at the same time: each output whole, and the two of a pair always from one build."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from engines import environment
from programs import building

from reportgen.api import import_inputs
from reportgen.seal import is_untouched

BUILDS = 8


def start(folder: Path, number: int, output: str, command: list[str]) -> subprocess.Popen[str]:
    """Begin to build a plan of the same name from a folder of its own."""
    own = folder / f"plan {number}"
    own.mkdir()
    (own / "plan.csv").write_text(f"job,parameters,hardware\nbuild-{number},7B,H100\n")
    pipe = subprocess.PIPE
    return subprocess.Popen(  # noqa: S603 - our own program
        [*command, str(own / "plan.csv"), "-o", output],
        cwd=folder,
        env=environment(),
        stderr=pipe,
        stdout=pipe,
        text=True,
    )


def builds_of(folder: Path) -> set[str]:
    """Return which builds the outputs in a folder are from; there must be a whole pair and nothing else."""
    assert {path.name for path in folder.iterdir()} == {"plan.xlsx", "plan.html"}
    assert all(is_untouched(path) for path in folder.iterdir())
    import_inputs(folder / "plan.xlsx", folder / "back")
    texts = ((folder / "back" / "plan.csv").read_text(), (folder / "plan.html").read_text(encoding="utf-8"))
    return {name for text in texts for name in re.findall(r"build-\d", text)}


def test_into_one_folder(tmp_path: Path) -> None:
    command = building(tmp_path)
    for process in [start(tmp_path, number, "out", command) for number in range(BUILDS)]:
        assert process.communicate()[1].startswith("wrote ")
    assert len(builds_of(tmp_path / "out")) == 1


def test_into_eight_folders(tmp_path: Path) -> None:
    command = building(tmp_path)
    for process in [start(tmp_path, number, f"out {number}", command) for number in range(BUILDS)]:
        assert process.communicate()[1].startswith("wrote ")
    assert [builds_of(tmp_path / f"out {number}") for number in range(BUILDS)] == [
        {f"build-{number}"} for number in range(BUILDS)
    ]
