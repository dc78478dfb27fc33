"""What is said first: one sentence, the tiles, and what each kind of card comes to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reportgen.calculation.bill import BillOfMaterials
from reportgen.calculation.checks import HOLDS
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.calculation.totals import Totals
from reportgen.expression import Column
from reportgen.page.charts import HALF, NARROW, Amount, Bar, BarsPicture, bars_picture
from reportgen.page.data import HardwareFigure, HardwareRow, Tile
from reportgen.page.saying import DOES_NOT_FIT, FITS, Part, at_a_glance, many, named, shortened, unit_shown
from reportgen.report import Report
from reportgen.wording import amount

MOST_NAMED: Final = 6
"""Kinds of card that the first sentence names; further ones it counts."""

MOST_DRAWN: Final = 12
"""Kinds of card in the picture; the table beside it has all."""

_SUMMED: Final = (
    BillOfMaterials.planned_cards,
    BillOfMaterials.nodes,
    BillOfMaterials.cards_needed,
    BillOfMaterials.card_hours,
    BillOfMaterials.rental_cost,
    BillOfMaterials.purchase_cost,
)
"""What is said of each kind of card: columns of the bill of materials."""

_TILES: Final = (
    (Totals.total_planned_cards, Totals.total_cards_needed, "{} by the label"),
    (Totals.total_nodes, Totals.total_stranded_cards, "{} idle in them"),
    (Totals.total_training_footprint_gb, Totals.total_training_footprint_gib, "{}"),
    (Totals.total_rental_cost, Totals.jobs_without_rent, "{} not in it, no hours or no price"),
    (Totals.total_purchase_cost, Totals.jobs_without_purchase, "{} not in it, no price"),
    (Totals.total_card_hours, Totals.total_energy_kwh, "{}"),
    (Totals.total_power_kw, Totals.total_nodes, "at the meter, rated"),
)
"""A total, the total that its note says, and how; a total of nothing has no tile, a note of nothing is not said."""

_NAME_WIDTH: Final = 40


@dataclass(frozen=True)
class Kind:
    """All jobs on one kind of card."""

    hardware: str
    jobs: float
    fitting: int
    sums: dict[Column, float]


def kinds(report: Report) -> list[Kind]:
    """Return the lines of the bill of materials, most planned cards first."""
    values = report.analysis.values
    fitting: dict[str, int] = {}
    fits = report.ledger.values[Sharding.fits].tolist()
    for name, fit in zip(report.ledger.values[Plan.hardware].tolist(), fits, strict=True):
        fitting[name.casefold()] = fitting.get(name.casefold(), 0) + int(fit == 1)
    names, jobs = values[BillOfMaterials.hardware].tolist(), values[BillOfMaterials.jobs].tolist()
    sums = {column: values[column].tolist() for column in _SUMMED}
    found = [
        Kind(
            name,
            jobs[line],
            fitting[name.casefold()],
            {column: 0.0 if math.isnan(cells[line]) else cells[line] for column, cells in sums.items()},
        )
        for line, name in enumerate(names)
        if name
    ]
    return sorted(found, key=lambda kind: (-kind.sums[BillOfMaterials.planned_cards], kind.hardware))


def answer(report: Report, found: Sequence[Kind]) -> tuple[Part, ...]:
    """Return the one sentence: how many jobs, on how many cards of which kind, and whether they fit."""
    total = dict(report.totals)
    jobs, misfits = total[Totals.jobs], total[Totals.jobs_that_do_not_fit]
    cards, nodes = total[Totals.total_planned_cards], total[Totals.total_nodes]
    verdict = (
        f"{many(misfits, 'job')} {'does' if misfits == 1 else 'do'} not fit."
        if misfits
        else ("it fits." if jobs == 1 else "every job fits.")
    )
    used = [kind for kind in found if kind.sums[BillOfMaterials.planned_cards]]
    if not used:
        return (Part(f"{many(jobs, 'job')}, and no number of cards holds {'it' if jobs == 1 else 'any of them'}."),)
    single, several = ("is planned on", "are planned on") if misfits else ("needs", "need")
    needs = f"{many(jobs, 'job')} {single if jobs == 1 else several} "
    where = f" in {many(nodes, 'node')}" if nodes else ""
    if len(used) == 1:
        return (Part(f"{needs}{cards:,.0f} "), _name(used[0]), Part(f"{where}; {verdict}"))
    return (Part(f"{needs}{many(cards, 'card')}{where}: "), *_listed(used), Part(f"; {verdict}"))


def _listed(used: Sequence[Kind]) -> Iterator[Part]:
    named = used if len(used) <= MOST_NAMED else used[: MOST_NAMED - 1]
    for position, kind in enumerate(named):
        between = "" if position == 0 else " and " if kind is used[-1] else ", "
        yield Part(f"{between}{kind.sums[BillOfMaterials.planned_cards]:,.0f} ")
        yield _name(kind)
    if rest := used[len(named) :]:
        cards = sum(kind.sums[BillOfMaterials.planned_cards] for kind in rest)
        yield Part(f" and {cards:,.0f} of {len(rest)} further kinds")


def _name(kind: Kind) -> Part:
    return Part(shortened(kind.hardware, _NAME_WIDTH), is_name=True)


def tiles(report: Report) -> tuple[Tile, ...]:
    """Return the tiles: the verdicts first, then what all jobs come to."""
    total = dict(report.totals)
    jobs, fit, not_fit = (total[one] for one in (Totals.jobs, Totals.jobs_that_fit, Totals.jobs_that_do_not_fit))
    checks = report.checks
    holding = sum(check.verdict == HOLDS for check in checks)
    verdicts = (
        Tile(FITS, f"{fit:,.0f}", "", f"of {many(jobs, 'job')}", "good" if fit else ""),
        Tile(DOES_NOT_FIT, f"{not_fit:,.0f}", "", f"of {many(jobs, 'job')}", "bad" if not_fit else ""),
        Tile("checks hold", f"{holding:,}", "", f"of {len(checks):,}", "good" if holding == len(checks) else "bad"),
    )
    rest = (
        Tile(
            named(column).removeprefix("total "),
            at_a_glance(total[column], column),
            unit_shown(column),
            note.format(_said(total[noted], noted)) if total[noted] > 0 else "",
        )
        for column, noted, note in _TILES
        if total[column] > 0
    )
    return (*verdicts, *rest)


def _said(value: float, column: Column) -> str:
    return f"{at_a_glance(value, column)} {_unit(value, column)}".strip()


def _unit(value: float, column: Column) -> str:
    """Return the unit as ``amount`` says it, in the plural where it is many."""
    return amount(value, column).partition(" ")[2]


def hardware_figure(found: Sequence[Kind]) -> HardwareFigure:
    """Return cards and, where there are prices, cost by hardware."""
    columns = [column for column in _SUMMED if any(kind.sums[column] for kind in found)]
    return HardwareFigure(
        cards=_pictures("cards", _bars(found, BillOfMaterials.planned_cards, _cards_said), "planned cards"),
        cost=_pictures("cost", _bars(found, BillOfMaterials.rental_cost, _cost_said), "rental cost in USD"),
        headings=tuple((named(column), unit_shown(column)) for column in columns),
        rows=tuple(
            HardwareRow(
                kind.hardware,
                (
                    f"{kind.jobs:,.0f}",
                    f"{kind.fitting:,}",
                    *(at_a_glance(kind.sums[column], column) for column in columns),
                ),
            )
            for kind in found
        ),
    )


def _bars(found: Sequence[Kind], column: Column, say: Callable[[Kind], str]) -> list[Bar]:
    """Return a bar for each kind of card that has this figure, the largest first, one for all beyond the last drawn."""
    used = sorted((kind for kind in found if kind.sums[column]), key=lambda kind: (-kind.sums[column], kind.hardware))
    drawn = used if len(used) <= MOST_DRAWN else used[: MOST_DRAWN - 1]
    if rest := used[len(drawn) :]:
        drawn = [*drawn, _together(rest)]
    return [Bar(kind.hardware, (Amount(kind.sums[column], 2, ""),), say(kind)) for kind in drawn]


def _together(rest: Sequence[Kind]) -> Kind:
    return Kind(
        f"{len(rest)} further kinds",
        math.fsum(kind.jobs for kind in rest),
        sum(kind.fitting for kind in rest),
        {column: math.fsum(kind.sums[column] for kind in rest) for column in _SUMMED},
    )


def _cards_said(kind: Kind) -> str:
    planned, needed = BillOfMaterials.planned_cards, BillOfMaterials.cards_needed
    return f"{at_a_glance(kind.sums[planned], planned)} ({at_a_glance(kind.sums[needed], needed)} by the label)"


def _cost_said(kind: Kind) -> str:
    return _said(kind.sums[BillOfMaterials.rental_cost], BillOfMaterials.rental_cost)


def _pictures(key: str, bars: Sequence[Bar], axis: str) -> tuple[BarsPicture, ...]:
    return tuple(bars_picture(f"{key}-{width}", bars, axis, width) for width in (HALF, NARROW)) if bars else ()
