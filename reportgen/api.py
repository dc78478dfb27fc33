"""The whole way in three calls: read a plan, calculate it, build its report.

What only some calls need is imported by them, so that a build does not wait for what compares, publishes or verifies.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from reportgen import __version__
from reportgen.building import build_report, refuse_unshowable, start, template_folders
from reportgen.calculation.analysis import check_cards
from reportgen.calculation.ledger import Inputs, Ledger, calculate
from reportgen.files import read_source, text_writer, write_together
from reportgen.plans import all_or_problems, read_plan, read_plans
from reportgen.sources import FilePath, Reading, is_zip

if TYPE_CHECKING:
    from reportgen.comparing.difference import Difference
    from reportgen.comparing.snapshot import Snapshot
    from reportgen.comparing.text import difference_as_text
    from reportgen.publishing.publish import Outcome
    from reportgen.returned.writing import import_inputs, verify_workbook
    from reportgen.sweeping.sweep import sweep

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
    "start",
    "sweep",
    "verify_workbook",
    "write_difference",
]

_ELSEWHERE: Final = {
    "Difference": "reportgen.comparing.difference",
    "difference_as_text": "reportgen.comparing.text",
    "import_inputs": "reportgen.returned.writing",
    "sweep": "reportgen.sweeping.sweep",
    "verify_workbook": "reportgen.returned.writing",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever stands elsewhere under that name
    """Import what is offered here and stands elsewhere."""
    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    from reportgen.comparing.difference import compare as difference_between

    before, after = all_or_problems([partial(_snapshot, path, reading) for path in (old, new)])
    return difference_between(before, after)


def _snapshot(path: FilePath, reading: Reading) -> Snapshot:
    from reportgen.comparing.snapshot import of_ledger, of_workbook

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
    from reportgen.comparing.diff_page import diff_page

    page = diff_page(difference, __version__, template_folders(templates))
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
    from reportgen.publishing.edition import Settings
    from reportgen.publishing.publish import publish as bring_up_to_date

    for ledger in ledgers:
        check_cards(ledger, compare)
    for text in (title, site_title):
        refuse_unshowable(text)
    settings = Settings(
        day=day or datetime.now().astimezone().date(),
        version=__version__,
        templates=template_folders(templates),
        title=title,
        site_title=site_title,
        url=url,
        cards=tuple(compare),
        force=force,
    )
    return bring_up_to_date(Path(folder), ledgers, settings)
