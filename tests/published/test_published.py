"""Published figures, each to the last digit, wherever they are shown: the table, the workbook, the page."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from python_calamine import CalamineWorkbook

import reportgen
from reportgen.files import data_folder

CASES: Final = list(csv.DictReader((Path(__file__).parent / "seed_cases.csv").read_text(encoding="utf-8").splitlines()))
CARDS: Final = {"80 GB": "H100"}
IDS: Final = [f"{case['case']}-{case['quantity']}" for case in CASES]
JOBS: Final = ("parameters", "trainable_parameters", "optimizer", "recipe")

AS_READ: Final = {
    "447.0348358154297": "447",
    "74.50580596923828": "74.5",
    "0.75": "75%",
}
"""Figures that are rounded for the eye, as the article prints them."""

_CATALOGUES: Final = {path.stem for path in data_folder("inputs").glob("*.csv")} - {"plan"}
_SIX_POINT_FOUR: Final = re.compile(r"(?<![\d.,])6\.4\d*")


def run(folder: Path, *arguments: str) -> str:
    """Run reportgen in a folder and return what it prints."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "reportgen", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(reportgen.__file__).parents[1])},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan with one job a case, and its report; another with the 30B job alone."""
    folder = tmp_path_factory.mktemp("published")
    jobs = {case["case"]: [case[column] for column in JOBS] + [CARDS[case["card"]]] for case in CASES}
    rows = [",".join(("job", *JOBS, "hardware")), *(",".join((name, *cells)) for name, cells in jobs.items())]
    (folder / "seed.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "thirty.csv").write_text("\n".join(rows[:2]) + "\n", encoding="utf-8")
    run(folder, "build", "seed.csv")
    run(folder, "build", "thirty.csv")
    return folder


@pytest.fixture(scope="module")
def table(folder: Path) -> dict[str, Mapping[str, float]]:
    """What ``reportgen table`` prints, by job."""
    return {record["job"]: record for record in json.loads(run(folder, "table", "seed.csv", "--format", "json"))}


@pytest.fixture(scope="module")
def stored(folder: Path) -> dict[str, Mapping[str, object]]:
    """What the cells of the sheet Calculation hold, by job."""
    rows = CalamineWorkbook.from_path(folder / "seed.xlsx").get_sheet_by_name("Calculation").to_python()
    header = next(position for position, row in enumerate(rows) if ledger_name(row[0]) == "job")
    names = [ledger_name(cell) for cell in rows[header]]
    return {str(row[0]): dict(zip(names, row, strict=True)) for row in rows[header + 1 :]}


@pytest.fixture(scope="module")
def page(folder: Path) -> dict[str, Mapping[str, str]]:
    """What the page says of each figure, by job."""
    text = (folder / "seed.html").read_text(encoding="utf-8")
    return {job: dict(figures(arithmetic)) for job, arithmetic in jobs_of(text)}


def ledger_name(cell: object) -> str:
    """Return the ledger's name in a header cell: ``cards_needed [card]`` is ``cards_needed``."""
    return str(cell).split(" ", maxsplit=1)[0]


def jobs_of(page: str) -> Iterator[tuple[str, str]]:
    """Yield each job's name and the part of the page that explains its figures."""
    for part in re.findall(r'<details class="job".*?</details>', page, re.DOTALL):
        if name := re.search(r"<h3><bdi>(.*?)</bdi></h3>", part, re.DOTALL):
            yield unescape(name[1].strip()), part


def figures(part: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each figure and the result that the page prints in bold."""
    for name, result in re.findall(r"<dt><a[^>]*>(\w+)</a></dt>.*?<strong>(.*?)</strong>", part, re.DOTALL):
        yield name, unescape(result)


def as_read(value: str, unit: str) -> str:
    """Return a figure with its unit as a person reads it."""
    number = AS_READ.get(value, f"{int(float(value)):,}")
    if unit == "1":
        return number
    counted, *rest = unit.split("/")
    many = counted + "s" if counted in {"byte", "value", "card"} and value != "1" else counted
    return f"{number} {'/'.join([many, *rest])}"


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_table_has_the_published_figure(case: dict[str, str], table: dict[str, Mapping[str, float]]) -> None:
    assert table[case["case"]][case["quantity"]] == float(case["value"])


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_workbook_stores_the_published_figure(
    case: dict[str, str], stored: dict[str, Mapping[str, object]]
) -> None:
    assert stored[case["case"]][case["quantity"]] == float(case["value"])


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_page_says_the_published_figure(case: dict[str, str], page: dict[str, Mapping[str, str]]) -> None:
    said = page[case["case"]][case["quantity"]]
    assert said.split(" = ")[0] == as_read(case["value"], case["unit"])


@pytest.mark.parametrize(
    ("job", "name", "words"),
    [
        ("article-1", "training_footprint_bytes", "480,000,000,000 bytes = 480 GB = 447 GiB"),
        ("article-1", "card_gib", "74.5 GiB"),
        ("article-1", "cards_exact", "6 cards"),
        ("article-1", "cards_needed", "6 cards"),
        ("article-1", "inference_gb", "60 GB"),
        ("article-2-adam", "gradient_and_optimizer_bytes", "78,000,000,000 bytes = 78 GB = 72.6 GiB"),
        ("article-2-momentum", "gradient_and_optimizer_bytes", "52,000,000,000 bytes = 52 GB = 48.4 GiB"),
        ("article-2-sgd", "gradient_and_optimizer_bytes", "26,000,000,000 bytes = 26 GB = 24.2 GiB"),
        ("article-2-small", "gradient_and_optimizer_bytes", "6,000,000,000 bytes = 6 GB = 5.59 GiB"),
        ("article-2-frozen", "gradient_and_optimizer_bytes", "6,000,000,000 bytes = 6 GB = 5.59 GiB"),
    ],
)
def test_the_page_prints_what_the_article_prints(
    job: str, name: str, words: str, page: dict[str, Mapping[str, str]]
) -> None:
    assert page[job][name] == words


def test_the_page_of_the_30b_job_never_says_6_4(folder: Path) -> None:
    text = re.sub(r"<style>.*?</style>", "", (folder / "thirty.html").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert _SIX_POINT_FOUR.findall(text) == []


def test_the_workbook_of_the_30b_job_never_says_6_4(folder: Path) -> None:
    workbook = CalamineWorkbook.from_path(folder / "thirty.xlsx")
    cells = [
        str(cell)
        for name in workbook.sheet_names
        if name.lower().replace(" ", "_") not in _CATALOGUES
        for row in workbook.get_sheet_by_name(name).to_python()
        for cell in row
    ]
    assert [cell for cell in cells if _SIX_POINT_FOUR.search(cell)] == []
    assert cells
