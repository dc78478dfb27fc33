"""What the tests of the page share: the pages, and all that a browser and a validator see in one run."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from engines import absent, tool
from pages import SMALL, hostile_ledger, ledger_of, page_of

from reportgen.calculation.ledger import Ledger

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    """The figures of the small plan."""
    return ledger_of(SMALL)


@pytest.fixture(scope="session")
def page(ledger: Ledger) -> str:
    """The page of the small plan."""
    return page_of(ledger)


@pytest.fixture(scope="session")
def hostile_page() -> str:
    """A page in which every name is hostile."""
    return page_of(hostile_ledger(), "<script>document.title='owned'</script> \u202e")


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The packages of package.json, installed once into the user's cache."""
    npm = tool("npm", "npm")
    wanted = (HERE / "package.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "reportgen" / f"page-tests-{hashlib.sha256(wanted).hexdigest()[:16]}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_bytes(wanted)
        done = subprocess.run(  # noqa: S603
            [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            absent(f"npm cannot install tests/page/package.json: {done.stderr.strip().splitlines()[-1:]}")
        (folder / "done").touch()
    return folder / "node_modules"


@pytest.fixture(scope="session")
def seen(node_modules: Path, page: str, hostile_page: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What browser.cjs reports of both pages."""
    node = tool("node", "nodejs")
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or tool("chromium", "chromium")
    folder = tmp_path_factory.mktemp("pages")
    (folder / "small.html").write_text(page, encoding="utf-8", newline="\n")
    (folder / "hostile.html").write_text(hostile_page, encoding="utf-8", newline="\n")
    done = subprocess.run(  # noqa: S603
        [node, str(HERE / "browser.cjs"), str(folder), chromium],
        env={**os.environ, "NODE_PATH": str(node_modules)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    report["folder"] = folder
    return report
