"""Every figure that was published or measured is ours too, and docs/accuracy.md says how near."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Final

import accuracy
import pytest
from sources import SOURCES, Source, figures, ledger_of, rows

from reportgen import calculate, read_plan
from reportgen.calculation.catalogues import Hardware
from reportgen.files import data_folder

ROUNDING: Final = {"printed value rounded": ROUND_HALF_UP, "printed value truncated": ROUND_DOWN}
LENGTHS: Final = {
    "ZeRO paper": 58,
    "Activation recomputation paper": 24 * 2,
    "Models outside the catalogue": 107 * 3,
    "LoRA adapters": 36,
    "Optimizer states": 207,
    "Activations": 204,
}
"""How many cases there must be, so that none goes missing unseen."""


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.title))
def test_our_figures_are_those_of(source: Source) -> None:
    cases = source.cases()
    assert [case for case in cases if abs(case.difference) > source.tolerance and not case.why] == []
    assert len(cases) >= LENGTHS.get(source.title, 1)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.title))
def test_what_may_differ_does(source: Source) -> None:
    """An excuse that is no longer needed must go."""
    assert [case for case in source.cases() if case.why and abs(case.difference) <= source.tolerance] == []


@pytest.mark.parametrize("cell", rows("zero_paper.csv"), ids=lambda cell: "-".join(list(cell.values())[:4]))
def test_the_zero_paper_prints_its_exact_figure_rounded_or_truncated(cell: dict[str, str]) -> None:
    printed = Decimal(cell["printed_gb"])
    assert Decimal(cell["exact_gb"]).quantize(printed, rounding=ROUNDING[cell["note"]]) == printed


def test_a_card_says_whether_its_label_or_its_driver_counts() -> None:
    values = calculate(read_plan(data_folder("inputs") / "plan.csv")).values
    cards = values[Hardware.hardware].tolist()
    ledger = ledger_of({"parameters": 1, "hardware": card} for card in cards)
    basis = dict(zip(cards, figures(ledger, "memory_basis").tolist(), strict=True))
    known = dict(zip(cards, (values[Hardware.reported_memory] > 0).tolist(), strict=True))
    assert basis == {card: "reported" if reported else "label" for card, reported in known.items()}
    assert (figures(ledger, "reported_bytes") == figures(ledger, "label_bytes")).sum() == list(known.values()).count(
        False
    )


def test_the_page_on_accuracy_is_up_to_date() -> None:
    text = accuracy.page()
    print(text)  # noqa: T201 - the test run prints the page
    assert accuracy.PAGE.read_text(encoding="utf-8") == text, "stale: run make accuracy"
