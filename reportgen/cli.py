"""The commands: each reads, calculates, shows; heavy modules load only in the command that needs them."""

from __future__ import annotations

import gc
import io
import sys
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from reportgen import __version__
from reportgen.errors import InputError, ReportgenError, listed, problems_as_json
from reportgen.options import Compare, Plan, Reading, with_reading
from reportgen.options import counted as _jobs
from reportgen.options import read as _read
from reportgen.options import today as _today
from reportgen.returning import import_, verify
from reportgen.sharing import diff, publish, templates

app = typer.Typer(
    name="reportgen",
    help="Training-memory plans as a workbook of live formulas and a self-contained page.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_OBJECTS_AT_ONCE: Final = 50_000
"""A run is short and makes few cycles: looking for them after every 700 new objects would take a tenth of it."""


class ProblemFormat(StrEnum):
    """Forms of the problems of an input."""

    TEXT = "text"
    JSON = "json"


class TableFormat(StrEnum):
    """Forms of the ledger on standard output."""

    CSV = "csv"
    JSON = "json"


class Catalogue(StrEnum):
    """The catalogues that ship with reportgen."""

    MODELS = "models"
    OPTIMIZERS = "optimizers"
    RECIPES = "recipes"
    BLOCKS = "blocks"
    HARDWARE = "hardware"
    CLOUD_PRICES = "cloud_prices"
    ARCHITECTURES = "architectures"
    ASSUMPTIONS = "assumptions"


def main() -> None:
    """Run the program; an error of the user's ends in its message and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    gc.set_threshold(_OBJECTS_AT_ONCE)
    try:
        app()
    except ReportgenError as error:
        typer.echo(error, err=True)
        sys.exit(1)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"reportgen {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
@with_reading
def build(
    plan: Plan,
    reading: Reading,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for both files.", metavar="DIR")] = Path(),
    compare: Compare = "",
    title: Annotated[str, typer.Option(help="Title of the report.", metavar="TEXT")] = "",
    day: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="Date of the report.", metavar="YYYY-MM-DD")
    ] = None,
    templates: Annotated[Path | None, typer.Option(help="Folder with templates of your own.", metavar="DIR")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace outputs that have been edited since.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no messages.")] = False,
) -> None:
    """Write the workbook and the page of a plan: DIR/<plan>.xlsx and DIR/<plan>.html."""
    from reportgen import build_report, calculate

    inputs = _read(plan, reading, quiet=quiet)
    written = build_report(
        calculate(inputs),
        output,
        title=title,
        day=day.date() if day else _today(),
        compare=[card.strip() for card in compare.split(",") if card.strip()],
        templates=templates,
        force=force,
        watched=not quiet,
    )
    if not quiet:
        for path in written:
            typer.echo(f"wrote {path} ({_jobs(inputs)})", err=True)


@app.command()
@with_reading
def check(
    plan: Plan,
    reading: Reading,
    form: Annotated[ProblemFormat, typer.Option("--format", help="Form of the problems.")] = ProblemFormat.TEXT,
) -> None:
    """Say every problem of a plan and write nothing."""
    from reportgen import calculate

    as_text = form is ProblemFormat.TEXT
    try:
        inputs = _read(plan, reading, quiet=not as_text)
        calculate(inputs)
    except InputError as error:
        if as_text:
            raise
        typer.echo(problems_as_json([*error.problems, *error.warnings]), nl=False)
        raise typer.Exit(1) from None
    if not as_text:
        typer.echo(problems_as_json(inputs.warnings), nl=False)
    doubts = f", warnings: {len(inputs.warnings)}" if inputs.warnings else ""
    typer.echo(f"{inputs.plan.file}: {_jobs(inputs)}, no problem{doubts}", err=True)


@app.command()
@with_reading
def table(
    plan: Plan,
    reading: Reading,
    form: Annotated[TableFormat, typer.Option("--format", help="Form of the ledger.")] = TableFormat.CSV,
    columns: Annotated[str, typer.Option(help="Columns to print, all where empty.", metavar="a,b")] = "",
) -> None:
    """Print the ledger of a plan: every figure of every job."""
    from reportgen import calculate
    from reportgen.listing import as_csv, as_json, ledger_columns

    known = ledger_columns()
    names = [name.strip() for name in columns.split(",")] if columns else list(known)
    if unknown := [name for name in names if name not in known]:
        raise typer.BadParameter(
            f"no column {', '.join(unknown)}; reportgen columns lists them", param_hint="--columns"
        )
    ledger = calculate(_read(plan, reading))
    for piece in (as_json if form is TableFormat.JSON else as_csv)(ledger, names):
        typer.echo(piece, nl=False)


@app.command()
@with_reading
def explain(
    plan: Plan,
    job: Annotated[str, typer.Argument(help="Name of the job.", metavar="JOB")],
    reading: Reading,
) -> None:
    """Print each figure of one job as arithmetic in words."""
    from reportgen import calculate
    from reportgen.listing import as_arithmetic
    from reportgen.wording import Figures, headline, positions_of
    from reportgen.wording import explain as steps_of

    ledger = calculate(_read(plan, reading))
    for position in positions_of(ledger, job):
        figure = Figures(ledger, [position]).of(0)
        typer.echo(as_arithmetic(job, headline(figure), steps_of(figure)), nl=False)


@app.command()
@with_reading
def sweep(
    grid: Annotated[str, typer.Argument(help="The grid as TOML; - reads standard input.", metavar="GRID.toml")],
    reading: Reading,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write FILE.csv or FILE.parquet instead.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no messages.")] = False,
) -> None:
    """Print a plan of every combination in a grid that its condition keeps, or of the best of them."""
    from reportgen import sweep as sweep_grid

    watched = not quiet and (output is not None or not sys.stdout.isatty())
    outcome = sweep_grid(grid, output or sys.stdout, force=force, watched=watched, **reading)
    if not quiet:
        for line in (*filter(None, [listed(outcome.warnings)]), *outcome.lines()):
            typer.echo(line, err=True)


@app.command()
def catalog(name: Annotated[Catalogue, typer.Argument(help="Which catalogue.")]) -> None:
    """Print a catalogue that ships with reportgen, as CSV."""
    from reportgen.files import data_folder, read_source

    typer.echo(read_source(data_folder("inputs") / f"{name}.csv")[1].decode(), nl=False)


@app.command()
def columns() -> None:
    """Print every column of the ledger: unit, meaning, formula, source."""
    from reportgen.listing import as_markdown_glossary

    typer.echo(as_markdown_glossary(), nl=False)


@app.command()
def init(folder: Annotated[Path, typer.Argument(help="Folder to make.", metavar="DIR")]) -> None:
    """Make a folder of inputs to start from: a plan, the catalogues, a workbook."""
    from reportgen import start

    for path in start(folder, _today()):
        typer.echo(f"wrote {path}", err=True)


for _command in (publish, diff, templates, verify):
    app.command()(_command)
app.command("import")(import_)
