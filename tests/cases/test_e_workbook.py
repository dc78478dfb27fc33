"""Cases E of inputs.md that hostile inputs reach; the file's own form is shown in tests/workbook/.

There: E05 lawful names, E11, E13, E15 and E23 safe formulas and parts, E17 stored values, E25 other readers, E27 bytes.
"""

from __future__ import annotations

import re
import zipfile
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from case_files import Outputs, build, refused
from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

SPREADSHEET: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CARDS: Final = 60
HEADERS: Final = ("2026", "=x", "GPU\nmem", "<b>", "\N{CLAPPER BOARD}" * 16, "Q1", "#N/A", "'x", "TRUE")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """A plan with odd headers of the user's own, long names alike, and many cards with odd names."""
    named = ["Data", "data 2", *("ThisIsAnExampleNameWith31Chars_" + end for end in "AB"), "x" * 200]
    header = ",".join(["job", "params", "gpu", "hours", "cards", *(f'"{name}"' for name in HEADERS)])
    rows = [f'{name},7B,"card, ""{place}""",1234567,512{",v" * len(HEADERS)}' for place, name in enumerate(named)]
    hardware = "hardware,label_memory,reported_memory,price_per_card_hour\n" + "".join(
        f'"card, ""{place}""",80 GB,81559 MiB,1234.56\n' for place in range(CARDS)
    )
    folder = tmp_path_factory.mktemp("workbook")
    return build("\n".join([header, *rows]) + "\n", folder, hardware=hardware)


@pytest.fixture(scope="module")
def parts(outputs: Outputs) -> dict[str, str]:
    """The parts of the workbook."""
    with zipfile.ZipFile(outputs.workbook) as archive:
        return {part: archive.read(part).decode() for part in archive.namelist() if part.endswith((".xml", ".rels"))}


def units(text: str) -> int:
    """Return how many characters Excel counts."""
    return len(text.encode("utf-16-le")) // 2


def test_e01_e03_sheets_have_short_names_of_their_own(outputs: Outputs) -> None:
    names = load_workbook(outputs.workbook).sheetnames
    assert max(map(units, names)) <= 31
    assert len({name.casefold() for name in names}) == len(names)


def test_e07_the_columns_of_a_table_are_the_texts_above_them(outputs: Outputs) -> None:
    """There is no table object yet; one that comes must have them."""
    workbook = load_workbook(outputs.workbook)
    for sheet, table in [(one, table) for one in workbook for table in one.tables.values()]:
        left, top, right, bottom = (side or 0 for side in range_boundaries(table.ref))
        above = [sheet.cell(top, column).value for column in range(left, right + 1)]
        assert [text.replace("_x000a_", "\n") for text in table.column_names] == above
        assert bottom > top


def test_e07_a_header_of_the_users_own_is_in_the_workbook_as_it_is(outputs: Outputs) -> None:
    assert set(HEADERS) <= {text.replace("_x000a_", "\n") for text in outputs.texts("Plan")}


def test_e07_an_empty_header_over_values_is_refused() -> None:
    assert "which has no name" in str(refused("params,gpu,\n7B,H100,x\n"))


def test_e09_no_filter_of_a_sheet_lies_over_a_table(parts: dict[str, str]) -> None:
    assert not [
        part
        for part, text in parts.items()
        if part.startswith("xl/worksheets/") and "<tableParts" in text and "<autoFilter" in text
    ]


def test_e19_lists_of_choices_live_in_cells(parts: dict[str, str]) -> None:
    sheets = [ET.fromstring(text) for part, text in parts.items() if re.match(r"xl/worksheets/sheet", part)]  # noqa: S314
    lists = [
        rule.findtext(f"{SPREADSHEET}formula1", "")
        for sheet in sheets
        for rule in sheet.iter(f"{SPREADSHEET}dataValidation")
        if rule.get("type") == "list"
    ]
    assert lists
    assert [one for one in lists if len(one) > 255 or "card" in one] == []


def test_e21_columns_are_wide_enough_and_no_wider_than_a_screen(outputs: Outputs) -> None:
    for sheet in load_workbook(outputs.workbook):
        assert [one.width for one in sheet.column_dimensions.values() if one.width > 80] == []


def test_e_every_part_is_well_formed(parts: dict[str, str]) -> None:
    for text in parts.values():
        ET.fromstring(text)  # noqa: S314 - a file of our own
