"""The locale and the encodings of the terminal change no byte of what is read or printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import reportgen

ROOT: Final = Path(reportgen.__file__).parents[1]
PLAN: Final = "model;params;gpu;hours\nİstanbul ß 模型;7,5B;h100;1,5\nI;7,5I;X;1\n"
ENVIRONMENTS: Final = {
    "C": {"LC_ALL": "C"},
    "POSIX without UTF-8 mode": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "German": {"LC_ALL": "de_DE.UTF-8"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8"},
    "ASCII streams": {"PYTHONIOENCODING": "ascii"},
    "Latin streams": {"PYTHONIOENCODING": "latin-1:strict"},
}


def printed(folder: Path, *arguments: str, **environment: str) -> tuple[int, bytes, bytes]:
    """Return how a command ends and what it prints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "reportgen", *arguments],
        cwd=folder,
        env=clean | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"} | environment,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a plan that is right and one that is wrong."""
    folder = tmp_path_factory.mktemp("locales")
    header, right, _ = PLAN.splitlines()
    (folder / "right.csv").write_text(f"{header}\n{right}\n", encoding="utf-8")
    (folder / "wrong.csv").write_text(PLAN, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize(
    "command", [("table", "right.csv", "--columns", "job,parameters,hardware"), ("check", "wrong.csv")]
)
def test_a_locale_changes_no_byte(command: tuple[str, ...], name: str, folder: Path) -> None:
    usual = printed(folder, *command)
    assert usual[0] == (0 if command[0] == "table" else 1)
    assert "İstanbul ß 模型".encode() in usual[1] or b"'7,5I'" in usual[2]
    assert printed(folder, *command, **ENVIRONMENTS[name]) == usual
