"""How figures and formulas are said to a person."""

from __future__ import annotations

import math

import pytest
from plans import THIRTY, ledger_of

from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import Ledger
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError
from reportgen.expression import Column
from reportgen.wording import (
    Figures,
    amount,
    arithmetic,
    definition,
    explain,
    figure,
    glossary,
    label,
    positions_of,
    result,
)


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """The article's job and a small one."""
    return ledger_of(THIRTY + "small one,m,1B,H100\n")


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (1, "byte", "1 byte"),
        (2, "byte", "2 bytes"),
        (0, "card", "0 cards"),
        (1, "card", "1 card"),
        (1.5, "card", "1.5 cards"),
        (30e9, "parameter", "30,000,000,000 parameters"),
        (2, "byte/parameter", "2 bytes/parameter"),
        (1, "byte/parameter", "1 byte/parameter"),
        (480, "GB", "480 GB"),
        (447.0348358154297, "GiB", "447 GiB"),
        (74.50580596923828, "GiB", "74.5 GiB"),
        (22.351741790771484, "GiB", "22.4 GiB"),
        (1.862645149230957, "GiB", "1.86 GiB"),
        (9.999, "GB", "10 GB"),
        (12345.6, "GB", "12,346 GB"),
        (3.6e25, "FLOP", "36,000,000,000,000,000,000,000,000 FLOP"),
        (3, "1", "3"),
        (math.nan, "byte", "–"),
        ("H100", "text", "H100"),
        ("", "text", "–"),
        (1, "yes or no", "yes"),
        (0, "yes or no", "no"),
    ],
)
def test_an_amount_has_its_unit_in_the_plural_where_it_is_many(value: float | str, unit: str, words: str) -> None:
    assert amount(value, Column(unit, "")) == words


def test_a_share_is_said_in_percent() -> None:
    assert figure(0.75, Calculation.optimizer_share) == "75%"
    assert figure(0.07, Calculation.optimizer_share) == "7%"


def test_bytes_are_said_in_both_systems() -> None:
    assert result(480e9, Calculation.training_footprint_bytes) == "480,000,000,000 bytes = 480 GB = 447 GiB"


def test_a_small_memory_is_not_called_nothing() -> None:
    shown = result(3_500_000, Calculation.training_footprint_bytes)
    assert "= 0 G" not in shown


def test_a_heading_leaves_the_unit_to_its_own_place() -> None:
    assert label(Calculation.training_footprint_gb) == "training footprint"
    assert label(Calculation.cards_needed) == "cards needed"


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (Calculation.parameter_bytes, "30,000,000,000 parameters × 2 bytes/parameter"),
        (Calculation.moment_bytes, "30,000,000,000 parameters × 2 values/parameter × 4 bytes/value"),
        (Calculation.values_per_parameter, "1 value/parameter + 2 values/parameter"),
        (Calculation.cards_needed, "480,000,000,000 bytes ÷ 80,000,000,000 bytes, rounded up"),
    ],
    ids=lambda value: value.name if isinstance(value, Column) else "",
)
def test_the_arithmetic_of_a_job_is_a_sentence_of_its_numbers(ledger: Ledger, column: Column, sentence: str) -> None:
    assert arithmetic(column, Figures(ledger, [0]).of(0)) == sentence


def test_of_a_choice_only_the_branch_taken_is_said(ledger: Ledger) -> None:
    assert arithmetic(Calculation.parameters, Figures(ledger, [0]).of(0)) == "30,000,000,000 parameters"


def test_jobs_that_are_said_together_are_said_as_each_alone() -> None:
    ledger = ledger_of("parameters,hardware,optimizer\n30B,H100,adamw\n7B,A100-80,sgd\n13B,H100,adafactor\n")
    together = Figures(ledger, [2, 0, 1])
    for place, position in enumerate([2, 0, 1]):
        assert explain(together.of(place)) == explain(Figures(ledger, [position]).of(0))


def test_a_definition_names_columns() -> None:
    assert definition(Calculation.cards_exact) == "training_footprint_bytes ÷ label_bytes"
    assert definition(Plan.job) == ""


def test_each_figure_of_a_job_is_explained_with_its_result(ledger: Ledger) -> None:
    steps = {step.name: step for step in explain(Figures(ledger, [0]).of(0))}
    assert steps["training_footprint_bytes"].result == "480,000,000,000 bytes = 480 GB = 447 GiB"
    assert steps["card_gib"].result == "74.5 GiB"
    assert steps["cards_exact"].result == steps["cards_needed"].result == "6 cards"


def test_the_glossary_has_a_unit_and_a_meaning_for_every_column() -> None:
    assert all(entry.unit and entry.meaning for entry in glossary())


def test_a_job_is_found_by_its_name(ledger: Ledger) -> None:
    assert positions_of(ledger, "small one") == [1]


def test_an_unknown_job_is_refused_with_the_nearest(ledger: Ledger) -> None:
    with pytest.raises(InputError, match="found 'small won'; expected a job of the plan, such as small one"):
        positions_of(ledger, "small won")
