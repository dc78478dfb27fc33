"""The commands that show plans to others: a site of plans, a comparison of two, the templates of all pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.errors import listed
from reportgen.options import Compare, Reading, today, with_reading

if TYPE_CHECKING:
    from reportgen.calculation.ledger import Inputs

Plans = Annotated[
    list[str] | None, typer.Argument(help="Plans as CSV; without one the index alone.", metavar="[PLAN]...")
]
Site = Annotated[Path, typer.Argument(help="Folder of the site; made if it is not there.", metavar="DIR")]
Title = Annotated[str, typer.Option(help="Title of the one plan; kept until another is given.", metavar="TEXT")]
SiteTitle = Annotated[str, typer.Option(help="Title of the index; kept until another is given.", metavar="TEXT")]
Url = Annotated[str, typer.Option(help="Address of the site, for links in the feed; kept as well.", metavar="URL")]
Day = Annotated[
    datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="Date of what changed.", metavar="YYYY-MM-DD")
]
Templates = Annotated[Path | None, typer.Option(help="Folder with templates of your own.", metavar="DIR")]
Force = Annotated[bool, typer.Option("--force", help="Replace outputs that have been edited since.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no messages.")]
Side = "as CSV, or a workbook made by reportgen build"


@with_reading
def publish(
    folder: Site,
    reading: Reading,
    plans: Plans = None,
    compare: Compare = "",
    title: Title = "",
    site_title: SiteTitle = "",
    url: Url = "",
    day: Day = None,
    templates: Templates = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Make or renew a static site: an index, a feed of changes, and each plan's page, workbook and CSV."""
    from reportgen import api

    if title and len(plans or []) != 1:
        raise typer.BadParameter("is the title of one plan; give one", param_hint="--title")
    inputs = api.read_plans(plans or [], **reading)
    outcome = api.publish(
        folder,
        [api.calculate(one) for one in inputs],
        title=title,
        site_title=site_title,
        url=url,
        day=day.date() if day else today(),
        compare=[card.strip() for card in compare.split(",") if card.strip()],
        templates=templates,
        force=force,
    )
    _say([] if quiet else [*_doubts(inputs), *outcome.lines()])


@with_reading
def diff(
    old: Annotated[str, typer.Argument(help=f"The plan before, {Side}; - reads a CSV from stdin.", metavar="OLD")],
    new: Annotated[str, typer.Argument(help=f"The plan now, {Side}.", metavar="NEW")],
    reading: Reading,
    html: Annotated[Path | None, typer.Option(help="Write it as a page too.", metavar="FILE")] = None,
    templates: Templates = None,
    force: Force = False,
) -> None:
    """Print what differs between two plans: jobs added, removed, changed, and what moved in bytes, cards and cost.

    Catalogues given here count for plans as CSV; a workbook holds its own. Ends with 0 whether or not they differ.
    """
    from reportgen import api

    difference = api.compare(old, new, **reading)
    if html is not None:
        api.write_difference(difference, html, templates=templates, force=force)
    typer.echo(api.difference_as_text(difference), nl=False)
    _say([f"wrote {html}"] if html is not None else [])


def templates(folder: Annotated[Path, typer.Argument(help="Folder to copy them into.", metavar="DIR")]) -> None:
    """Copy the templates of all pages into a folder, to change them there and use them with --templates."""
    from reportgen.files import copy_templates

    _say([f"wrote {path}" for path in copy_templates(folder)])


def _doubts(inputs: Sequence[Inputs]) -> list[str]:
    warnings = dict.fromkeys(warning for one in inputs for warning in one.warnings)
    return [listed([*warnings])] if warnings else []


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        typer.echo(line, err=True)
