"""The benchmark runs, and all writers in it write the same cells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmark import measured
from entries import OURS, PEERS, Entry
from openpyxl import load_workbook
from page_of_figures import LABELS, Figures, page, short

from reportgen.workbook.layout import HEADER_ROW

JOBS = 2
SHEETS = ("Plan", "Calculation", "Activations", "Memory", "Sharding", "Cost", "Hardware comparison")

pytest.importorskip("rustpy_xlsxwriter")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the benchmark writes its files."""
    return tmp_path_factory.mktemp("benchmark")


@pytest.fixture(scope="module")
def figures(folder: Path) -> Figures:
    """The figures of a small benchmark."""
    return measured([JOBS], folder, 1)


def cells(file: Path, *, values: bool = False) -> Iterator[tuple[str, object, str]]:
    """Yield the place, the content and the number format of each cell of the job sheets, from the header on."""
    workbook = load_workbook(file, data_only=values)
    for title in SHEETS:
        for number, row in enumerate(workbook[title].iter_rows(min_row=HEADER_ROW), HEADER_ROW):
            for cell in row:
                if cell.value not in (None, "") or values:
                    number_format = cell.number_format if number > HEADER_ROW else ""
                    yield f"{title}!{cell.coordinate}", cell.value, number_format


@pytest.mark.usefixtures("figures")
@pytest.mark.parametrize("peer", PEERS)
def test_every_writer_writes_the_same_cells(peer: str, folder: Path) -> None:
    assert list(cells(folder / f"{peer}.xlsx")) == list(cells(folder / "ours.xlsx"))


@pytest.mark.usefixtures("figures")
def test_xlsxwriter_stores_the_same_values(folder: Path) -> None:
    ours, theirs = (list(cells(folder / name, values=True)) for name in ("ours.xlsx", "XlsxWriter.xlsx"))
    assert len(ours) == len(theirs)
    assert [pair for pair in zip(ours, theirs, strict=True) if not _same(pair[0][1], pair[1][1])] == []


def _same(one: object, other: object) -> bool:
    """Whether two values agree; XlsxWriter writes sixteen digits of an input."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return isinstance(one, bool) is isinstance(other, bool) and math.isclose(one, other, rel_tol=1e-15)
    return (one or None) == (other or None)


def test_the_page_and_the_readme_have_a_line_for_every_writer(figures: Figures) -> None:
    for name in (OURS, *PEERS):
        assert f"| {LABELS[name]} |" in page(figures)
        assert f"| {LABELS[name]} |" in short(figures)


def test_the_page_counts_the_cells_that_are_written(figures: Figures, folder: Path) -> None:
    counted = sum(1 for _ in cells(folder / "ours.xlsx", values=True)) - sum(1 for _ in headers(folder / "ours.xlsx"))
    assert f"{JOBS} jobs: {counted:,} cells" in page(figures)


def headers(file: Path) -> Iterator[object]:
    """Yield the headers of the job sheets."""
    workbook = load_workbook(file)
    for title in SHEETS:
        yield from workbook[title][HEADER_ROW]


def test_growth_is_that_of_each_job_without_what_one_job_takes(figures: Figures) -> None:
    def grown(entry: Entry, jobs: int, seconds: float) -> Entry:
        runs = tuple(replace(run, cpu=seconds) for run in entry.runs)
        return replace(entry, jobs=jobs, runs=runs, beside=())

    small, large = ([grown(one, *size) for one in figures.writers[JOBS]] for size in ((10, 2.0), (100, 16.0)))
    phases = [grown(one, *size) for one in figures.phases for size in ((10, 2.0), (100, 16.0))]
    alone = {one.name: grown(one, 1, 1.0) for one in (*figures.writers[JOBS], *figures.phases)}
    growing = replace(figures, writers={10: small, 100: large}, phases=phases, fixed=alone)
    assert f"| {LABELS[OURS]} | 10 | 100,000 | 100 | 150,000 | 1.50 |" in page(growing)
