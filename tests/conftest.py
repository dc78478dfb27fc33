"""What several tests share: the judge, and the workbook of a small plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from books import SMALL_PLAN, read_texts, save_report, small_catalogues
from engines import LibreOffice, tool


@pytest.fixture(scope="session")
def libreoffice(tmp_path_factory: pytest.TempPathFactory) -> LibreOffice:
    """The judge; a test that needs it skips without it, and fails in CI."""
    return LibreOffice(tool("soffice", "libreoffice-calc-nogui"), tmp_path_factory.mktemp("libreoffice"))


@pytest.fixture(scope="session")
def small_workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook of the small plan."""
    inputs = read_texts(SMALL_PLAN, small_catalogues())
    return save_report(inputs, tmp_path_factory.mktemp("small") / "small.xlsx")
