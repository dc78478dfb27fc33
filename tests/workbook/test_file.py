"""What stands in the file: lawful parts, safe functions, no typed figure, the same bytes each time, a seal."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from books import DAY, SMALL_PLAN, read_texts, save_report, small_catalogues
from engines import Book, absent, environment
from openpyxl import load_workbook
from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token

from reportgen.seal import is_untouched

SAFE_FUNCTIONS: Final = {
    *("ABS", "AND", "AVERAGE", "CEILING", "CHOOSE", "COUNT", "COUNTA", "COUNTBLANK", "COUNTIF", "COUNTIFS", "EXACT"),
    *("IF", "IFERROR", "INDEX", "INT", "ISBLANK", "ISERROR", "ISNUMBER", "LARGE", "LEN", "MATCH", "MAX", "MIN", "MOD"),
    *("N", "NOT", "OR", "PRODUCT", "RANK", "ROUND", "ROW", "ROWS", "SIGN", "SUM", "SUMIF", "SUMIFS", "SUMPRODUCT"),
    *("LCM", "SMALL", "SUBSTITUTE"),
}
"""Right in every program tried (workbook.md, section C); the last line by this suite, in LibreOffice."""

STRUCTURAL: Final = frozenset({"0", "1", "2", "3", "4"})
"""Numbers that no input could hold: ZeRO stages, matrices of an MLP, and the plain MLP's fourfold width by default."""

ADDRESS: Final = re.compile(r"('([^']|'')+'!|\w+!)?\$?[A-Z]{1,3}\$?\d+(:\$?[A-Z]{1,3}\$?\d+)?")
READ_AS_AN_ADDRESS: Final = re.compile(r"[A-Z]{1,3}\d+|R|C|R\d*C\d*|TRUE|FALSE", re.IGNORECASE)
LAWFUL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


def _tokens(path: Path) -> Iterator[tuple[str, Token]]:
    for sheet, formulas in Book(path).formulas.items():
        for address, formula in formulas.items():
            for token in Tokenizer("=" + formula).items:
                yield f"{sheet}!{address} ={formula}", token


def test_no_formula_holds_a_typed_figure(small_workbook: Path) -> None:
    numbers = {(token.value, place) for place, token in _tokens(small_workbook) if token.subtype == Token.NUMBER}
    assert {number: place for number, place in numbers if number not in STRUCTURAL} == {}


def test_formulas_use_functions_that_every_program_has(small_workbook: Path) -> None:
    used = {
        token.value.rstrip("(")
        for _, token in _tokens(small_workbook)
        if token.type == Token.FUNC and token.subtype == Token.OPEN
    }
    assert used - SAFE_FUNCTIONS == set()
    assert {"INDEX", "MATCH", "ROUND", "CEILING"} <= used


def test_formulas_refer_to_plain_addresses_and_defined_names_only(small_workbook: Path) -> None:
    names = set(load_workbook(small_workbook).defined_names)
    ranges = {token.value for _, token in _tokens(small_workbook) if token.subtype == Token.RANGE}
    assert {one for one in ranges if not ADDRESS.fullmatch(one)} - names == set()
    assert all(token.subtype != Token.ERROR for _, token in _tokens(small_workbook))


def test_a_figure_typed_into_a_formula_would_be_found(small_workbook: Path, tmp_path: Path) -> None:
    workbook = load_workbook(small_workbook)
    workbook["Summary"]["H1"] = "=Plan!C6*16"
    workbook.save(tmp_path / "typed.xlsx")
    with pytest.raises(AssertionError, match="'16'"):
        test_no_formula_holds_a_typed_figure(tmp_path / "typed.xlsx")


def test_every_defined_name_is_lawful_and_absolute(small_workbook: Path) -> None:
    names = load_workbook(small_workbook).defined_names
    assert names
    assert [name for name in names if not LAWFUL_NAME.fullmatch(name) or READ_AS_AN_ADDRESS.fullmatch(name)] == []
    absolute = re.compile(r"'([^']|'')+'!\$[A-Z]+\$\d+(:\$[A-Z]+\$\d+)?")
    assert [one.attr_text for one in names.values() if not absolute.fullmatch(str(one.attr_text))] == []


def test_every_part_is_well_formed_and_there_once(small_workbook: Path) -> None:
    with zipfile.ZipFile(small_workbook) as archive:
        parts = archive.namelist()
        assert archive.testzip() is None
        assert len(parts) == len({part.casefold() for part in parts})
        for part in parts:
            if part.endswith((".xml", ".rels", ".vml")):
                ET.fromstring(archive.read(part))  # noqa: S314 - a file of our own


def test_nothing_in_the_file_needs_a_newer_excel_or_another_file(small_workbook: Path) -> None:
    with zipfile.ZipFile(small_workbook) as archive:
        parts = {part: archive.read(part).decode() for part in archive.namelist()}
    assert not [part for part in parts if re.search(r"calcChain|externalLink|vbaProject|connections", part)]
    assert not [part for part, text in parts.items() if re.search(r"_xlfn|_xlws|\[@|#REF!|t=\"array\"", text)]
    assert not [part for part, text in parts.items() if 'TargetMode="External"' in text]
    assert 'fullCalcOnLoad="1"' in parts["xl/workbook.xml"]


# --- the same bytes each time ----------------------------------------------------------------------------------------

BUILD: Final = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from books import SMALL_PLAN, read_texts, save_report, small_catalogues
save_report(read_texts(SMALL_PLAN, small_catalogues()), Path(sys.argv[2]))
"""
TESTS: Final = Path(__file__).parents[1]


def _built_elsewhere(path: Path, **variables: str) -> bytes:
    """Return the workbook that a Python of its own builds under other environment variables."""
    command = [sys.executable, "-c", BUILD, str(TESTS), str(path)]
    subprocess.run(command, check=True, env=environment(**variables), cwd=path.parent)  # noqa: S603 - our own command
    return path.read_bytes()


def test_two_builds_of_one_day_are_the_same_bytes(small_workbook: Path, tmp_path: Path) -> None:
    again = save_report(read_texts(SMALL_PLAN, small_catalogues()), tmp_path / "another name.xlsx")
    assert again.read_bytes() == small_workbook.read_bytes()


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_neither_hash_seed_nor_time_zone_nor_folder_change_a_byte(
    small_workbook: Path, tmp_path: Path, seed: str
) -> None:
    zone = {"0": "Pacific/Auckland", "4711": "America/Los_Angeles"}[seed]
    built = _built_elsewhere(tmp_path / "elsewhere.xlsx", PYTHONHASHSEED=seed, TZ=zone, LC_ALL="C")
    assert hashlib.sha256(built).hexdigest() == hashlib.sha256(small_workbook.read_bytes()).hexdigest()


def test_the_cells_are_the_same_with_and_without_lxml(tmp_path: Path) -> None:
    if importlib.util.find_spec("lxml") is None:
        absent("lxml is not installed: pip install lxml")
    books = []
    for choice in ("True", "False"):
        path = tmp_path / f"{choice}.xlsx"
        _built_elsewhere(path, OPENPYXL_LXML=choice)
        books.append(Book(path))
    assert books[0].rows == books[1].rows
    assert books[0].formulas == books[1].formulas


# --- the seal --------------------------------------------------------------------------------------------------------


def test_a_workbook_as_it_was_written_is_untouched(small_workbook: Path) -> None:
    assert is_untouched(small_workbook)


def test_a_workbook_that_a_program_saved_again_is_edited(small_workbook: Path, tmp_path: Path) -> None:
    load_workbook(small_workbook).save(tmp_path / "saved.xlsx")
    assert not is_untouched(tmp_path / "saved.xlsx")


@pytest.mark.parametrize("edit", ["a changed part", "a part more", "a part less", "no zip"])
def test_a_workbook_with_other_content_is_edited(small_workbook: Path, tmp_path: Path, edit: str) -> None:
    target = tmp_path / "edited.xlsx"
    with zipfile.ZipFile(small_workbook) as archive, zipfile.ZipFile(target, "w") as copy:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "xl/worksheets/sheet1.xml":
                if edit == "a part less":
                    continue
                content = content.replace(b"<v>", b"<v>1", 1) if edit == "a changed part" else content
            copy.writestr(name, content)
        if edit == "a part more":
            copy.writestr("xl/vbaProject.bin", b"")
    if edit == "no zip":
        target.write_bytes(small_workbook.read_bytes()[:-30])
    assert not is_untouched(target)


def test_the_date_of_the_report_stands_in_the_file(small_workbook: Path) -> None:
    properties = load_workbook(small_workbook).properties
    assert properties.created is not None
    assert properties.created.date() == DAY


# --- a round trip through another program -----------------------------------------------------------------------------


def _what_a_reader_would_miss(path: Path) -> dict[str, object]:
    workbook = load_workbook(path)
    seen: dict[str, object] = {name: one.attr_text for name, one in workbook.defined_names.items()}
    for sheet in workbook.worksheets:
        cells = [cell for row in sheet for cell in row]
        seen[sheet.title] = (
            [str(getattr(cell.value, "text", cell.value)) for cell in cells],
            [cell.comment.text for cell in cells if cell.comment],
            [(cell.style, cell.number_format) for cell in cells],
            sorted((str(rule.sqref), str(rule.formula1), rule.error) for rule in sheet.data_validations.dataValidation),
            sorted(str(marked.sqref) for marked in sheet.conditional_formatting),
            len(getattr(sheet, "_charts")),  # noqa: B009 - there is no other way to count them
            (sheet.freeze_panes, sheet.print_title_rows),
            {letter: (one.width, one.outlineLevel) for letter, one in sheet.column_dimensions.items()},
        )
    return seen


def test_opening_and_saving_again_loses_nothing(small_workbook: Path, tmp_path: Path) -> None:
    load_workbook(small_workbook).save(tmp_path / "again.xlsx")
    before, after = (_what_a_reader_would_miss(path) for path in (small_workbook, tmp_path / "again.xlsx"))
    assert after == before
