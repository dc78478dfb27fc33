"""The program as tests of faults start it: with small catalogues, since what is tested is not their size."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from books import small_catalogues

REPORTGEN: Final = [sys.executable, "-m", "reportgen"]


def building(folder: Path) -> list[str]:
    """Return what builds a plan with small catalogues, which are written into a folder; the plan and more follow."""
    options = []
    for sheet, text in small_catalogues().items():
        name = sheet.title.lower().replace(" ", "-")
        path = folder / f"small-{name}.csv"
        path.write_text(text, encoding="utf-8")
        options += [f"--{name}", str(path)]
    return [*REPORTGEN, "build", *options, "--date", "2026-01-31"]
