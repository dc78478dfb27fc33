"""The whole way in three calls: read a plan, calculate it, build its report."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from reportgen import __version__
from reportgen.calculation.analysis import check_cards
from reportgen.calculation.catalogues import AssumptionRows, Blocks, CloudPrices, Hardware, Optimizers, Recipes
from reportgen.calculation.ledger import Inputs, Ledger, calculate
from reportgen.calculation.models import Models
from reportgen.errors import FileError
from reportgen.expression import Sheet
from reportgen.files import data_folder, read_source, write_together
from reportgen.page.render import render_page
from reportgen.reading.inputs import read_inputs
from reportgen.report import Report
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save

__all__ = ["Inputs", "Ledger", "build_report", "calculate", "read_plan"]

FilePath = str | Path


def read_plan(
    plan: FilePath,
    *,
    models: FilePath | None = None,
    optimizers: FilePath | None = None,
    recipes: FilePath | None = None,
    blocks: FilePath | None = None,
    hardware: FilePath | None = None,
    cloud_prices: FilePath | None = None,
    assumptions: FilePath | None = None,
) -> Inputs:
    """Return a plan with its catalogues; those not given are the ones that ship with reportgen.

    Args:
        plan: A CSV file, or ``-`` for standard input.
        models: A CSV in place of the shipped models.
        optimizers: The same for the optimizers.
        recipes: The same for the recipes.
        blocks: The same for the laws of activations.
        hardware: The same for the cards.
        cloud_prices: The same for the dated prices of clouds.
        assumptions: The same for the assumptions.

    Raises:
        InputError: If anything in the files is wrong; it lists every problem.
        FileError: If a file cannot be read.
    """
    given: dict[type[Sheet], FilePath | None] = {
        Models: models,
        Optimizers: optimizers,
        Recipes: recipes,
        Blocks: blocks,
        Hardware: hardware,
        CloudPrices: cloud_prices,
        AssumptionRows: assumptions,
    }
    shipped = data_folder("inputs")
    catalogues = {
        sheet: read_source(path if path is not None else shipped / f"{sheet.title.lower().replace(' ', '_')}.csv")
        for sheet, path in given.items()
    }
    return read_inputs(read_source(plan), catalogues)


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
        compare: Names of the cards to compare; all of the hardware where empty.
        templates: A folder whose templates stand in for the shipped ones.
        force: Replace an output even if it has been edited since it was written.

    Raises:
        FileError: If an output cannot be written; then both are as they were.
        InputError: If a card to compare is not in the hardware.
    """
    check_cards(ledger, compare)
    if unprintable := [mark for mark in title if not mark.isprintable()]:
        raise FileError(f"title: found the character U+{ord(unprintable[0]):04X}, expected text that can be shown")
    if templates is not None and not Path(templates).is_dir():
        raise FileError(f"{templates}: is no folder; expected one with templates")
    stem = name or Path(ledger.inputs.plan.file).stem
    report = Report(
        ledger,
        title or f"Training memory: {stem}",
        day or datetime.now().astimezone().date(),
        __version__,
        tuple(compare),
    )
    workbook_path, page_path = Path(folder, f"{stem}.xlsx"), Path(folder, f"{stem}.html")
    workbook = build_workbook(report)
    folders = [Path(templates)] if templates is not None else []
    page = render_page(report, workbook_path.name, [*folders, data_folder("templates")])
    write_together(
        {
            workbook_path: lambda path: save(workbook, path, report.date),
            page_path: lambda path: _write_text(path, page),
        },
        force=force,
    )
    return workbook_path, page_path


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
