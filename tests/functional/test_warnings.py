"""What is doubtful in a plan is said on the Checks and on the page, and does not trouble a verification."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook

from reportgen.api import build_report, calculate, read_plan, verify_workbook

PLAN = "job,model,parameters,hardware\none,llama 7B,70B,H100\n"
DOUBT = "plan.csv:2"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("doubtful")
    (folder / "plan.csv").write_text(PLAN)
    return build_report(calculate(read_plan(folder / "plan.csv")), folder)


def test_a_doubt_stands_on_the_checks(outputs: tuple[Path, Path]) -> None:
    cells = [str(value) for row in load_workbook(outputs[0])["Checks"].values for value in row if value is not None]
    assert "Doubtful in the input" in cells
    assert [cell for cell in cells if DOUBT in cell and "7B" in cell]


def test_a_doubt_stands_on_the_page(outputs: tuple[Path, Path]) -> None:
    assert DOUBT in outputs[1].read_text()


def test_a_workbook_with_a_doubt_holds(outputs: tuple[Path, Path]) -> None:
    found = verify_workbook(outputs[0])
    assert ([str(difference) for difference in found.differences], found.untouched) == ([], True)


def test_of_very_many_doubts_the_first_hundred_and_their_number_are_said(tmp_path: Path) -> None:
    plan = "job,model,parameters,hardware\n" + "".join(f"job {n},llama 7B,70B,H100\n" for n in range(1_500))
    (tmp_path / "plan.csv").write_text(plan)
    book, page = build_report(calculate(read_plan(tmp_path / "plan.csv")), tmp_path)
    cells = [str(value) for row in load_workbook(book)["Checks"].values for value in row if value is not None]
    assert len([cell for cell in cells if cell.startswith("plan.csv:")]) == 100
    assert "... and 1,400 more" in cells
    assert page.read_text().count("plan.csv:") == 100
