"""The commands for a workbook that comes back: its inputs as CSVs again, and whether its figures hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen import __version__
from reportgen.errors import listed

if TYPE_CHECKING:
    from reportgen.returned.verifying import Verification

Book = Annotated[Path, typer.Argument(help="A workbook made by reportgen build, edited or not.", metavar="BOOK.xlsx")]


def import_(
    book: Book,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the files.", metavar="DIR")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace files that hold something else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no messages.")] = False,
) -> None:
    """Write the input sheets of a workbook as CSV files: the plan, the catalogues, the assumptions."""
    from reportgen import import_inputs

    written, warnings = import_inputs(book, output, force=force)
    if quiet:
        return
    if warnings:
        typer.echo(listed(warnings), err=True)
    for path in written:
        typer.echo(f"wrote {path}", err=True)


def verify(book: Book) -> None:
    """Say whether every figure of a workbook is what its inputs and reportgen's formulas give."""
    from reportgen import verify_workbook

    found = verify_workbook(book, watched=True)
    if found.warnings:
        typer.echo(listed(found.warnings), err=True)
    for difference in found.differences:
        typer.echo(f"{book.name}: {difference}")
    if found.more:
        typer.echo(f"{book.name}: ... and {found.more:,} more")
    typer.echo(f"{book.name}: {_verdict(found)}")
    if found.differences:
        raise typer.Exit(1)


def _verdict(found: Verification) -> str:
    formulas = f"{found.formulas:,} formulas"
    if found.differences:
        cells = len(found.differences) + found.more
        said = "1 cell is" if cells == 1 else f"{cells:,} cells are"
        said += f" not as reportgen writes it, {formulas} compared"
    else:
        said = f"all {formulas} and their values are what its inputs give"
    parts = [said, _history(found)]
    if found.differences and found.edited:
        parts.append("if no spreadsheet program has calculated it since, open it in one and save it")
    if found.version != __version__:
        parts.append(f"made by reportgen {found.version or 'unknown'}, compared with {__version__}")
    return "; ".join(parts)


def _history(found: Verification) -> str:
    if found.edited:
        return "inputs edited since it was built: " + ", ".join(found.edited)
    return "as reportgen wrote it" if found.untouched else "no input edited since it was built"
