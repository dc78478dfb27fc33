"""The index and the feed of a site: what their templates get. docs/publishing.md describes each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reportgen.calculation.totals import Totals
from reportgen.expression import Column
from reportgen.page.data import Tile
from reportgen.page.render import fill
from reportgen.page.saying import at_a_glance, many, named, unit_shown
from reportgen.publishing.change import jobs_in_words
from reportgen.publishing.state import Move, Published, Site

STYLES: Final = ("palette.css", "style.css", "site.css")
DEFAULT_TITLE: Final = "Capacity reports"
MOST_NEWS: Final = 10
"""Changes that the index lists; the feed has more."""

MOST_KINDS, MOST_MOVES = 5, 6
"""Kinds of card, and totals that moved, which a card of the index names; further ones it counts."""

_SUMS: Final = (
    Totals.total_planned_cards,
    Totals.total_nodes,
    Totals.total_training_footprint_gb,
    Totals.total_card_hours,
    Totals.total_rental_cost,
    Totals.total_purchase_cost,
)


@dataclass(frozen=True, slots=True)
class Card:
    """One plan on the index; addresses are relative to it."""

    name: str
    title: str
    date: str
    page: str
    workbook: str
    ledger: str
    fits: bool
    verdict: str
    checks_hold: bool
    sums: tuple[Tile, ...]
    kinds: tuple[tuple[str, str], ...]
    further_kinds: str
    since: str
    jobs: str
    moves: tuple[Move, ...]
    further_moves: str


@dataclass(frozen=True, slots=True)
class Item:
    """One change, for the index and for the feed; ``address`` is relative, empty where the plan is gone."""

    id: str
    title: str
    date: str
    text: str
    address: str


def index_page(site: Site, version: str, templates: Sequence[Path]) -> str:
    """Return the index.

    Raises:
        FileError: If a template is missing or wrong.
    """
    cards = [_card(plan) for plan in sorted(site.plans, key=lambda plan: plan.title.casefold())]
    content = {
        "title": site.title or DEFAULT_TITLE,
        "version": version,
        "date": max((plan.date for plan in site.plans), default=""),
        "answer": _answer(cards),
        "plans": tuple(sorted(cards, key=lambda card: card.date, reverse=True)),
        "news": tuple(_items(site))[:MOST_NEWS],
    }
    return fill("index.html", content, templates, STYLES)


def feed(site: Site, version: str, templates: Sequence[Path]) -> str:
    """Return the Atom feed.

    Raises:
        FileError: If a template is missing or wrong.
    """
    items = tuple(_items(site))
    content = {
        "title": site.title or DEFAULT_TITLE,
        "version": version,
        "id": site.id,
        "url": site.url,
        "date": items[0].date if items else "1970-01-01",
        "news": items,
    }
    return fill("feed.xml", content, templates, ())


def _items(site: Site) -> Iterator[Item]:
    there = {plan.name for plan in site.plans}
    for one in site.news:
        yield Item(one.id, one.title, one.date, one.text, f"{one.plan}/{one.plan}.html" if one.plan in there else "")


def _answer(cards: Sequence[Card]) -> str:
    if not cards:
        return "No plan is published here."
    unfit = sum(not card.fits for card in cards)
    if not unfit:
        return "1 plan, and every job of it fits." if len(cards) == 1 else f"{len(cards):,} plans; every job fits."
    has = "has a job that does" if unfit == 1 else "have jobs that do"
    return f"{many(len(cards), 'plan')}; {unfit:,} {has} not fit."


def _card(plan: Published) -> Card:
    totals = plan.totals
    jobs, misfits = _total(totals, Totals.jobs), _total(totals, Totals.jobs_that_do_not_fit)
    address = f"{plan.name}/{plan.name}"
    kinds = sorted(plan.cards.items(), key=lambda kind: (-kind[1], kind[0]))
    moves = plan.change.moves
    return Card(
        name=plan.name,
        title=plan.title,
        date=plan.date,
        page=f"{address}.html",
        workbook=f"{address}.xlsx",
        ledger=f"{address}.csv",
        fits=not misfits,
        verdict=_verdict(jobs, misfits),
        checks_hold=plan.checks_hold,
        sums=tuple(_sum(_total(totals, column), column) for column in _SUMS if _total(totals, column) > 0),
        kinds=tuple((f"{number:,.0f}", name) for name, number in kinds[:MOST_KINDS]),
        further_kinds=_further(len(kinds) - MOST_KINDS, "kind"),
        since=plan.change.since,
        jobs=jobs_in_words(plan.change),
        moves=moves[:MOST_MOVES],
        further_moves=_further(len(moves) - MOST_MOVES, "total"),
    )


def _total(totals: Mapping[str, float | None], column: Column) -> float:
    return float(totals.get(column.name) or 0)


def _sum(value: float, column: Column) -> Tile:
    return Tile(named(column).removeprefix("total "), at_a_glance(value, column), unit_shown(column))


def _verdict(jobs: float, misfits: float) -> str:
    if misfits:
        return f"{misfits:,.0f} of {many(jobs, 'job')} {'does' if misfits == 1 else 'do'} not fit"
    return "the one job fits" if jobs == 1 else f"{jobs:,.0f} of {many(jobs, 'job')} fit"


def _further(number: int, noun: str) -> str:
    """Return how many are not named; empty where all are."""
    if number <= 0:
        return ""
    return many(number, f"further {noun}")
