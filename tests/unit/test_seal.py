"""Whether an output is to the byte what we wrote."""

from __future__ import annotations

import zipfile
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from reportgen.seal import SEAL, UNSEALED, is_untouched, sealed
from reportgen.workbook.cells import Book, save

PAGE = f'<meta content="{UNSEALED}"><p>480 GB</p>'


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "plan.html"
    path.write_bytes(sealed(PAGE).encode())
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "plan.xlsx"
    workbook = Workbook()
    workbook.worksheets[0]["A1"] = "480 GB"
    save(Book(workbook), path, date(2026, 1, 31))
    return path


def rewrite(book: Path, part: str, content: bytes) -> None:
    """Put a part into a workbook, in place of the one of that name."""
    with zipfile.ZipFile(book) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(book, "w") as archive:
        for name, old in (parts | {part: content}).items():
            archive.writestr(name, content if name == part else old)


def test_a_seal_takes_the_place_of_the_blank_one() -> None:
    assert UNSEALED not in sealed(PAGE)
    assert sealed(PAGE).count(SEAL) == 1
    assert len(sealed(PAGE)) == len(PAGE)


def test_what_we_wrote_is_untouched(page: Path, book: Path) -> None:
    assert is_untouched(page)
    assert is_untouched(book)


@pytest.mark.parametrize(("old", "new"), [(b"480", b"481"), (b"GB", b"GB "), (b"<p>", b"<p>\r")])
def test_a_page_that_was_edited_is_told(page: Path, old: bytes, new: bytes) -> None:
    page.write_bytes(page.read_bytes().replace(old, new))
    assert not is_untouched(page)


@pytest.mark.parametrize("content", [b"", b"<p>a page of somebody else</p>", PAGE.encode(), b"\xff\xfe"])
def test_a_file_that_is_not_ours_is_told(page: Path, content: bytes) -> None:
    page.write_bytes(content)
    assert not is_untouched(page)


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/comments/comment1.xml"])
def test_a_workbook_with_a_part_changed_or_added_is_told(book: Path, part: str) -> None:
    rewrite(book, part, b"<edited/>")
    assert not is_untouched(book)


def test_a_workbook_packed_anew_with_the_same_parts_is_untouched(book: Path) -> None:
    with zipfile.ZipFile(book) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    rewrite(book, "xl/worksheets/sheet1.xml", sheet)
    assert is_untouched(book)


def test_a_workbook_of_somebody_else_is_told(book: Path) -> None:
    Workbook().save(book)
    assert not is_untouched(book)


@pytest.mark.parametrize("position", [0.1, 0.3, 0.5, 0.7])
def test_a_damaged_workbook_is_told(book: Path, position: float) -> None:
    content = bytearray(book.read_bytes())
    start = int(len(content) * position)
    content[start : start + 40] = b"\xff" * 40
    book.write_bytes(bytes(content))
    assert not is_untouched(book)


def test_half_a_workbook_is_told(book: Path) -> None:
    book.write_bytes(book.read_bytes()[:1000])
    assert not is_untouched(book)
