"""What the documents say is what the program prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

import reportgen
from reportgen.cli import app

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(
    r"<!-- output: (?P<command>.+?) -->\s*```\w*\n(?P<output>.*?)```\s*<!-- /output -->", README, re.DOTALL
)
COMMANDS: Final = sorted(
    str(command.name or (command.callback.__name__ if command.callback else "")) for command in app.registered_commands
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder that looks like the repository's root to a command, so that none writes into the repository."""
    shutil.copytree(ROOT / "inputs", tmp_path / "inputs")
    return tmp_path


def refreshed(readme: str, root: Path) -> str:
    """Return the README with every block printed anew."""

    def block(found: re.Match[str]) -> str:
        output = printed(found["command"], root).rstrip()
        shown = f"$ {found['command']}\n{output}"
        return f"<!-- output: {found['command']} -->\n```{found['language']}\n{shown}\n```\n<!-- /output -->"

    pattern = r"<!-- output: (?P<command>.+?) -->\s*```(?P<language>\w*)\n.*?```\s*<!-- /output -->"
    readme = re.sub(pattern, block, readme, flags=re.DOTALL)
    table = f"<!-- columns -->\n{printed('reportgen columns', root).strip()}\n<!-- /columns -->"
    return re.sub(r"<!-- columns -->\n.*?<!-- /columns -->", lambda _: table, readme, flags=re.DOTALL)


def printed(command: str, root: Path) -> str:
    """Return what a shell shows of a command, results and messages."""
    script = f'reportgen() {{ "{sys.executable}" -m reportgen "$@"; }}\n{command}'
    done = subprocess.run(  # noqa: S603 - commands of our own documents
        ["/bin/sh", "-c", script],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "TERM": "dumb"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
    )
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command(command: str) -> None:
    assert re.search(rf"\breportgen {command}\b", README)


def test_the_glossary_of_the_readme_is_what_the_program_prints(root: Path) -> None:
    found = re.search(r"<!-- columns -->\n(.*?)<!-- /columns -->", README, re.DOTALL)
    assert found, "README.md has no table between <!-- columns --> and <!-- /columns -->"
    assert found[1].strip().splitlines() == printed("reportgen columns", root).strip().splitlines()


def test_the_readme_shows_real_output() -> None:
    assert BLOCKS, "README.md has no block between <!-- output: COMMAND --> and <!-- /output -->"
    assert len(BLOCKS) == README.count("<!-- output:") == README.count("<!-- /output -->")


@pytest.mark.parametrize(("command", "output"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_an_output_in_the_readme_is_what_the_command_prints(command: str, output: str, root: Path) -> None:
    assert output.rstrip().splitlines() == [f"$ {command}", *printed(command, root).rstrip().splitlines()]


def test_the_changelog_the_package_and_the_project_have_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[?v?(\d+\.\d+\.\d+)", changelog, re.MULTILINE)
    assert newest, "CHANGELOG.md has no heading such as ## 0.1.0"
    assert newest[1] == project == reportgen.__version__


if __name__ == "__main__":
    (ROOT / "README.md").write_text(refreshed(README, ROOT), encoding="utf-8")
