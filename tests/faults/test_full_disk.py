"""On a full disk nothing is replaced and nothing is left, and one line says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from engines import environment

from reportgen.files import data_folder
from reportgen.seal import UNSEALED, sealed

PLAN = "job,parameters,hardware\none,7B,H100\n"
OLD = sealed(f"old {UNSEALED}")
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from reportgen.__main__ import main
main()
"""


def build(folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Build a plan into a folder whose old pair stands there."""
    (folder.parent / "plan.csv").write_text(PLAN)
    for name in ("plan.xlsx", "plan.html"):
        (folder / name).write_text(OLD)
    command = [sys.executable, *(before or ("-m", "reportgen")), "build", "plan.csv", "-o", str(folder)]
    return subprocess.run(  # noqa: S603 - our own program
        command, cwd=folder.parent, env=environment(), capture_output=True, text=True, check=False
    )


def assert_old_pair_alone(folder: Path) -> None:
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"plan.xlsx": OLD, "plan.html": OLD}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that holds 256 kB, where this system lets us mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("needs the right to mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)  # noqa: S603, S607 - our own


def test_a_small_disk(small_disk: Path) -> None:
    done = build(small_disk)
    said = (
        f"{small_disk}/plan.xlsx: cannot be written: No space left on device; free some space, nothing was replaced\n"
    )
    assert (done.returncode, done.stderr) == (1, said)
    assert_old_pair_alone(small_disk)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on the size of files")
@pytest.mark.parametrize("limit", [0, 1000, 100_000, 300_000])
def test_a_limit_on_the_size_of_files(tmp_path: Path, limit: int) -> None:
    (tmp_path / "out").mkdir()
    done = build(tmp_path / "out", "-c", LIMITED, str(limit))
    assert done.returncode == 1
    assert "cannot be written: File too large; free some space, nothing was replaced\n" in done.stderr
    assert done.stderr.count("\n") == 1
    assert_old_pair_alone(tmp_path / "out")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_standard_output_that_is_full() -> None:
    plan = str(data_folder("inputs") / "plan.csv")
    command = [sys.executable, "-m", "reportgen", "table", plan]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(  # noqa: S603 - our own program
            command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "standard output: cannot be written: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="needs folders that can be closed")
def test_a_folder_that_takes_no_file(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o500)
    (tmp_path / "plan.csv").write_text(PLAN)
    command = [sys.executable, "-m", "reportgen", "build", "plan.csv", "-o", "out"]
    obedient = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    done = subprocess.run(  # noqa: S603 - our own program
        [*obedient, *command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Permission denied" in done.stderr) == (1, True)
