"""Ten thousand jobs stay usable: size, time, what is cut and that it is said."""

from __future__ import annotations

import re
import time

import pytest
from pages import large_plan, ledger_of, page_of

from reportgen.calculation.ledger import Ledger
from reportgen.calculation.sharding import Sharding
from reportgen.page.table import MOST_BARS, MOST_ROWS, MOST_SECTIONS, foremost

JOBS = 10_000


@pytest.fixture(scope="module")
def large() -> Ledger:
    """The figures of a large plan."""
    return ledger_of(large_plan(JOBS))


@pytest.fixture(scope="module")
def timed(large: Ledger) -> tuple[str, float]:
    """The large page and the seconds of processor that it took."""
    began = time.process_time()
    page = page_of(large)
    return page, time.process_time() - began


def test_the_page_is_under_3_mb(timed: tuple[str, float]) -> None:
    assert len(timed[0].encode()) < 3e6


def test_it_is_rendered_in_under_2_s(timed: tuple[str, float]) -> None:
    assert timed[1] < 2


def test_the_cut_is_said_and_kept(timed: tuple[str, float]) -> None:
    page = timed[0]
    assert page.count("<tr data-fits=") == MOST_ROWS
    assert page.count('<details class="job"') == MOST_SECTIONS
    assert f"{MOST_ROWS} of 10,000 jobs: those that do not fit first" in page
    assert f"{MOST_SECTIONS} of 10,000 jobs: those that do not fit first" in page
    assert f"the other {JOBS - MOST_BARS:,} jobs hold" in page
    assert "reportgen table plan.csv" in page


def test_totals_count_every_job(timed: tuple[str, float], large: Ledger) -> None:
    fit = int(large.values[Sharding.fits].sum())
    assert f"{fit:,}" in timed[0]
    assert "10,000 jobs are planned on" in timed[0]


def test_what_does_not_fit_comes_before_what_is_large(large: Ledger) -> None:
    fits = large.values[Sharding.fits].tolist()
    assert not any(fits[position] for position in foremost(large, MOST_ROWS))


def test_every_link_of_the_table_has_its_section(timed: tuple[str, float]) -> None:
    links = set(re.findall(r'href="#(job-\d+)"', timed[0]))
    assert links == set(re.findall(r'id="(job-\d+)"', timed[0]))
    assert len(links) == MOST_SECTIONS


def test_the_same_plan_gives_the_same_bytes(large: Ledger, timed: tuple[str, float]) -> None:
    assert page_of(large) == timed[0]
