"""GB is 10⁹ bytes and GiB is 2³⁰ bytes, in every name, header and label of every output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from python_calamine import CalamineWorkbook

from reportgen import build_report, calculate, read_plan
from reportgen.files import data_folder
from reportgen.listing import as_markdown_glossary

BYTES_IN: Final = {"GB": 10**9, "GiB": 2**30}
ENDING: Final = {"_gb": "GB", "_gib": "GiB"}
BYTES_OF: Final = {"card": "label_bytes"}
"""The bytes behind a figure in GB or GiB, where they are not called like it."""

HEADER: Final = re.compile(r"(?P<name>\w+)(?: \[(?P<unit>.+)\])?")
BARE: Final = re.compile(r"(?<![A-Za-z\d])\d[\d.,]*\s?(?:G|Gb|gb|gib|gigs?|gigabytes?|Gbytes?)\b")
BOTH: Final = re.compile(r"([\d,]+) bytes? = ([\d,.]+) (GB) = ([\d,.]+) (GiB)")
NAMES_OF_CARDS: Final = {"Hardware", "Cloud prices"}
"""Sheets that quote names as drivers and clouds print them, ``144G`` among them."""

Cells = list[list[object]]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The workbook and the page of the plan that ships."""
    ledger = calculate(read_plan(data_folder("inputs") / "plan.csv"))
    return build_report(ledger, tmp_path_factory.mktemp("labels"), name="plan")


@pytest.fixture(scope="module")
def sheets(outputs: tuple[Path, Path]) -> dict[str, Cells]:
    """The cells of every sheet."""
    book = CalamineWorkbook.from_path(outputs[0])
    return {name: [list(row) for row in book.get_sheet_by_name(name).to_python()] for name in book.sheet_names}


@pytest.fixture(scope="module")
def words(outputs: tuple[Path, Path]) -> str:
    """What a reader of the page reads."""
    page = re.sub(r"<(style|script)\b.*?</\1>", "", outputs[1].read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def tables(sheets: dict[str, Cells]) -> Iterator[tuple[str, dict[str, tuple[str, list[object]]]]]:
    """Yield each sheet that has headers with units: by column its unit and its cells."""
    for name, cells in sheets.items():
        for position, row in enumerate(cells):
            headers = [HEADER.fullmatch(str(cell)) for cell in row]
            if any(header and header["unit"] for header in headers):
                below = list(zip(*cells[position + 1 :], strict=True))
                yield (
                    name,
                    {
                        header["name"]: (header["unit"] or "", list(column))
                        for header, column in zip(headers, below, strict=True)
                        if header
                    },
                )
                break


def mislabelled(name: str, unit: str) -> bool:
    """Return whether a column says one system in its name and another, or none, in its unit.

    Cards are a quotient: they may say in which system it was taken.
    """
    named = next((meant for ending, meant in ENDING.items() if name.endswith(ending)), None)
    return named is not None and unit not in (named, "card")


def test_the_glossary_names_the_system_that_a_column_is_in() -> None:
    entries = [line.split(" | ")[:2] for line in as_markdown_glossary().splitlines()[2:]]
    units = {name.removeprefix("| "): unit for name, unit in entries}
    assert {name: unit for name, unit in units.items() if mislabelled(name, unit)} == {}
    assert {unit for name, unit in units.items() if unit in BYTES_IN} == set(BYTES_IN)
    assert {name for name, unit in units.items() if unit in BYTES_IN and not name.endswith(tuple(ENDING))} == set()


def test_the_workbooks_headers_name_the_system_that_a_column_is_in(sheets: dict[str, Cells]) -> None:
    units = {(sheet, name): unit for sheet, table in tables(sheets) for name, (unit, _) in table.items()}
    assert {key: unit for key, unit in units.items() if mislabelled(key[1], unit)} == {}
    assert len([unit for unit in units.values() if unit in BYTES_IN]) >= 6


def test_each_stored_figure_in_gb_or_gib_is_its_bytes_divided(sheets: dict[str, Cells]) -> None:
    compared = []
    for _, table in tables(sheets):
        for name, (unit, cells) in table.items():
            stem = re.sub(r"_(gb|gib)$", "", name)
            _, held = table.get(BYTES_OF.get(stem, f"{stem}_bytes"), ("", []))
            if stem != name and held:
                pairs = [pair for pair in zip(held, cells, strict=True) if all(isinstance(one, float) for one in pair)]
                assert [float(str(one)) / BYTES_IN[unit] for one, _ in pairs] == [shown for _, shown in pairs], name
                compared.append(name)
    assert {"training_footprint_gb", "training_footprint_gib", "card_gb", "card_gib"} <= set(compared)


def test_each_figure_in_words_is_its_bytes_divided(words: str) -> None:
    said = BOTH.findall(words)
    assert len(said) > 100
    assert [figure for figure in said if not _agree(*figure[:3]) or not _agree(figure[0], *figure[3:])] == []


def _agree(held: str, shown: str, unit: str) -> bool:
    """Return whether a figure is right to its last digit shown, wherever a tie goes."""
    half = Fraction(1, 2 * 10 ** len(shown.partition(".")[2]))
    exact = Fraction(int(held.replace(",", "")), BYTES_IN[unit])
    return abs(Fraction(shown.replace(",", "")) - exact) <= half


def test_no_unit_is_left_open(sheets: dict[str, Cells], words: str) -> None:
    texts = [str(cell) for name, cells in sheets.items() if name not in NAMES_OF_CARDS for row in cells for cell in row]
    glossary = as_markdown_glossary()
    assert [text for text in [*texts, glossary] if BARE.search(text)] == []
    assert [words[found.start() - 40 : found.end()] for found in BARE.finditer(words)] == []
