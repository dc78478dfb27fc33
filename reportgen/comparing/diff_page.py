"""A difference as a page: what its template gets. docs/publishing.md describes each field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reportgen.comparing.difference import ChangedJob, Difference, LoneJob
from reportgen.comparing.saying import NOTHING_GIVEN, Moved, counted, given, moved, said_at_a_glance, which
from reportgen.comparing.snapshot import LONE_FIGURES
from reportgen.page.data import Tile
from reportgen.page.render import fill
from reportgen.page.saying import many, named, unit_shown

STYLES: Final = ("palette.css", "style.css", "site.css")
MOST_SHOWN: Final = 500
"""Jobs of one kind that the page shows; the text has all."""


@dataclass(frozen=True, slots=True)
class JobRow:
    """An added or a removed job: ``which`` tells it from others of its name, ``fits`` is its verdict."""

    job: str
    which: str
    fits: bool
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobList:
    """Added or removed jobs; ``cut`` says what is left out."""

    headings: tuple[tuple[str, str], ...]
    rows: tuple[JobRow, ...]
    cut: str


@dataclass(frozen=True, slots=True)
class JobMoves:
    """A changed job: inputs in the plan's own words, what the catalogues say, what it comes to."""

    job: str
    which: str
    given: tuple[Moved, ...]
    followed: tuple[Moved, ...]
    figures: tuple[Moved, ...]


def diff_page(difference: Difference, version: str, templates: Sequence[Path]) -> str:
    """Return the page.

    Raises:
        FileError: If a template is missing or wrong.
    """
    changed = difference.changed[:MOST_SHOWN]
    content = {
        "title": f"What changed: {difference.old.name} → {difference.new.name}",
        "old": difference.old.name,
        "new": difference.new.name,
        "version": version,
        "counted": counted(difference),
        "tiles": _tiles(difference),
        "totals": tuple(map(moved, difference.totals)),
        "added": _listed(difference.added),
        "removed": _listed(difference.removed),
        "changed": tuple(map(_moves, changed)),
        "changed_cut": _cut(len(changed), len(difference.changed)),
        "nothing_given": NOTHING_GIVEN,
    }
    return fill("diff.html", content, templates, STYLES)


def _tiles(difference: Difference) -> tuple[Tile, ...]:
    counts = (
        ("added", len(difference.added)),
        ("removed", len(difference.removed)),
        ("changed", len(difference.changed)),
        ("as before", difference.unchanged),
    )
    return tuple(Tile(what, f"{number:,}", "job" if number == 1 else "jobs") for what, number in counts)


def _listed(jobs: Sequence[LoneJob]) -> JobList:
    shown = jobs[:MOST_SHOWN]
    return JobList(
        tuple((named(column), unit_shown(column)) for column in LONE_FIGURES[1:]),
        tuple(_row(job) for job in shown),
        _cut(len(shown), len(jobs)),
    )


def _row(job: LoneJob) -> JobRow:
    (_, fits), *figures = job.figures
    cells = tuple(said_at_a_glance(value, column).removesuffix(f" {unit_shown(column)}") for column, value in figures)
    return JobRow(job.job, which(job.number), fits == 1, cells)


def _moves(job: ChangedJob) -> JobMoves:
    return JobMoves(
        job.job,
        which(job.number),
        tuple(map(given, job.given)),
        tuple(map(moved, job.followed)),
        tuple(map(moved, job.figures)),
    )


def _cut(shown: int, jobs: int) -> str:
    return f"The first {shown:,} of {many(jobs, 'job')}; reportgen diff prints all." if shown < jobs else ""
