"""The page in Chromium: silent, sorted, filtered, without mouse, without script, on paper, on a telephone."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from engines import tool
from pages import HOSTILE_NAMES

from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import Ledger
from reportgen.calculation.plan import Plan
from reportgen.listing import as_csv

JOBS = ["30B pretraining", "=1+1", "too few cards", "never, at stage 1", "Llama-2 70B adapters"]


@pytest.mark.parametrize("name", ["small", "hostile"])
def test_nothing_is_requested_and_nothing_is_logged(seen: dict[str, Any], name: str) -> None:
    assert seen["quiet"][name]["noise"] == [f"request: {seen['origin']}/{name}.html"]
    assert f"/{name}.html" in seen["served"]
    assert len(seen["served"]) == 2


def test_the_policy_stops_every_load_style_and_script(seen: dict[str, Any]) -> None:
    found = seen["policy"]
    assert found["blocked"] == ["connect-src", "img-src", "script-src-elem", "style-src-attr", "style-src-elem"]
    assert found["title"] == "Capacity of the plan"
    assert found["served"] == ["/small.html"]


@pytest.mark.parametrize("name", ["small", "hostile"])
def test_the_html_is_valid(seen: dict[str, Any], name: str) -> None:
    assert seen["valid"][name] == []


@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_axe_finds_no_violation(seen: dict[str, Any], look: str) -> None:
    assert seen["axe"][look] == []


@pytest.mark.parametrize("name", ["small-360", "small-1280", "hostile-360", "hostile-1280"])
def test_the_page_itself_never_scrolls_sideways(seen: dict[str, Any], name: str) -> None:
    assert seen["width"][name]["scroll"] <= seen["width"][name]["window"]


@pytest.mark.parametrize("name", ["small-360", "small-1280", "hostile-360", "hostile-1280"])
def test_no_text_leaves_its_picture(seen: dict[str, Any], name: str) -> None:
    assert seen["width"][name]["out"] == []


def test_a_header_sorts_up_then_down_then_back(seen: dict[str, Any], ledger: Ledger) -> None:
    sizes = dict(zip(JOBS, ledger.values[Calculation.training_footprint_bytes].tolist(), strict=True))
    table = seen["table"]
    assert table["plan"] == ledger.values[Plan.job].tolist() == JOBS
    assert table["ascending"] == {"sort": "ascending", "names": sorted(JOBS, key=sizes.__getitem__)}
    assert table["descending"] == {"sort": "descending", "names": sorted(JOBS, key=lambda job: -sizes[job])}
    assert table["again"] == {"sort": None, "names": JOBS}


@pytest.mark.parametrize("order", ["missingLast", "missingLastDescending"])
def test_a_job_without_the_figure_stands_last_in_either_order(seen: dict[str, Any], order: str) -> None:
    assert seen["table"][order][-1] == "never, at stage 1"


def test_the_table_is_filtered_by_words_and_by_verdict(seen: dict[str, Any]) -> None:
    assert seen["table"]["filtered"] == {"names": ["30B pretraining"], "status": "1 of 5 rows"}
    assert seen["table"]["misfits"] == {"names": ["too few cards", "never, at stage 1"], "status": "2 of 5 rows"}


def test_groups_of_columns_are_shown_and_hidden(seen: dict[str, Any]) -> None:
    assert "parameter_bytes" not in seen["table"]["heads"]
    assert {"parameter_bytes", "owner"} <= set(seen["table"]["more"])


def test_the_copied_csv_is_the_ledgers_own(seen: dict[str, Any], ledger: Ledger) -> None:
    *figures, owner = seen["table"]["more"]
    expected = "".join(as_csv(ledger, figures)).splitlines()
    owners = ["owner", "research", '"a ""quoted"", name"', "'-5", "'@team", "product"]
    assert owner == "owner"
    assert seen["table"]["csv"].splitlines() == [f"{line},{text}" for line, text in zip(expected, owners, strict=True)]
    assert "\n'=1+1," in seen["table"]["csv"]


def test_copying_works_where_there_is_no_clipboard_to_ask(seen: dict[str, Any]) -> None:
    assert seen["table"]["copiedWithoutClipboard"] == "5 rows copied as CSV"


def test_a_link_to_a_job_opens_its_section(seen: dict[str, Any]) -> None:
    table = seen["table"]
    assert (table["jobBefore"], table["jobAfter"], table["jobByAddress"]) == (False, True, True)


def test_the_keyboard_reaches_everything_and_the_focus_is_seen(seen: dict[str, Any]) -> None:
    path = seen["keyboard"]["path"]
    reached = [step["what"] for step in path]
    expected = ["skip", "plan.xlsx", "#pictures", "filter", "copy", "show-1", "scroll tall", "job", "fits", "#job-5"]
    places = [reached.index("#main" if what == "skip" else what) for what in expected]
    assert places == sorted(places)
    assert [step["what"] for step in path if not (step["outlined"] and step["inside"])] == []


def test_keys_sort_filter_and_open(seen: dict[str, Any]) -> None:
    found = seen["keyboard"]
    assert found["sorted"] == "ascending"
    assert set(found["fitting"]) == {"30B pretraining", "=1+1", "Llama-2 70B adapters"}
    assert found["opened"]


def test_all_is_readable_without_script(seen: dict[str, Any]) -> None:
    found = seen["scriptOff"]
    assert found["names"] == JOBS
    assert not found["controlsVisible"]
    assert (found["columnBefore"], found["columnAfter"]) == (True, False)
    assert found["arithmeticVisible"]
    assert "480,000,000,000 bytes = 480 GB = 447 GiB" in found["text"]


@pytest.mark.parametrize("file", ["small.pdf", "off.pdf"])
def test_every_job_and_every_table_is_on_paper(seen: dict[str, Any], file: str) -> None:
    """With script and without: all rows of the table, each job's bands and stages, the assumptions."""
    extract = tool("pdftotext", "poppler-utils")
    command = [extract, "-layout", str(seen["folder"] / file), "-"]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
    text = done.stdout.decode()
    assert text.count("Bands of the whole model") == len(JOBS)
    assert all(text.count(job) >= 2 for job in JOBS)
    assert "fragmentation" in text
    assert "Copy as CSV" not in text


def test_printing_leaves_the_page_as_it_was(seen: dict[str, Any]) -> None:
    assert seen["printed"]["openAfter"] == 1


def test_nothing_moves_where_movement_is_unwanted(seen: dict[str, Any]) -> None:
    assert seen["motion"] == {"reduce": "auto", "any": "smooth"}


def test_hostile_names_run_nothing(seen: dict[str, Any]) -> None:
    assert "owned" in HOSTILE_NAMES[0]
    assert seen["quiet"]["hostile"]["title"].startswith("<script>")
