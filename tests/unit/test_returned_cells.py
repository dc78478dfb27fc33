"""Cells as other programs write them, and parts that no program of good will writes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest

from reportgen.errors import FileError
from reportgen.returned import archive, xml
from reportgen.returned.cells import Book, Cell, ErrorValue, letters

WORKBOOK = '<workbook xmlns:r="x"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>'
RELATIONS = (
    '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>'
    '<Relationship Id="r2" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"/>'
    '<Relationship Id="r3" Type="x/externalLink" Target="file:///etc/passwd" TargetMode="External"/></Relationships>'
)
SHARED = "<sst><si><t>plain</t></si><si><r><t>in </t></r><r><t>two</t></r><rPh><t>aid</t></rPh></si></sst>"


def zipped(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return packed.getvalue()


def book(sheet: str | bytes, **more: str) -> Book:
    parts: dict[str, str | bytes] = {
        "xl/workbook.xml": WORKBOOK,
        "xl/_rels/workbook.xml.rels": RELATIONS,
        "xl/sharedStrings.xml": SHARED,
        "xl/worksheets/sheet1.xml": sheet,
    }
    return Book(zipped(parts | {f"xl/{name}.xml": text for name, text in more.items()}), "x.xlsx")


def cells(row: str) -> Mapping[int, Cell]:
    (found,) = book(f"<worksheet><sheetData><row>{row}</row></sheetData></worksheet>").rows("One")
    return found.cells


@pytest.mark.parametrize(
    ("written", "cell"),
    [
        ("<c><v>1.5e3</v></c>", Cell(1500.0)),
        ('<c t="n"><v>0.30000000000000004</v></c>', Cell(0.30000000000000004)),
        ('<c t="s"><v>0</v></c>', Cell("plain")),
        ('<c t="s"><v>1</v></c>', Cell("in two")),
        ('<c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r></is></c>', Cell("a b")),
        ('<c t="str"><f>A1&amp;"x"</f><v>yx</v></c>', Cell("yx", 'A1&"x"')),
        ('<c t="str"><f>""</f><v></v></c>', Cell("", '""')),
        ('<c t="b"><f>TRUE()</f><v>1</v></c>', Cell(True, "TRUE()")),
        ("<c><f>1+1</f></c>", Cell(None, "1+1")),
        ('<c t="str"><v>_x0041__x005F_x</v></c>', Cell("A_x")),
        ('<c t="str"><v>_xD83D__xDE00_</v></c>', Cell("😀")),
        ('<c t="str"><v>_xD800_ _xDE00__xD83D_</v></c>', Cell("_xD800_ _xDE00__xD83D_")),
        ('<c t="str"><v>_x005F_xD83D__xDE00_</v></c>', Cell("_xD83D__xDE00_")),
        ("<c><v>1_000</v></c>", Cell("1_000")),
        ("<c><v>nan</v></c>", Cell("nan")),
        ('<x:c xmlns:x="y"><x:v>7</x:v></x:c>', Cell(7.0)),
        ("<c><v>&#49;</v></c>", Cell(1.0)),
    ],
)
def test_every_kind_of_cell(written: str, cell: Cell) -> None:
    assert cells(written) == {1: cell}


def test_an_error_is_no_text() -> None:
    value = cells('<c t="e"><v>#N/A</v></c>')[1].value
    assert isinstance(value, ErrorValue)
    assert value == "#N/A"


def test_cells_without_an_address_follow_one_another() -> None:
    assert list(cells('<c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c><c r="AA1"/>')) == [1, 4, 5]


def test_shared_formulas_are_moved_to_their_cells() -> None:
    sheet = (
        '<row r="6"><c r="B6"><f t="shared" si="0" ref="B6:B8">IF($A6="","",A6*Plan!$C$1)</f><v>1</v></c></row>'
        '<row r="7"><c r="B7"><f t="shared" si="0"/><v>2</v></c><c r="C7"><f t="shared" si="9"/><v>2</v></c></row>'
    )
    second = list(book(f"<worksheet>{sheet}</worksheet>").rows("One"))[1]
    assert [cell.formula for cell in second.cells.values()] == ['IF($A7="","",A7*Plan!$C$1)', ""]


@pytest.mark.parametrize(
    ("column", "text"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (703, "AAA"), (16384, "XFD")]
)
def test_the_letters_of_a_column(column: int, text: str) -> None:
    assert letters(column) == text


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('<row r="6"/><row r="6"/>', "has row 6 after row 6"),
        ('<row r="1048577"/>', "has row 1048577 after row 0"),
        ('<row><c r="XFE1"/></row>', "has a cell 'XFE1'"),
        ('<row><c r="a1"/></row>', "has a cell 'a1'"),
        ('<row><c t="s"><v>2</v></c></row>', "refers to shared text '2', which is not there"),
        ('<row><c t="s"><v>-1</v></c></row>', "refers to shared text '-1', which is not there"),
        (f'<row><c t="str"><v>{"x" * 300_000}</v></c></row>', "holds a text of more than 262,136 characters"),
        ("<row><c></row>", "is no well-formed XML"),
        ("<row>&unknown;</row>", "is no well-formed XML"),
        ("<row>\x00</row>", "is no well-formed XML"),
        (f'<row a="{"x" * 3_000_000}"/>', "holds a tag of more than 2 MiB"),
    ],
)
def test_what_no_spreadsheet_program_writes_is_refused(row: str, said: str) -> None:
    with pytest.raises(FileError, match=f"x.xlsx: sheet One: {said}"):
        list(book(f"<worksheet>{row}</worksheet>").rows("One"))


def test_a_part_in_utf_16_is_read_and_one_in_an_odd_encoding_refused() -> None:
    row = "<worksheet><row><c><v>7</v></c></row></worksheet>"
    assert [dict(one.cells) for one in book(row.encode("utf-16")).rows("One")] == [{1: Cell(7.0)}]
    with pytest.raises(FileError, match="is no well-formed XML"):
        list(book(row.encode("utf-7") + "é".encode("cp1252")).rows("One"))


@pytest.mark.parametrize("doctype", ['<!DOCTYPE a [<!ENTITY b "c">]>', '<!DOCTYPE a SYSTEM "http://x.invalid/">'])
def test_a_document_type_is_refused(doctype: str) -> None:
    with pytest.raises(FileError, match="declares a document type; that is no workbook"):
        list(book(f"{doctype}<worksheet>&b;</worksheet>").rows("One"))


def test_more_text_than_any_workbook_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.returned.texts.MOST_SHARED", 100)
    with pytest.raises(FileError, match="holds more than 100 characters of text"):
        book("<worksheet/>")


def test_external_targets_are_not_followed() -> None:
    assert book("<worksheet/>").titles == ("One",)


def test_a_zip_of_more_parts_or_bytes_than_a_workbook_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {f"{number}": "x" for number in range(20)}
    monkeypatch.setattr(archive, "MOST_PARTS", 10)
    with pytest.raises(FileError, match="has 20 parts; a workbook has at most 10"):
        Book(zipped(parts), "x.xlsx")
    monkeypatch.setattr(archive, "MOST_UNPACKED", 10)
    with pytest.raises(FileError, match="would unpack to more than"):
        Book(zipped({"1": "x" * 20}), "x.xlsx")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(method: int) -> None:
    with pytest.raises(FileError, match="is packed or locked as no workbook is"):
        Book(zipped({"xl/workbook.xml": WORKBOOK * 10}, method), "x.xlsx")


def test_a_part_that_is_not_what_its_checksum_says_is_refused() -> None:
    data = zipped({"xl/workbook.xml": WORKBOOK, "xl/_rels/workbook.xml.rels": RELATIONS}, zipfile.ZIP_STORED)
    with pytest.raises(FileError, match=r"is no whole workbook: xl/_rels/workbook\.xml\.rels: Bad CRC-32"):
        Book(data.replace(b"sheet1.xml", b"sheet2.xml"), "x.xlsx")


def test_pieces_are_judged_as_they_come() -> None:
    read = []

    def pieces() -> object:
        for number in range(100):
            read.append(number)
            yield b"<a " + b" " * (1 << 20) if number == 0 else b" " * (1 << 20)

    with pytest.raises(FileError, match="holds a tag of more than 2 MiB"):
        list(xml.parsed(pieces(), "x", lambda *_: None))  # type: ignore[arg-type]
    assert len(read) < 5
