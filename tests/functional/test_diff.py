"""What differs between two plans: worked by hand, read from CSV and from workbooks, as text and as a page."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final, Unpack

import openpyxl
import pytest
from test_cli import HOSTILE, contents, run

from reportgen import build_report, calculate, compare, read_plan
from reportgen.api import difference_as_text
from reportgen.errors import FileError
from reportgen.seal import is_untouched
from reportgen.sources import Reading

HEADER: Final = "job,model,parameters,optimizer,recipe,hardware,cards,hours,owner\n"
OLD: Final = f"""{HEADER}\
pretraining,in-house,30B,adamw,mixed-16,H100,,,research
twin,in-house,13B,sgd,pure-16,A100-80,2,,research
twin,in-house,13B,sgd,pure-16,A100-80,2,,research
gone,in-house,1B,adam,pure-16,L4,8,,product
"""
NEW: Final = f"""{HEADER}\
pretraining,in-house,60B,adamw,mixed-16,H100,,,research
twin,in-house,13B,sgd,pure-16,A100-80,2,,research
twin,in-house,13B,adam,pure-16,A100-80,1,,product
fresh,in-house,2B,adam,pure-16,L4,8,,product
"""
"""With AdamW at 16 bytes a parameter 30 B are 480 GB, 60 B are 960 GB. SGD in pure 16 bits keeps 2 + 2 bytes, Adam
2 + 2 + 2 + 2: of 13 B that is 52 GB and 104 GB. 1 B of the latter are 8 GB, 2 B are 16 GB."""

PRICED: Final = "hardware,label_memory,price_per_card_hour\nX,80 GB,{}\n"


def text_of(folder: Path, old: str, new: str, **reading: Unpack[Reading]) -> str:
    """Return what ``diff`` prints of two plans given as texts."""
    (folder / "old.csv").write_text(old, encoding="utf-8")
    (folder / "new.csv").write_text(new, encoding="utf-8")
    return difference_as_text(compare(folder / "old.csv", folder / "new.csv", **reading))


def moves(text: str) -> list[str]:
    """Return the lines of a text with each run of spaces as one."""
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """The workbook of the old plan."""
    (tmp_path / "plan.csv").write_text(OLD, encoding="utf-8")
    workbook, _ = build_report(calculate(read_plan(tmp_path / "plan.csv")), tmp_path, name="book")
    return workbook


def test_jobs_are_added_removed_and_changed(tmp_path: Path) -> None:
    lines = moves(text_of(tmp_path, OLD, NEW))
    assert lines[1] == "4 jobs: 1 added, 1 removed, 2 changed, 1 as before."
    assert "+ fresh fits 16 GB 8 cards no hours no price" in lines
    assert "- gone fits 8 GB 8 cards no hours no price" in lines
    assert [line for line in lines if line.startswith("~")] == ["~ pretraining", "~ twin (no. 2 of that name)"]


def test_a_changed_job_says_which_inputs_changed_and_what_moved(tmp_path: Path) -> None:
    lines = moves(text_of(tmp_path, OLD, NEW))
    assert "* parameters 30,000,000,000 → 60,000,000,000" in lines
    assert "training footprint 480 GB → 960 GB +480 GB +100%" in lines
    assert "cards needed 6 → 12 +6 +100%" in lines
    assert {"* optimizer sgd → adam", "* cards 2 → 1", "* owner research → product"} <= set(lines)
    assert "verdict fits → does not fit" in lines
    assert "training footprint 52 GB → 104 GB +52 GB +100%" in lines
    assert "planned cards 2 → 1 −1 −50%" in lines


def test_totals_move(tmp_path: Path) -> None:
    """480 + 52 + 52 + 8 = 592 GB become 960 + 52 + 104 + 16 = 1,132 GB: 540 more, 91.2 %."""
    lines = moves(text_of(tmp_path, OLD, NEW))
    assert "training footprint 592 GB → 1,132 GB +540 GB +91.2%" in lines
    assert "jobs that do not fit 0 → 1 +1" in lines


def test_cost_moves_with_hours(tmp_path: Path) -> None:
    """One card at 2 USD an hour: 100 hours are 200 USD, 150 are 300."""
    plan = "job,parameters,hardware,cards,hours\na,1B,X,1,{}\n"
    (tmp_path / "hardware.csv").write_text(PRICED.format(2), encoding="utf-8")
    lines = moves(text_of(tmp_path, plan.format(100), plan.format(150), hardware=tmp_path / "hardware.csv"))
    assert "* hours 100 → 150" in lines
    assert "card hours 100 → 150 +50 +50%" in lines
    assert "rental cost 200 USD → 300 USD +100 USD +50%" in lines


def test_the_order_of_jobs_is_no_difference(tmp_path: Path) -> None:
    first, *rest = OLD.splitlines(keepends=True)
    lines = moves(text_of(tmp_path, OLD, first + "".join(sorted(rest))))
    assert lines[1:] == ["4 jobs, and nothing differs."]


def test_another_price_is_not_blamed_on_the_job(tmp_path: Path) -> None:
    (tmp_path / "hardware.csv").write_text(PRICED.format(2), encoding="utf-8")
    (tmp_path / "plan.csv").write_text("job,parameters,hardware,cards,hours\na,1B,X,1,10\n", encoding="utf-8")
    cheap = calculate(read_plan(tmp_path / "plan.csv", hardware=tmp_path / "hardware.csv"))
    old, _ = build_report(cheap, tmp_path, name="old")
    (tmp_path / "hardware.csv").write_text(PRICED.format(3), encoding="utf-8")
    lines = moves(difference_as_text(compare(old, tmp_path / "plan.csv", hardware=tmp_path / "hardware.csv")))
    assert "No input of its own changed; what the catalogues or assumptions say did." in lines
    assert "* price per card hour 2 USD/card/hour → 3 USD/card/hour +1 USD/card/hour +50%" in lines
    assert "rental cost 20 USD → 30 USD +10 USD +50%" in lines


def test_a_change_too_small_for_the_eye_is_said_exactly(tmp_path: Path) -> None:
    plan = "job,parameters,hardware\na,3000000000{},H100\n"
    lines = moves(text_of(tmp_path, plan.format(0), plan.format(1)))
    exactly = "training footprint 480,000,000,000 bytes → 480,000,000,016 bytes +16 bytes +<0.1%"
    assert lines.count(exactly) == 2


def test_a_workbook_holds_what_its_plan_says(tmp_path: Path, book: Path) -> None:
    assert difference_as_text(compare(tmp_path / "plan.csv", book)).splitlines()[1] == "4 jobs, and nothing differs."


def test_a_workbook_of_hostile_names_holds_them_as_they_are(tmp_path: Path) -> None:
    rows = "".join('"{}",7B,H100,"{}"\n'.format(*(name.replace('"', '""'),) * 2) for name in HOSTILE)
    (tmp_path / "plan.csv").write_text(f"job,parameters,hardware,note\n{rows}", encoding="utf-8")
    book, _ = build_report(calculate(read_plan(tmp_path / "plan.csv")), tmp_path)
    difference = compare(tmp_path / "plan.csv", book)
    assert [job.job for job in difference.changed] == []
    assert difference.is_empty


def test_a_plan_is_compared_with_a_workbook(tmp_path: Path, book: Path) -> None:
    (tmp_path / "new.csv").write_text(NEW, encoding="utf-8")
    as_csv = text_of(tmp_path, OLD, NEW).splitlines()[1:]
    assert difference_as_text(compare(book, tmp_path / "new.csv")).splitlines()[1:] == as_csv


def test_a_workbook_without_stored_values_is_refused(tmp_path: Path, book: Path) -> None:
    workbook = openpyxl.load_workbook(book)
    workbook.save(tmp_path / "bare.xlsx")
    with pytest.raises(FileError, match=r"bare\.xlsx: \w+!\w+: holds no value; open the workbook in a spreadsheet"):
        compare(book, tmp_path / "bare.xlsx")


def test_another_workbook_is_refused(tmp_path: Path, book: Path) -> None:
    openpyxl.Workbook().save(tmp_path / "other.xlsx")
    with pytest.raises(FileError, match=r"other\.xlsx: is no workbook made by reportgen build: it has no sheet Plan$"):
        compare(book, tmp_path / "other.xlsx")


@pytest.mark.parametrize("keep", [30, 3000, -30])
def test_a_torn_workbook_is_refused(tmp_path: Path, book: Path, keep: int) -> None:
    (tmp_path / "torn.xlsx").write_bytes(book.read_bytes()[:keep])
    with pytest.raises(FileError, match=r"torn\.xlsx: is no whole workbook: [^\n]+$"):
        compare(tmp_path / "torn.xlsx", book)


def test_the_command_prints_the_difference_and_ends_well(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(OLD.replace("twin", "one", 1), encoding="utf-8")
    (tmp_path / "new.csv").write_text(NEW.replace("twin", "one", 1), encoding="utf-8")
    done = run(tmp_path, "diff", "old.csv", "new.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "old.csv → new.csv"
    piped = run(tmp_path, "diff", "-", "new.csv", stdin=(tmp_path / "old.csv").read_text(encoding="utf-8"))
    assert piped.stdout.splitlines()[1:] == done.stdout.splitlines()[1:]


def test_the_problems_of_both_plans_are_said_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("job,parameters,hardware\na,much,H100\n", encoding="utf-8")
    (tmp_path / "new.csv").write_text("job,parameters,hardware\na,7B,H1000\n", encoding="utf-8")
    done = run(tmp_path, "diff", "old.csv", "new.csv", "--html", "diff.html")
    assert (done.returncode, done.stdout) == (1, "")
    assert [line.split(": ")[:2] for line in done.stderr.splitlines()] == [
        ["new.csv:2", "hardware"],
        ["old.csv:2", "parameters"],
    ]
    assert sorted(contents(tmp_path)) == ["new.csv", "old.csv"]


@pytest.mark.parametrize("content", [b"%PDF-1.7", b"<!doctype html>", b"", b"PK\x03\x04no"])
def test_anything_else_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "plan.csv").write_text(OLD, encoding="utf-8")
    (tmp_path / "other").write_bytes(content)
    done = run(tmp_path, "diff", "plan.csv", "other")
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("other: ")


def test_the_page_says_what_the_text_says(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(OLD, encoding="utf-8")
    (tmp_path / "new.csv").write_text(NEW, encoding="utf-8")
    done = run(tmp_path, "diff", "old.csv", "new.csv", "--html", "diff.html")
    assert done.stderr == "wrote diff.html\n"
    page = (tmp_path / "diff.html").read_text(encoding="utf-8")
    words = unescape(re.sub(r"<[^>]+>", " ", page.partition("<body>")[2])).split()
    text = " ".join(words)
    assert [said for said in re.findall(r"[^\s()]+", done.stdout) if said not in text and said not in "+-~*"] == []
    assert "<script" not in page
    assert "script-src 'none'" in unescape(page)
    assert is_untouched(tmp_path / "diff.html")


def test_an_edited_page_is_replaced_only_with_force(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(OLD, encoding="utf-8")
    (tmp_path / "diff.html").write_text("mine", encoding="utf-8")
    refused = run(tmp_path, "diff", "old.csv", "old.csv", "--html", "diff.html")
    assert refused.stderr == "diff.html: has been edited since reportgen wrote it; --force replaces it\n"
    assert (refused.returncode, refused.stdout) == (1, "")
    assert run(tmp_path, "diff", "old.csv", "old.csv", "--html", "diff.html", "--force").returncode == 0
