"""The index of a site and the page of a difference in Chromium: valid, silent, accessible, as narrow as a telephone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from engines import tool
from pages import DAY, HOSTILE_NAMES, SMALL, hostile_ledger, ledger_of

import reportgen
from reportgen.comparing.diff_page import diff_page
from reportgen.comparing.difference import compare
from reportgen.comparing.snapshot import of_ledger
from reportgen.files import data_folder

PAGES: Final = ("index.html", "diff.html", "hostile.html")
LOOKS: Final = ("light", "dark", "narrow")


@pytest.fixture(scope="module")
def looked(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What look.cjs reports of an index, of a difference, and of one in which every name is hostile."""
    folder = tmp_path_factory.mktemp("site")
    moved = SMALL.replace("30B,30B,,adamw", "30B,60B,,adam").replace("too few cards", "enough cards")
    small, large, hostile = ledger_of(SMALL), ledger_of(moved), hostile_ledger()
    reportgen.publish(folder, [small], day=DAY, title=HOSTILE_NAMES[0], site_title=HOSTILE_NAMES[1])
    reportgen.publish(folder, [large], day=DAY, compare=["H100"])
    names = ("before", "after")
    for name, states in (("diff", (small, large)), ("hostile", (hostile, small))):
        snapshots = [of_ledger(one, ledger) for one, ledger in zip(names, states, strict=True)]
        page = diff_page(compare(*snapshots), "1.2.3", [data_folder("templates")])
        (folder / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or tool("chromium", "chromium")
    done = subprocess.run(  # noqa: S603
        [tool("node", "nodejs"), str(Path(__file__).parent / "look.cjs"), str(folder), chromium],
        env={**os.environ, "NODE_PATH": str(node_modules)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_html_is_valid(looked: dict[str, Any], page: str) -> None:
    assert looked[page]["valid"] == []


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_accessible_silent_and_keeps_its_width(looked: dict[str, Any], page: str, look: str) -> None:
    found = looked[page]["looks"][look]
    assert found["violations"] == []
    assert found["noise"] == []
    assert found["sideways"] == 0


def test_a_hostile_title_runs_nothing(looked: dict[str, Any]) -> None:
    assert looked["index.html"]["looks"]["light"]["title"] == HOSTILE_NAMES[1]
