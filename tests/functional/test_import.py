"""A workbook's inputs come back as CSVs, edited or not, to the digit; read as if a stranger had sent them."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from books import DAY, SMALL_PLAN, read_texts, small_catalogues
from edits import Typed, packed, part_of, parts_of, replaced, typed
from engines import LibreOffice

from reportgen.api import build_report, calculate, import_inputs, read_plan
from reportgen.calculation.catalogues import Hardware, Optimizers
from reportgen.calculation.ledger import INPUT_SHEETS
from reportgen.errors import FileError, InputError
from reportgen.reading.canonical import canonical, digest

FILES: Final = [f"{sheet.title.lower().replace(' ', '_')}.csv" for sheet in INPUT_SHEETS]
_TEXTS: Final = (
    *("=1+1", "'x", " a  b ", "_x0041_", "#N/A", "a\nb", "a\r\nb", "c\rd"),
    *('say "x"', "1e5", "TRUE", "模型", "\U0001f3ac"),
)


def rebuilt(folder: Path, target: Path) -> list[bytes]:
    """Build the report of a folder of CSVs and return the bytes of both outputs."""
    plan, *catalogues = (folder / name for name in FILES)
    names = ("models", "optimizers", "recipes", "blocks", "hardware", "cloud_prices", "assumptions")
    inputs = read_plan(plan, **dict(zip(names, catalogues, strict=True)))  # type: ignore[arg-type]
    return [path.read_bytes() for path in build_report(calculate(inputs), target, day=DAY)]


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def imported(book: Path, folder: Path) -> Mapping[str, list[dict[str, str]]]:
    import_inputs(book, folder)
    return {path.name: rows_of(path) for path in folder.glob("*.csv")}


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def small_texts() -> dict[str, str]:
    catalogues = {f"{sheet.title.lower().replace(' ', '_')}.csv": text for sheet, text in small_catalogues().items()}
    return {"plan.csv": SMALL_PLAN} | catalogues


def hostile_texts() -> dict[str, str]:
    """Return inputs with every kind of text, the last digits of numbers, and columns of the user's own."""
    plan = io.StringIO()
    writer = csv.writer(plan)
    writer.writerow(["job", "params", "gpu", "hours", "activation_bytes", "start", "own, and\nlong", "=own", "owner"])
    for place, text in enumerate(_TEXTS):
        hours = ("0.1", "9.95", "1e-7", "123456789012345", "33.3333333333333")[place % 5]
        writer.writerow([f"{place} {text}", "7B", "H100", hours, "12.3 MB", "2026-02-28", text, "", text])
    hardware = next(text for name, text in small_texts().items() if name == "hardware.csv")
    odd = hardware.replace("81559 MiB", "85520809985 bytes")
    assert odd != hardware
    return small_texts() | {"plan.csv": plan.getvalue(), "hardware.csv": odd}


@pytest.mark.parametrize("texts", [small_texts(), hostile_texts()], ids=["small", "hostile"])
def test_build_import_build_is_the_same_to_the_byte(tmp_path: Path, texts: dict[str, str]) -> None:
    first = rebuilt(written(tmp_path / "mine", texts), tmp_path / "first")
    import_inputs(tmp_path / "first" / "plan.xlsx", tmp_path / "back")
    assert rebuilt(tmp_path / "back", tmp_path / "second") == first


def test_the_files_are_those_that_the_notes_name_and_digest(small_workbook: Path, tmp_path: Path) -> None:
    paths, warnings = import_inputs(small_workbook, tmp_path / "back")
    assert ([path.name for path in paths], warnings) == (FILES, ())
    again, _ = import_inputs(small_workbook, tmp_path / "back")
    assert again == paths


def test_what_a_reader_typed_comes_back(small_workbook: Path, tmp_path: Path) -> None:
    edits: dict[tuple[str, str], Typed] = {
        ("Plan", "A11"): "added",
        ("Plan", "B11"): "in-house 1B",
        ("Plan", "C11"): 1e9,
        ("Plan", "J11"): "H100",
        ("Plan", "X6"): 46053.0,
        ("Plan", "AB11"): 0.1,
        ("Hardware", "I6"): 2.345,
        ("Assumptions", "B7"): 0.0125,
    }
    files = imported(typed(small_workbook, tmp_path / "edited.xlsx", edits), tmp_path / "back")
    added = files["plan.csv"][-1]
    assert (added["job"], added["parameters"], added["owner"]) == ("added", "1000000000", "0.1")
    assert files["plan.csv"][0]["start"] == "2026-01-31"
    assert files["hardware.csv"][0]["price_per_card_hour"] == "2.345"
    assert files["assumptions.csv"][1]["value"] == "0.0125"


def test_cells_that_follow_from_others_stay_empty(small_workbook: Path, tmp_path: Path) -> None:
    files = imported(small_workbook, tmp_path)
    assert {row["frozen_width"] for row in files["recipes.csv"]} == {""}
    assert {row["step_copies"] for row in files["optimizers.csv"]} == {""}


def test_a_formula_of_the_readers_own_gives_its_value_and_is_said(small_workbook: Path, tmp_path: Path) -> None:
    book = typed(small_workbook, tmp_path / "edited.xlsx", {("Plan", "W6"): "=24*7"})
    _, warnings = import_inputs(book, tmp_path / "back")
    assert rows_of(tmp_path / "back" / "plan.csv")[0]["hours"] == "7"
    found = "found a formula of your own with the value '7'; expected a value; that one is taken"
    assert [str(one) for one in warnings] == [f"edited.xlsx sheet Plan:6: hours: warning: {found}"]


def test_a_row_without_a_name_is_left_out_and_said(small_workbook: Path, tmp_path: Path) -> None:
    book = typed(small_workbook, tmp_path / "edited.xlsx", {("Plan", "A7"): None})
    _, warnings = import_inputs(book, tmp_path / "back")
    assert len(rows_of(tmp_path / "back" / "plan.csv")) == SMALL_PLAN.count("\n") - 2
    assert [(one.line, one.column) for one in warnings] == [(7, "model")]


def test_a_workbook_is_built_as_its_csvs_are(small_workbook: Path, tmp_path: Path) -> None:
    import_inputs(small_workbook, tmp_path / "back")
    from_files = rebuilt(tmp_path / "back", tmp_path / "files")
    paths = build_report(calculate(read_plan(small_workbook)), tmp_path / "book", day=DAY)
    assert [path.read_bytes() for path in paths] == from_files


def test_a_problem_is_said_where_it_stands_in_the_workbook(small_workbook: Path, tmp_path: Path) -> None:
    book = typed(small_workbook, tmp_path / "edited.xlsx", {("Plan", "H8"): "adamx", ("Plan", "A7"): None})
    with pytest.raises(InputError) as raised:
        read_plan(book)
    assert str(raised.value).startswith("edited.xlsx sheet Plan:8: optimizer: found 'adamx'")


def test_what_libreoffice_saved_comes_back_the_same(
    small_workbook: Path, libreoffice: LibreOffice, tmp_path: Path
) -> None:
    saved = libreoffice.recalculate([small_workbook], keep_stored=True)[0].path
    assert imported(saved, tmp_path / "saved") == imported(small_workbook, tmp_path / "built")


def test_files_that_hold_something_else_are_replaced_only_by_force(small_workbook: Path, tmp_path: Path) -> None:
    (tmp_path / "models.csv").write_text("mine")
    with pytest.raises(FileError, match=r"models\.csv: is there already and holds something else; --force replaces it"):
        import_inputs(small_workbook, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["models.csv"]
    import_inputs(small_workbook, tmp_path, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("name", ["../../evil.csv", "/etc/passwd", "CON.csv", ".hidden", "a\\b.csv", "hardware.csv"])
def test_a_file_name_that_leads_elsewhere_is_not_taken(small_workbook: Path, tmp_path: Path, name: str) -> None:
    notes = part_of(parts_of(small_workbook), "Notes")
    book = replaced(small_workbook, tmp_path / "edited.xlsx", notes, "<t>models.csv</t>", f"<t>{name}</t>")
    import_inputs(book, tmp_path / "back")
    others = {"hardware.csv": "2_hardware.csv"} if name == "hardware.csv" else {}
    taken = "hardware.csv" if others else "models.csv"
    expected = {others.get(one, one) for one in FILES if one != "models.csv"} | {taken}
    assert {path.name for path in (tmp_path / "back").iterdir()} == expected
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["back"]


def test_every_missing_sheet_and_header_is_said(small_workbook: Path, tmp_path: Path) -> None:
    parts = parts_of(small_workbook)
    plan = part_of(parts, "Plan")
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b'name="Models"', b'name="Modelle"')
    parts[plan] = parts[plan].replace(b"<t>optimizer</t>", b"<t>optimiser</t>").replace(b"<t>recipe</t>", b"<t>job</t>")
    with pytest.raises(InputError) as raised:
        import_inputs(packed(parts, tmp_path / "edited.xlsx"), tmp_path / "back")
    assert [str(problem).partition("; expected ")[2] for problem in raised.value.problems] == [
        "each header once",
        "a column with the header optimizer",
        "a column with the header recipe",
        "a sheet Models",
    ]
    assert not (tmp_path / "back").exists()


def bomb(tmp_path: Path) -> Path:
    """Return a workbook whose plan unpacks to a gigabyte from a megabyte."""
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as part:
            for _ in range(64):
                part.write(b" " * (1 << 20))
    return path


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"would unpack from [\d,]+ to 67,108,864 bytes; that is no workbook"):
        import_inputs(bomb(tmp_path), tmp_path / "back")


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "Plan"])
def test_entities_are_refused_in_every_part(small_workbook: Path, tmp_path: Path, part: str) -> None:
    parts = parts_of(small_workbook)
    name = part if "/" in part else part_of(parts, part)
    bomb_text = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    parts[name] = bomb_text + parts[name].removeprefix(b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>')
    with pytest.raises(FileError, match="declares a document type; that is no workbook"):
        import_inputs(packed(parts, tmp_path / "edited.xlsx"), tmp_path / "back")


@pytest.mark.parametrize(
    "content", [b"", b"job,hardware\nx,H100\n", b"PK\x03\x04 and no more", b"PK\x05\x06" + bytes(18)]
)
def test_what_is_no_workbook_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.xlsx").write_bytes(content)
    with pytest.raises(FileError, match=r"x\.xlsx: (is no whole workbook|has no part)"):
        import_inputs(tmp_path / "x.xlsx", tmp_path / "back")


def test_memories_are_whole_bytes_again_and_days_are_days() -> None:
    texts = small_catalogues()
    texts[Hardware] = texts[Hardware].replace("81559 MiB", "85520809985 bytes")
    inputs = read_texts(SMALL_PLAN, texts)
    assert b",85520809985 byte," in canonical(inputs.tables[Hardware])
    assert b",2026-07-20," in canonical(inputs.tables[Hardware])
    assert inputs.tables[Optimizers].digest == digest(inputs.tables[Optimizers])
