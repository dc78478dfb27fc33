"""Whoever reads the workbook without calculating sees every figure, and sees texts as they were written."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import pandas as pd  # type: ignore[import-untyped]  # its stubs are a package of their own
import polars as pl
import pytest
from books import SMALL_PLAN, read_texts, save_report, small_catalogues
from engines import Book, LibreOffice
from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_to_tuple, get_column_letter
from openpyxl.utils.escape import unescape
from xlsx2csv import Xlsx2csv  # type: ignore[import-untyped]  # it has no types

from reportgen.arrays import Array
from reportgen.calculation.bands import Calculation
from reportgen.calculation.bill import BillOfMaterials
from reportgen.calculation.ledger import CALCULATED_SHEETS, JOB_SHEETS, Ledger, calculate
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Sheet
from reportgen.units import TEXT, YES_NO
from reportgen.workbook.layout import FIRST_ROW, HEADER_ROW

DAY_0: Final = date(1899, 12, 30)
TABLES: Final = [sheet for sheet in CALCULATED_SHEETS if sheet in JOB_SHEETS]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return calculate(read_texts(SMALL_PLAN, small_catalogues()))


def _by_pandas(path: Path, engine: Any) -> Iterator[tuple[tuple[str, str], Any]]:  # noqa: ANN401 - pandas lists the names
    frames = pd.read_excel(path, sheet_name=None, header=None, engine=engine, keep_default_na=False, na_values=[])
    for sheet, frame in frames.items():
        for row, values in enumerate(frame.to_numpy(dtype=object).tolist(), 1):
            for column, value in enumerate(values, 1):
                yield (
                    (str(sheet), f"{get_column_letter(column)}{row}"),
                    _decoded(value) if engine == "openpyxl" else value,
                )


def _by_openpyxl(path: Path, **options: bool) -> Iterator[tuple[tuple[str, str], Any]]:
    workbook = load_workbook(path, data_only=True, **options)
    for page in workbook.worksheets:
        for row in page.iter_rows():
            for cell in row:
                if cell.value is not None:
                    yield (page.title, str(cell.coordinate)), _decoded(cell.value)
    workbook.close()


def _decoded(value: Any) -> Any:  # noqa: ANN401 - whatever a cell holds
    """Return what the file means: openpyxl leaves the standard's ``_x005F_`` for an underscore as it stands."""
    return unescape(value) if isinstance(value, str) else value


def _by_calamine(path: Path) -> Iterator[tuple[tuple[str, str], Any]]:
    for sheet, rows in Book(path).rows.items():
        for row, values in enumerate(rows, 1):
            for column, value in enumerate(values, 1):
                yield (sheet, f"{get_column_letter(column)}{row}"), value


READERS: Final = {
    "pandas with openpyxl": lambda path: dict(_by_pandas(path, "openpyxl")),
    "pandas with calamine": lambda path: dict(_by_pandas(path, "calamine")),
    "openpyxl": lambda path: dict(_by_openpyxl(path)),
    "openpyxl row by row": lambda path: dict(_by_openpyxl(path, read_only=True)),
    "calamine": lambda path: dict(_by_calamine(path)),
}


def _ledger_value(ledger: Ledger, sheet: str, address: str) -> Any:  # noqa: ANN401 - a figure, a text, yes or no
    """Return what the ledger has for a formula cell of a table; None for any other cell."""
    row, column = coordinate_to_tuple(address)
    table = next((table for table in TABLES if table.title == sheet), None)
    if table is None or not FIRST_ROW <= row < FIRST_ROW + len(ledger.inputs.plan):
        return None
    declared = table.columns[column - 1]
    figures: Array = ledger.values[declared]  # noqa: PD011 - no data frame
    value = figures.tolist()[row - FIRST_ROW]
    if isinstance(value, float) and math.isnan(value):
        return declared.absent
    return value == 1 if declared.unit == YES_NO else value


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a reader makes of a cell
    """Return a date as the number that the cell holds."""
    return (date(value.year, value.month, value.day) - DAY_0).days if isinstance(value, date) else value


@pytest.mark.parametrize("reader", READERS)
def test_every_formula_cell_shows_its_value_to_a_reader(small_workbook: Path, ledger: Ledger, reader: str) -> None:
    seen = READERS[reader](small_workbook)
    cells = [(sheet, address) for sheet, address, _ in Book(small_workbook).figures()]
    empty = [
        cell
        for cell in cells
        if (seen.get(cell) in (None, "") or seen[cell] != seen[cell]) and cell[0] != BillOfMaterials.title
    ]  # the bill shows no money where nothing has a price
    in_use = {_row(cell) for cell in cells if seen.get(cell) not in (None, "", 0) and not cell[1].startswith("A")}
    assert [cell for cell in empty if _row(cell) in in_use and _ledger_value(ledger, *cell) != ""] == []
    assert len(cells) - len(empty) > 500


def _row(cell: tuple[str, str]) -> tuple[str, int]:
    return cell[0], coordinate_to_tuple(cell[1])[0]


@pytest.mark.parametrize("reader", READERS)
def test_every_stored_value_is_the_ledgers_to_the_last_digit(small_workbook: Path, ledger: Ledger, reader: str) -> None:
    seen = READERS[reader](small_workbook)
    expected = {
        (sheet, address): value
        for sheet, address, _ in Book(small_workbook).figures()
        if (value := _ledger_value(ledger, sheet, address)) not in (None, "")
    }
    assert {cell: _plain(seen.get(cell)) for cell in expected} == expected
    assert len(expected) > 500


def _rows_by_polars(path: Path, sheet: type[Sheet]) -> Iterator[list[str]]:
    numbers = {column.header: pl.Float64 for column in sheet.columns if column.unit not in (TEXT, YES_NO)}
    frame = pl.read_excel(
        path, sheet_name=sheet.title, read_options={"header_row": HEADER_ROW - 1}, schema_overrides=numbers
    )
    for row in frame.rows():
        cells = zip(row, sheet.columns, strict=True)
        yield [column.absent if cell is None else repr(cell) for cell, column in cells]


def _rows_by_xlsx2csv(path: Path, sheet: type[Sheet]) -> Iterator[list[str]]:
    text = io.StringIO()
    Xlsx2csv(str(path), ignore_formats=["float", "percentage"], floatformat="%.17g").convert(
        text, sheetname=sheet.title
    )
    return itertools.islice(csv.reader(text.getvalue().splitlines()), HEADER_ROW, None)


@pytest.mark.parametrize("rows_of", [_rows_by_polars, _rows_by_xlsx2csv])
@pytest.mark.parametrize("sheet", [Calculation, Sharding], ids=lambda sheet: sheet.title)
def test_readers_of_texts_see_the_ledgers_figures(
    small_workbook: Path,
    ledger: Ledger,
    sheet: type[Sheet],
    rows_of: Callable[[Path, type[Sheet]], Iterator[list[str]]],
) -> None:
    jobs = len(ledger.inputs.plan)
    rows = list(itertools.islice(rows_of(small_workbook, sheet), jobs))
    for position, column in enumerate(sheet.columns):
        figures = ledger.values[column]  # noqa: PD011 - no data frame
        if figures.dtype == object or column.unit == YES_NO:
            continue
        expected = [column.absent if math.isnan(figure) else figure for figure in figures.tolist()]
        seen = [cell if cell == column.absent else float(cell) for cell in (row[position] for row in rows)]
        assert seen == expected, column.name


# --- texts -----------------------------------------------------------------------------------------------------------

TEXTS: Final = (
    *("=1+1", "==x", "#N/A", "#DIV/0!", "_x000D_", "2026-01", "@SUM(A1)", "+1", "-1", "'quoted", "TRUE", "1e5"),
    *(
        '=HYPERLINK("http://x","y")',
        "=cmd|' /C calc'!A0",
        "00123",
        "a & b < c > d",
        "ﬁ, ü, 漢字, 😀",
        "{=1}",
        "12:30",
        "50%",
    ),
)


@pytest.fixture(scope="module")
def text_workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = ["job,parameters,hardware,remark"]
    lines += [f'"{quoted}",1B,H100,"{quoted}"' for text in TEXTS if (quoted := text.replace('"', '""'))]
    inputs = read_texts("\n".join(lines), small_catalogues())
    return save_report(inputs, tmp_path_factory.mktemp("texts") / "texts.xlsx")


def _column_of(seen: dict[tuple[str, str], Any], sheet: str, header: str) -> list[Any]:
    address = next(address for (title, address), value in seen.items() if title == sheet and value == header)
    letter = address.rstrip("0123456789")
    return [seen.get((sheet, f"{letter}{FIRST_ROW + row}")) for row in range(len(TEXTS))]


@pytest.mark.parametrize("place", [("Plan", "job"), ("Plan", "remark"), ("Calculation", "job")], ids=" ".join)
@pytest.mark.parametrize("reader", READERS)
def test_a_text_comes_back_as_it_was_written(text_workbook: Path, reader: str, place: tuple[str, str]) -> None:
    assert _column_of(READERS[reader](text_workbook), *place) == list(TEXTS)


def test_a_text_in_an_input_cell_is_no_formula(text_workbook: Path) -> None:
    assert Book(text_workbook).formulas["Plan"] == {}


def test_a_text_is_the_same_after_recalculation(text_workbook: Path, libreoffice: LibreOffice) -> None:
    (live,) = libreoffice.recalculate([text_workbook])
    seen = READERS["calamine"](live.path)
    assert _column_of(seen, "Calculation", "job") == list(TEXTS)
    assert _column_of(seen, "Plan", "remark") == list(TEXTS)
