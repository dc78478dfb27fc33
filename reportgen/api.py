"""The whole way in three calls: read a plan, calculate it, build its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar, Unpack

from reportgen import __version__
from reportgen.calculation.analysis import check_cards
from reportgen.calculation.ledger import Inputs, Ledger, calculate
from reportgen.comparing.diff_page import diff_page
from reportgen.comparing.difference import Difference
from reportgen.comparing.difference import compare as difference_between
from reportgen.comparing.snapshot import Snapshot, of_ledger, of_workbook
from reportgen.comparing.text import as_text as difference_as_text
from reportgen.errors import FileError, InputError, Problem
from reportgen.files import data_folder, read_source, text_writer, write_together
from reportgen.page.render import render_page
from reportgen.publishing.edition import Settings
from reportgen.publishing.publish import Outcome
from reportgen.publishing.publish import publish as bring_up_to_date
from reportgen.reading.inputs import read_inputs
from reportgen.replacing import ensure_replaceable
from reportgen.report import Report
from reportgen.returned.writing import import_inputs, is_workbook, is_zip, read_workbook, verify_workbook
from reportgen.sources import FilePath, Reading, all_catalogues, given_catalogues, plan_source
from reportgen.sweeping.sweep import sweep
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save

__all__ = [
    "Difference",
    "Inputs",
    "Ledger",
    "build_report",
    "calculate",
    "compare",
    "difference_as_text",
    "import_inputs",
    "publish",
    "read_plan",
    "read_plans",
    "sweep",
    "verify_workbook",
    "write_difference",
]

_Result = TypeVar("_Result")


def read_plan(
    plan: FilePath,
    *,
    models: FilePath | None = None,
    architectures: FilePath | None = None,
    optimizers: FilePath | None = None,
    recipes: FilePath | None = None,
    blocks: FilePath | None = None,
    hardware: FilePath | None = None,
    cloud_prices: FilePath | None = None,
    assumptions: FilePath | None = None,
    encoding: str = "",
    decimal: Literal["", "comma", "point"] = "",
) -> Inputs:
    """Return a plan with its catalogues; those not given are the ones that ship with reportgen.

    Args:
        plan: A CSV or Parquet file, or a workbook that ``build_report`` wrote, which holds its own catalogues; ``-``
            for standard input.
        models: A CSV in place of the shipped models.
        architectures: The same for the classes of models' code.
        optimizers: The same for the optimizers.
        recipes: The same for the recipes.
        blocks: The same for the laws of activations.
        hardware: The same for the cards.
        cloud_prices: The same for the dated prices of clouds.
        assumptions: The same for the assumptions.
        encoding: Encoding of the files given here; UTF-8, or what a byte order mark says, where empty.
        decimal: What stands before the decimals in them; told from each file where empty.

    Raises:
        InputError: If anything in the files is wrong; it lists every problem.
        FileError: If a file cannot be read.
    """
    reading = Reading(
        models=models,
        architectures=architectures,
        optimizers=optimizers,
        recipes=recipes,
        blocks=blocks,
        hardware=hardware,
        cloud_prices=cloud_prices,
        assumptions=assumptions,
        encoding=encoding,
        decimal=decimal,
    )
    given = given_catalogues(reading)
    source = plan_source(plan, reading)
    if is_workbook(source.data):
        return read_workbook(source.data, source.file, given)
    return read_inputs(source, all_catalogues(given))


def read_plans(plans: Sequence[FilePath], **reading: Unpack[Reading]) -> list[Inputs]:
    """Return several plans, each read the same way.

    Raises:
        InputError: If anything in the files is wrong; it lists every problem of every plan.
        FileError: If a file cannot be read.
    """
    return _all([partial(read_plan, plan, **reading) for plan in plans])


def _all(calls: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """Return the results of all calls, or the problems of all."""
    results, problems = [], set[Problem]()
    for call in calls:
        try:
            results.append(call())
        except InputError as error:
            problems |= set(error.problems)
    if problems:
        raise InputError(sorted(problems))
    return results


def compare(old: FilePath, new: FilePath, **reading: Unpack[Reading]) -> Difference:
    """Return what differs between two plans, each a CSV file or a workbook that ``build_report`` wrote.

    Args:
        old: The plan before; ``-`` reads a CSV from standard input.
        new: The plan now.
        reading: As for ``read_plan``; a workbook holds its own catalogues.

    Raises:
        InputError: If anything in a plan is wrong.
        FileError: If a file cannot be read, or a workbook is not one that ``build_report`` wrote.
    """
    before, after = _all([partial(_snapshot, path, reading) for path in (old, new)])
    return difference_between(before, after)


def _snapshot(path: FilePath, reading: Reading) -> Snapshot:
    if str(path) != "-":
        data = read_source(path)[1]
        if is_zip(data):
            return of_workbook(str(path), data)
    return of_ledger("standard input" if str(path) == "-" else str(path), calculate(read_plan(path, **reading)))


def write_difference(
    difference: Difference, path: FilePath, *, templates: FilePath | None = None, force: bool = False
) -> None:
    """Write a difference as a page.

    Args:
        difference: What ``compare`` returns.
        path: Where to write.
        templates: A folder whose templates stand in for the shipped ones.
        force: Replace a page even if it has been edited since it was written.

    Raises:
        FileError: If it cannot be written; then a page there is as it was.
    """
    page = diff_page(difference, __version__, _template_folders(templates))
    write_together({Path(path): text_writer(page)}, force=force)


def publish(
    folder: FilePath,
    ledgers: Sequence[Ledger] = (),
    *,
    title: str = "",
    site_title: str = "",
    url: str = "",
    day: date | None = None,
    templates: FilePath | None = None,
    compare: Sequence[str] = (),
    force: bool = False,
) -> Outcome:
    """Make or renew a static site of plans and return what was done.

    Args:
        folder: The site; docs/publishing.md says what stands in it.
        ledgers: What ``calculate`` returns, for each plan that is to be published; without one the index alone.
        title: Title of the plans given here; what they had, or the file's name, where empty.
        site_title: Title of the index; what it had where empty.
        url: Address of the site, for the links in the feed; what it had where empty.
        day: Date of what changed; today where not given.
        templates: A folder whose templates stand in for the shipped ones.
        compare: Names of the cards to compare; ``analyse`` says which where empty.
        force: Replace files that have been edited since they were written.

    Raises:
        FileError: If the site is not what ``publish`` wrote, or cannot be written; then all is as it was.
        InputError: If a card to compare is not in the hardware.
    """
    for ledger in ledgers:
        check_cards(ledger, compare)
    for text in (title, site_title):
        _refuse_unshowable(text)
    settings = Settings(
        day=day or datetime.now().astimezone().date(),
        version=__version__,
        templates=_template_folders(templates),
        title=title,
        site_title=site_title,
        url=url,
        cards=tuple(compare),
        force=force,
    )
    return bring_up_to_date(Path(folder), ledgers, settings)


def _refuse_unshowable(title: str) -> None:
    if unprintable := [mark for mark in title if not mark.isprintable()]:
        raise FileError(f"title: found the character U+{ord(unprintable[0]):04X}, expected text that can be shown")


def _template_folders(own: FilePath | None) -> list[Path]:
    if own is not None and not Path(own).is_dir():
        raise FileError(f"{own}: is no folder; expected one with templates")
    return [*([Path(own)] if own is not None else []), data_folder("templates")]


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

    Raises:
        FileError: If an output cannot be written; then both are as they were.
        InputError: If a card to compare is not in the hardware.
    """
    check_cards(ledger, compare)
    _refuse_unshowable(title)
    folders = _template_folders(templates)
    stem = name or Path(ledger.inputs.plan.file).stem
    workbook_path, page_path = Path(folder, f"{stem}.xlsx"), Path(folder, f"{stem}.html")
    ensure_replaceable((workbook_path, page_path), force=force)
    report = Report(
        ledger,
        title or f"Training memory: {stem}",
        day or datetime.now().astimezone().date(),
        __version__,
        tuple(compare),
    )
    workbook = build_workbook(report)
    page = render_page(report, workbook_path.name, folders)
    write_together(
        {
            workbook_path: lambda path: save(workbook, path, report.date),
            page_path: text_writer(page),
        },
        force=force,
    )
    return workbook_path, page_path
