"""Rows that are streamed as text are the cells that openpyxl would have written, whatever the threads."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import engines
import pytest
from books import DAY, SMALL_PLAN, read_texts, shipped_catalogues
from engines import LibreOffice, differences
from openpyxl import load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.ledger import calculate
from reportgen.report import Report
from reportgen.workbook import deflating, rows
from reportgen.workbook.book import SPARE_JOBS, build_workbook
from reportgen.workbook.cells import Book, Formula, Stored, save, write_text
from reportgen.workbook.layout import ROW_MARK
from reportgen.workbook.rows import RowStream, StreamedColumn, WatchedRows

JOBS = 60
HEADER, *_JOBS = SMALL_PLAN.splitlines()
ODD = ("=1+1", "-5", "100%", "%s", "%%d", "a & b < c", " spaces ", "two\u2003", "_x000D_", "é 漢 😀", "1e5", "'quoted")


def make_book() -> Book:
    """Return the workbook of some jobs with odd names."""
    jobs = [f'"{ODD[n % len(ODD)]}{n}"{one[one.index(",") :]}' for n, one in zip(range(JOBS), cycle(_JOBS))]
    inputs = read_texts("\n".join([HEADER, *jobs]), shipped_catalogues())
    return build_workbook(Report(calculate(inputs), "Rows", DAY, "0", ("H100", "A100-80")))


def built_of_cells(book: Book) -> Book:
    """Return the workbook with each of its streamed rows built of cells, styled as the row above the first."""
    for title, stream in book.rows_to_come.items():
        assert isinstance(stream, RowStream)
        for column in stream.columns:
            values = column.stored(0, stream.last_row - stream.first_row + 1)
            for place, value in enumerate(values, column.skipped):
                cell = book.workbook[title][f"{column.letter}{stream.first_row - column.skipped + place}"]
                _fill(cell, column, place, value)
    return Book(book.workbook)


def _fill(cell: Cell, column: StreamedColumn, place: int, value: Stored) -> None:
    default = column.default if column.default is not None and place in column.default.rows else None
    (default.style if default else column.style).give(cell)
    formula = default.formula if default else column.formula
    if formula:
        cell.value = Formula(formula.replace(ROW_MARK, str(cell.row)), value)
    elif not isinstance(value, str):
        cell.value = value
    elif value:
        write_text(cell, value)


def written(book: Book, path: Path) -> Path:
    save(book, path, DAY)
    return path


def read_cells(path: Path) -> dict[str, Any]:
    """Return every cell: its formula or value, its stored value, its type, its style in full."""
    live, stored = load_workbook(path), load_workbook(path, data_only=True)
    styles: dict[int, str] = {}
    for sheet in live.worksheets:
        for cell in cells_of(sheet):
            if cell.style_id not in styles:
                parts = (cell.font, cell.fill, cell.border, cell.alignment, cell.number_format, cell.quotePrefix)
                styles[cell.style_id] = "\n".join(map(repr, parts))
    return {
        f"{sheet.title}!{cell.coordinate}": (
            cell.value,
            stored[sheet.title][cell.coordinate].value,
            cell.data_type,
            styles[cell.style_id],
        )
        for sheet in live.worksheets
        for cell in cells_of(sheet)
    }


def cells_of(sheet: Worksheet) -> Iterator[Cell]:
    for row in sheet.iter_rows():
        yield from (cell for cell in row if isinstance(cell, Cell))


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the cells as openpyxl writes them one by one."""
    return read_cells(written(built_of_cells(make_book()), tmp_path_factory.mktemp("plain") / "plain.xlsx"))


@pytest.mark.parametrize(("at_once", "shared_from"), [(512, 1_000), (7, 1_000), (7, 10)])
def test_streamed_rows_are_the_cells_that_openpyxl_writes(
    cells: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, shared_from: int
) -> None:
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", at_once)
    monkeypatch.setattr(rows, "SHARED_FROM", shared_from)
    streamed = read_cells(written(make_book(), tmp_path / "streamed.xlsx"))
    assert {place: found for place, found in streamed.items() if found != cells.get(place)} == {}
    assert streamed.keys() == cells.keys()


def test_rows_are_counted_as_they_are_written() -> None:
    streams = make_book().rows_to_come
    assert streams["Plan"].count == JOBS - 1 + SPARE_JOBS
    for stream in streams.values():
        assert isinstance(stream, RowStream)
        written_rows: list[int] = []
        watched = WatchedRows(stream, written_rows.append)
        assert b"".join(watched.parts()) == b"".join(stream.parts())
        assert sum(written_rows) == stream.count == watched.last_row - stream.first_row + 1


def test_formulas_that_name_another_sheet_are_never_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "SHARED_FROM", 10)
    with zipfile.ZipFile(written(make_book(), tmp_path / "shared.xlsx")) as archive:
        shared = [
            formula
            for name in archive.namelist()
            for formula in re.findall(rb'<f t="shared" ref="[^"]+" si="\d+">([^<]+)</f>', archive.read(name))
        ]
    assert len(shared) > 20
    assert [formula for formula in shared if b"!" in formula or re.search(rb"[a-z]{3,}_", formula)] == []


def test_a_part_deflated_in_threads_is_whole_and_the_same_with_however_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"".join(b'<c r="A%d"><v>%d</v></c>' % (row, row * row) for row in range(200_000))
    found = set()
    for threads in (1, 2, 7):
        monkeypatch.setattr(os, "cpu_count", partial(int, threads))
        found.add(_zipped(content, tmp_path / "parts.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "parts.zip") as archive:
        assert archive.testzip() is None
        assert archive.read("part.xml") == content
    alone = zlib.compress(content, deflating.LEVEL)
    assert [len(one) < 1.02 * len(alone) for one in found] == [True]


def _zipped(content: bytes, path: Path) -> Path:
    entry = zipfile.ZipInfo("part.xml")
    entry.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w") as archive, archive.open(entry, "w") as part, deflating.deflating_in_threads(part):
        for start in range(0, len(content), 1_000_003):
            part.write(content[start : start + 1_000_003])
    return path


def test_shared_formulas_give_their_stored_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, libreoffice: LibreOffice
) -> None:
    monkeypatch.setattr(rows, "SHARED_FROM", 10)
    path = written(make_book(), tmp_path / "shared.xlsx")
    (recalculated,) = libreoffice.recalculate([path])
    assert differences(engines.Book(path), recalculated) == []
