"""Writes the reports of a ledger: the workbook and the page together, and a folder to start from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from reportgen import __version__
from reportgen.calculation.analysis import check_cards
from reportgen.calculation.ledger import Ledger, calculate
from reportgen.errors import FileError
from reportgen.files import copy_inputs, data_folder, text_writer, write_together
from reportgen.page.render import render_page
from reportgen.plans import read_plan
from reportgen.progress import Progress
from reportgen.replacing import ensure_replaceable
from reportgen.report import Report
from reportgen.sources import FilePath
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import Book, save
from reportgen.workbook.rows import WatchedRows


def build_report(
    ledger: Ledger,
    folder: FilePath,
    *,
    name: str = "",
    title: str = "",
    day: date | None = None,
    templates: FilePath | None = None,
    compare: Sequence[str] = (),
    force: bool = False,
    watched: bool = False,
) -> tuple[Path, Path]:
    """Write the workbook and the page of a ledger, both or neither, and return their paths.

    Args:
        ledger: What ``calculate`` returns.
        folder: Where to write; made if it is not there.
        name: File name of both without ending; the plan's where empty.
        title: Title of the report; made from the name where empty.
        day: Date of the report; today where not given. The same ledger and day give the same bytes.
        compare: Names of the cards to compare; ``analyse`` says which where empty.
        templates: A folder whose templates stand in for the shipped ones.
        force: Replace an output even if it has been edited since it was written.
        watched: Say how far it is, where standard error is a terminal and it takes more than a second.

    Raises:
        FileError: If an output cannot be written; then both are as they were.
        InputError: If a card to compare is not in the hardware.
    """
    check_cards(ledger, compare)
    refuse_unshowable(title)
    folders = template_folders(templates)
    stem = name or Path(ledger.inputs.plan.file).stem
    workbook_path, page_path = Path(folder, f"{stem}.xlsx"), Path(folder, f"{stem}.html")
    ensure_replaceable((workbook_path, page_path), force=force)
    report = _report(ledger, title or f"Training memory: {stem}", day, compare)
    workbook = build_workbook(report)
    page = render_page(report, workbook_path.name, folders)
    write_together(
        {workbook_path: _workbook_writer(workbook, report, watched=watched), page_path: text_writer(page)}, force=force
    )
    return workbook_path, page_path


def _report(ledger: Ledger, title: str, day: date | None, compare: Sequence[str] = ()) -> Report:
    return Report(ledger, title, day or datetime.now().astimezone().date(), __version__, tuple(compare))


def _workbook_writer(workbook: Book, report: Report, *, watched: bool) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        streams = workbook.rows_to_come
        with Progress("writing", sum(rows.count for rows in streams.values()), watched=watched) as progress:
            rows = {title: WatchedRows(one, progress.advance) for title, one in streams.items()}
            save(replace(workbook, rows_to_come=rows), path, report.date)

    return write


def start(folder: FilePath, day: date | None = None) -> list[Path]:
    """Make a folder of inputs to start from and return the files: a plan, the catalogues, all of it as a workbook too.

    Args:
        folder: Where to write; made if it is not there.
        day: Date of the workbook; today where not given.

    Raises:
        FileError: If one of them is there already, or cannot be written; then nothing is.
    """
    report = _report(calculate(read_plan(data_folder("inputs") / "plan.csv")), "Training memory: plan", day)
    return copy_inputs(Path(folder), {"plan.xlsx": _workbook_writer(build_workbook(report), report, watched=False)})


def refuse_unshowable(title: str) -> None:
    """Make sure that a title can be shown.

    Raises:
        FileError: If it has a character that cannot.
    """
    if unprintable := [mark for mark in title if not mark.isprintable()]:
        raise FileError(f"title: found the character U+{ord(unprintable[0]):04X}, expected text that can be shown")


def template_folders(own: FilePath | None) -> list[Path]:
    """Return where templates are looked for, first the user's own folder.

    Raises:
        FileError: If that is none.
    """
    if own is not None and not Path(own).is_dir():
        raise FileError(f"{own}: is no folder; expected one with templates")
    return [*([Path(own)] if own is not None else []), data_folder("templates")]
