"""Every figure of a workbook is what its inputs and our formulas give, or verify says which is not."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from books import SMALL_PLAN, read_texts, small_catalogues
from edits import Typed, packed, part_of, parts_of, replaced, stored, typed
from engines import LibreOffice, environment

from reportgen.api import build_report, calculate, verify_workbook
from reportgen.errors import FileError, InputError
from reportgen.returned.comparing import same_value
from reportgen.returned.verifying import Verification

Edits = Mapping[tuple[str, str], Typed]

EDITS: Edits = {
    ("Plan", "A7"): None,
    ("Plan", "AA7"): None,
    ("Plan", "H6"): "adam",
    ("Plan", "A12"): "added",
    ("Plan", "C12"): 7e9,
    ("Plan", "J12"): "H100",
    ("Plan", "W12"): 12.5,
    ("Hardware", "I6"): 2.345,
    ("Assumptions", "B10"): 0.1,
    ("What-if", "B4"): "added",
}
"""A job cleared, one added after an empty row, an optimizer, a price and an assumption changed, another job picked."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook as build writes it."""
    inputs = read_texts(SMALL_PLAN, small_catalogues())
    return build_report(calculate(inputs), tmp_path_factory.mktemp("built"), compare=("H100", "A100-80"))[0]


@pytest.fixture(scope="session")
def edited(built: Path, libreoffice: LibreOffice, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, edited, calculated and saved by LibreOffice."""
    book = typed(built, tmp_path_factory.mktemp("edited") / "edited.xlsx", EDITS)
    return libreoffice.recalculate([book])[0].path


def said(found: Verification) -> list[str]:
    return [str(difference) for difference in found.differences]


def test_what_build_wrote_holds(built: Path) -> None:
    found = verify_workbook(built)
    assert (said(found), found.edited, found.warnings, found.untouched) == ([], (), (), True)
    assert found.formulas > 3000


def test_what_libreoffice_saved_holds(built: Path, libreoffice: LibreOffice) -> None:
    found = verify_workbook(libreoffice.recalculate([built], keep_stored=True)[0].path)
    assert (said(found), found.edited, found.untouched) == ([], (), False)


def test_an_edited_workbook_that_was_calculated_since_holds(edited: Path) -> None:
    found = verify_workbook(edited)
    assert (said(found), found.edited) == ([], ("Plan", "Hardware", "Assumptions"))


def test_an_edited_workbook_that_was_not_calculated_since_does_not(built: Path, tmp_path: Path) -> None:
    found = verify_workbook(typed(built, tmp_path / "edited.xlsx", {("Hardware", "I6"): 2.345}))
    assert found.edited == ("Hardware",)
    assert "Summary!B4 Checks: stored 'All checks hold', expected 'Edited since the report was made'" in said(found)
    assert any(re.match(r"Cost!P6 rental_cost \[USD\]: stored \d", one) for one in said(found))


@pytest.mark.parametrize(
    ("sheet", "address", "value", "label"),
    [
        ("Summary", "B14", "9", "Cards of the plan, as each job's stage and memory ask."),
        ("Calculation", "V6", "3", "moment_width [byte/value]"),
        ("Sharding", "X8", "0.5", ""),
        ("Checks", "E7", "CHECK", "The bands of all jobs add up to the footprints."),
        ("Hardware", "O6", "81000000000", "label_bytes [byte]"),
    ],
)
def test_a_stored_value_that_is_not_the_formulas_is_named(
    built: Path, tmp_path: Path, sheet: str, address: str, value: str, label: str
) -> None:
    found = verify_workbook(stored(built, tmp_path / "edited.xlsx", sheet, address, value))
    assert (len(found.differences), found.edited) == (1, ())
    assert said(found)[0].startswith(f"{sheet}!{address} {label}")
    assert not found.untouched


def test_a_formula_typed_over_is_named(built: Path, tmp_path: Path) -> None:
    book = typed(built, tmp_path / "edited.xlsx", {("Summary", "B9"): 5.0, ("Summary", "B8"): "=5+0"})
    assert [re.sub("expected .*", "", one) for one in said(verify_workbook(book))] == [
        "Summary!B8 Jobs in the plan.: stored =5+0, ",
        "Summary!B9 Jobs that fit their planned cards.: stored 5, ",
    ]


def test_a_constant_a_header_and_a_reported_total_are_compared(built: Path, tmp_path: Path) -> None:
    row = next(
        number
        for number in range(20, 60)
        if f'<c r="C{number}"' in parts_of(built)[part_of(parts_of(built), "Checks")].decode()
    )
    cells: Edits = {("Cost", "B5"): "nodes [GiB]", ("Checks", f"C{row}"): 99.0}
    places = {one.partition(" ")[0] for one in said(verify_workbook(typed(built, tmp_path / "edited.xlsx", cells)))}
    assert {"Cost!B5", f"Checks!C{row}"} <= places


def test_an_error_is_never_what_is_expected(built: Path, tmp_path: Path) -> None:
    summary = part_of(parts_of(built), "Summary")
    book = replaced(built, tmp_path / "edited.xlsx", summary, '<c r="B8" ', '<c t="e" r="B8" ')
    assert said(verify_workbook(book)) == ["Summary!B8 Jobs in the plan.: stored the error 5, expected 5"]


def test_blanks_case_and_shared_formulas_are_no_difference(built: Path, tmp_path: Path) -> None:
    parts = parts_of(built)
    name = part_of(parts, "Cost")
    text = parts[name].decode()
    first = re.search(r'<c r="A6"[^>]*><f>(.*?)</f>', text)
    assert first is not None
    text = text.replace(f"<f>{first[1]}</f>", f'<f t="shared" si="0" ref="A6:A9">{first[1].replace("IF", "if")}</f>', 1)
    for row in range(7, 10):
        text = re.sub(rf'(<c r="A{row}"[^>]*>)<f>.*?</f>', r'\1<f t="shared" si="0"/>', text)
    text = text.replace("<f>IF($A6=&quot;&quot;,", "<f>IF( $A6 = &quot;&quot; ,").replace(
        '<f>IF($A6="",', '<f>IF( $A6 = "" ,'
    )
    found = verify_workbook(packed(parts | {name: text.encode()}, tmp_path / "edited.xlsx"))
    assert said(found) == []


def test_rows_below_the_last_formula_are_said(built: Path, tmp_path: Path) -> None:
    parts = parts_of(built)
    name = part_of(parts, "Plan")
    name_cell, hardware = (
        f'<c r="{letter}40" t="inlineStr"><is><t>{text}</t></is></c>' for letter, text in (("A", "late"), ("J", "H100"))
    )
    row = f'<row r="40">{name_cell}<c r="C40"><v>7000000000</v></c>{hardware}</row></sheetData>'
    text = parts[name].decode().replace("</sheetData>", row)
    found = verify_workbook(packed(parts | {name: text.encode()}, tmp_path / "edited.xlsx"))
    assert (said(found), found.edited) == ([], ("Plan",))
    assert str(found.warnings[0]).startswith("edited.xlsx sheet Plan:40: warning: found 1 rows below the last")


def test_wrong_inputs_are_said_where_they_stand(built: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sheet Plan:6: hardware: found 'H101'"):
        verify_workbook(typed(built, tmp_path / "edited.xlsx", {("Plan", "J6"): "H101"}))


def test_rows_that_the_notes_claim_must_be_there(built: Path, tmp_path: Path) -> None:
    notes = part_of(parts_of(built), "Notes")
    text = re.sub(r"(<t>plan\.csv</t></is></c><c [^>]*><is><t>)\d+", r"\g<1>99999", parts_of(built)[notes].decode())
    with pytest.raises(FileError, match="clear rows, do not delete them"):
        verify_workbook(packed(parts_of(built) | {notes: text.encode()}, tmp_path / "claims.xlsx"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1.0, 1.0 + 1e-13, True),
        (1.0, 1.0 + 1e-9, False),
        (0.0, 1e-15, True),
        ("", None, True),
        ("a", "A", False),
        (True, 1.0, False),
        (4e14, 4e14 + 1, False),
    ],
)
def test_when_two_values_are_one(one: float | str, other: float | str | None, same: bool) -> None:
    assert same_value(one, other) is same


def command(*arguments: str | Path) -> tuple[int, str, str]:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "reportgen", *map(str, arguments)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_says_that_all_holds(built: Path) -> None:
    said = r"plan\.xlsx: all [\d,]+ formulas and their values are what its inputs give; as reportgen wrote it\n"
    status, output, messages = command("verify", built)
    assert (status, messages) == (0, "")
    assert re.fullmatch(said, output)


def test_the_command_lists_what_differs_and_ends_with_1(built: Path, tmp_path: Path) -> None:
    status, output, messages = command("verify", stored(built, tmp_path / "edited.xlsx", "Summary", "B9", "3"))
    assert (status, messages) == (1, "")
    assert output.splitlines()[0] == (
        "edited.xlsx: Summary!B9 Jobs that fit their planned cards.: stored 3, expected 4"
    )
    assert "edited.xlsx: 1 cell is not as reportgen writes it" in output.splitlines()[-1]


def test_the_command_refuses_what_is_no_workbook(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text("job,hardware\n")
    assert command("verify", tmp_path / "plan.csv") == (
        1,
        "",
        "plan.csv: is no whole workbook: the zip: File is not a zip file\n",
    )


def test_the_command_imports(built: Path, tmp_path: Path) -> None:
    status, output, messages = command("import", built, "-o", tmp_path / "back")
    assert (status, output) == (0, "")
    assert messages.splitlines()[0] == f"wrote {tmp_path}/back/plan.csv"
    assert len(messages.splitlines()) == len(list((tmp_path / "back").iterdir()))
