"""The table of jobs and the picture of their bands; a large plan is cut, and the cut is said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import JOB_SHEETS, Ledger
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Column
from reportgen.listing import records
from reportgen.page.charts import NARROW, WIDE, Amount, Bar, bars_picture
from reportgen.page.columns import OWN_GROUP, chosen
from reportgen.page.data import BandsFigure, Cell, ColumnGroup, Heading, JobTable, Row
from reportgen.page.saying import DOES_NOT_FIT, FITS, at_a_glance, gigabytes, many, named, unit_shown
from reportgen.units import GB, TEXT

MOST_ROWS: Final = 200
"""Jobs in the table."""

MOST_SECTIONS: Final = 40
"""Jobs with a section of their own."""

MOST_BARS: Final = 20
"""Jobs in the picture of bands."""

BANDS: Final = (
    (Calculation.parameter_bytes, "parameters"),
    (Calculation.gradient_bytes, "gradients"),
    (Calculation.master_weight_bytes, "master weights"),
    (Calculation.master_gradient_bytes, "master gradients"),
    (Calculation.moment_bytes, "moments"),
)
"""The parts of the training state and what they are called; their place, from 1, is their colour."""


def foremost(ledger: Ledger, most: int) -> list[int]:
    """Return the positions of the jobs to show, in the plan's order.

    Where there are more than ``most``, those that do not fit come first, then the largest footprints.
    """
    jobs = range(len(ledger.inputs.plan))
    if len(jobs) <= most:
        return list(jobs)
    fits = ledger.values[Sharding.fits].tolist()
    footprints = ledger.values[Calculation.training_footprint_bytes].tolist()
    return sorted(sorted(jobs, key=lambda job: (fits[job], -footprints[job], job))[:most])


def cut(shown: int, jobs: int) -> str:
    """Return the sentence that says what is not shown; empty where all is."""
    if shown == jobs:
        return ""
    return f"{shown:,} of {many(jobs, 'job')}: those that do not fit first, then the largest training footprints."


def anchor(position: int) -> str:
    """Return the id of a job's section; positions count from 0, ids from 1."""
    return f"job-{position + 1}"


def job_table(ledger: Ledger, sections: Sequence[int]) -> JobTable:
    """Return the table; ``sections`` are the jobs that have a section to link to."""
    shown = foremost(ledger, MOST_ROWS)
    part = _part(ledger, shown)
    groups = chosen(ledger)
    listed = [(column, number) for number, (_, columns) in enumerate(groups, 1) for column in columns]
    columns = [_cells(part, column, number) for column, number in ((Sharding.fits, 0), *listed)]
    own = [_own_cells(texts, shown, len(groups) + 1) for texts in ledger.inputs.plan.further.values()]
    linked = set(sections)
    jobs, fits = part.values[Plan.job].tolist(), part.values[Sharding.fits].tolist()
    return JobTable(
        groups=_groups(ledger),
        headings=(
            Heading("fits", "verdict", "", Sharding.fits.meaning, number=False),
            *(_heading(column, number) for column, number in listed),
            *(
                Heading(name, name, "", "A column of your own.", number=False, group=len(groups) + 1)
                for name in ledger.inputs.plan.further
            ),
        ),
        rows=tuple(
            Row(jobs[row], anchor(position) if position in linked else "", fits[row] == 1, cells)
            for row, (position, cells) in enumerate(zip(shown, zip(*columns, *own, strict=True), strict=True))
        ),
        cut=cut(len(shown), len(ledger.inputs.plan)),
        command=f"reportgen table {ledger.inputs.plan.file}",
    )


def _groups(ledger: Ledger) -> tuple[ColumnGroup, ...]:
    groups = [
        ColumnGroup(number, group.title, group.shown, len(columns))
        for number, (group, columns) in enumerate(chosen(ledger), 1)
    ]
    own = len(ledger.inputs.plan.further)
    return (*groups, ColumnGroup(len(groups) + 1, OWN_GROUP, shown=False, columns=own)) if own else tuple(groups)


def _part(ledger: Ledger, positions: list[int]) -> Ledger:
    """Return the ledger with these jobs only."""
    values = {
        column: array.take(positions) if column.sheet in JOB_SHEETS else array
        for column, array in ledger.values.items()
    }
    return Ledger(ledger.inputs, values)


def _heading(column: Column, group: int) -> Heading:
    number = column.unit != TEXT
    return Heading(column.name, named(column), unit_shown(column), column.meaning, number=number, group=group)


def _cells(ledger: Ledger, column: Column, group: int) -> list[Cell]:
    exact = [record[column.name] for record in records(ledger, [column.name])]
    return [
        Cell(_shown(value, column), _exact(plain), column.unit != TEXT and column is not Sharding.fits, group)
        for value, plain in zip(ledger.values[column].tolist(), exact, strict=True)
    ]


def _own_cells(texts: Sequence[str], shown: list[int], group: int) -> list[Cell]:
    return [Cell(texts[position], "", number=False, group=group) for position in shown]


def _shown(value: float | str, column: Column) -> str:
    """Return a cell's text: the verdict in words, the rest for the eye."""
    if column is Sharding.fits:
        return FITS if value == 1 else DOES_NOT_FIT
    return at_a_glance(value, column)


def _exact(value: float | str | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None or isinstance(value, str) else repr(value)


def bands_figure(ledger: Ledger) -> BandsFigure:
    """Return the bands of the largest jobs, largest first, and what the others come to."""
    jobs = ledger.values[Plan.job].tolist()
    footprints = ledger.values[Calculation.training_footprint_bytes].tolist()
    bands = [(name, ledger.values[band].tolist()) for band, name in BANDS]
    order = sorted(range(len(jobs)), key=lambda job: (-footprints[job], job))
    drawn, others = order[:MOST_BARS], order[MOST_BARS:]
    bars = [
        Bar(
            jobs[job],
            tuple(
                Amount(values[job] / GB, band, f"{name} {gigabytes(values[job])}")
                for band, (name, values) in enumerate(bands, 1)
            ),
            f"{gigabytes(footprints[job])} GB",
        )
        for job in drawn
    ]
    together = math.fsum(footprints[job] for job in others)
    return BandsFigure(
        tuple(bars_picture(f"bands-{width}", bars, "GB of training state", width) for width in (WIDE, NARROW)),
        (*(name for name, _ in bands), named(Calculation.training_footprint_bytes)),
        tuple(
            (jobs[job], tuple(gigabytes(one[job]) for one in (*(values for _, values in bands), footprints)))
            for job in drawn
        ),
        f"The {MOST_BARS} largest are drawn; the other {len(others):,} jobs hold {gigabytes(together)} GB together."
        if others
        else "",
    )
