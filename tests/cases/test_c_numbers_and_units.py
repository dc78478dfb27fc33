"""Cases C of inputs.md: numbers and units."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from case_files import BASE, Outputs, build, figures, read, refused, warned

from reportgen import calculate
from reportgen.calculation.bands import Calculation
from reportgen.calculation.plan import Plan

CARDS = "hardware,label_memory,reported_memory\n"


def parameters(text: str, *, delimiter: str = ",", decimal: str = "") -> float:
    cell = f'"{text}"' if delimiter in text else text
    plan = delimiter.join(("model", "params", "gpu")) + "\n" + delimiter.join(("llama", cell, "H100")) + "\n"
    value: float = read(plan, decimal=decimal).plan.values[Plan.parameters].item()
    return value


def refusal_of(text: str, *, delimiter: str = ",") -> str:
    cell = f'"{text}"' if delimiter in text else text
    return str(refused(delimiter.join(("model", "params", "gpu")) + "\n" + delimiter.join(("x", cell, "H100")) + "\n"))


READ = {
    "C01 7,500,000,000": 7_500_000_000,
    "C05 7B": 7e9,
    "C05 30b": 30e9,
    "C05 1.3T": 1.3e12,
    "C05 350M": 350e6,
    "C05 7 B": 7e9,
    "C05 0.5b": 5e8,
    "C05 671B": 671e9,
    "7'500'000": 7_500_000,
    "7\u202f500\u202f000": 7_500_000,
}


@pytest.mark.parametrize("case", READ)
def test_a_count_is_read_exactly(case: str) -> None:
    text = case.split(" ", 1)[1] if case.startswith("C") else case
    assert parameters(text) == READ[case]


def test_c01_a_grouped_number_after_200_plain_ones_is_read() -> None:
    plan = "model,params,gpu\n" + "".join(f"m{place},{place}000000,H100\n" for place in range(1, 201))
    values = read(plan + 'last,"1,049,340,000",H100\n').plan.values[Plan.parameters].tolist()
    assert (len(values), values[-1]) == (201, 1_049_340_000)


WRONG = {
    "C01": ("7,50,000", "7,5,0", "1,000,00", ",000", "7.500.000"),
    "C05": ("30B-A3B", "8x7B", "E4B", "7BB", "B"),
    "C11": (", ,, 123", "1,,000", "$7", "7%", "1e400", "7 500 000"),
    "C13": ("NA", "nan", "N/A", "None", "null", "inf", "-"),
    "C15": ("0", "-7B", "0.5", "0B"),
}


@pytest.mark.parametrize(("case", "text"), [(case, text) for case, texts in WRONG.items() for text in texts])
def test_what_is_no_count_is_refused_with_what_is_one(case: str, text: str) -> None:
    assert case
    refusal = refusal_of(text)
    assert refusal.startswith(f"plan.csv:2: parameters: found {text!r}; expected a ")


def test_c13_an_empty_number_that_is_needed_is_refused() -> None:
    assert "found 'x', which models.csv does not have" in refusal_of("")


def test_c03_a_point_is_decimal_and_both_styles_in_one_column_are_said() -> None:
    plan = 'model,params,gpu,hours\na,7B,H100,1.234\nb,7B,H100,"1,234"\n'
    assert read(plan).plan.values[Plan.hours].tolist() == [1.234, 1234]
    assert warned(plan) == (
        "plan.csv:3: hours: warning: found '1,234', and '1.234' on line 2; "
        "expected one decimal mark in a column; --decimal says which"
    )


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_c03_a_comma_is_decimal_where_the_file_shows_it(delimiter: str) -> None:
    plan = "model;params;gpu;hours\na;7,5B;H100;2,5\nb;7B;H100;1.234\n".replace(";", delimiter)
    assert read(plan).plan.values[Plan.parameters].tolist() == [7.5e9, 7e9]
    assert read(plan).plan.values[Plan.hours].tolist() == [2.5, 1234]


@pytest.mark.parametrize("text", ["1,234B", "1.234B"])
def test_c03_a_number_that_could_be_two_is_refused_until_the_mark_is_said(text: str) -> None:
    assert "--decimal comma or --decimal point" in refusal_of(text, delimiter=";")
    by_comma = parameters(text, delimiter=";", decimal="comma")
    by_point = parameters(text, delimiter=";", decimal="point")
    assert {by_comma, by_point} == {1.234e9, 1234e9}


def test_c03_a_decimal_comma_between_commas_is_refused_with_the_option() -> None:
    assert "--decimal comma" in refusal_of("7,5B")
    assert parameters("7,5B", decimal="comma") == 7.5e9


def test_c07_a_size_in_the_name_that_the_column_denies_is_said() -> None:
    plan = "model,params,gpu\nQwen-27B,15200000000,H100\n"
    assert read(plan).plan.values[Plan.parameters].item() == 15_200_000_000
    assert warned(plan) == (
        "plan.csv:2: parameters: warning: found 15,200,000,000 for 'Qwen-27B'; expected about 27B; the column counts"
    )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("Llama-3 8B", "8030261248"),
        ("Gemma 2B", "2506172416"),
        ("Mixtral 8x7B", "46.7B"),
        ("30B-A3B", "30B"),
        ("a", "1"),
    ],
)
def test_c07_a_name_that_agrees_or_states_no_size_is_not_doubted(name: str, count: str) -> None:
    assert warned(f"model,params,gpu\n{name},{count},H100\n") == ""


def test_c07_the_shipped_models_agree_with_their_names() -> None:
    assert warned(BASE) == ""


LIKE_NOTHING = ("NA", "None", "nan", "true", "NULL", "N/A", "#N/A")
LIKE_DATES = ("05_base", "1-1-19", "MAR 3", "06-8108", "SEPT9", "2026-01", "1e5", "007")


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """The outputs of a plan whose names look like something else."""
    rows = "".join(f"{name},7B,H100,{name}\n" for name in LIKE_NOTHING + LIKE_DATES)
    return build(f"model,params,gpu,region\n{rows}", tmp_path_factory.mktemp("named"))


@pytest.mark.parametrize("name", LIKE_NOTHING)
def test_c13_a_name_that_looks_like_nothing_is_a_name(name: str, named: Outputs) -> None:
    assert named.texts("Plan").count(name) >= 2
    assert f">{html.escape(name)}<" in named.html


@pytest.mark.parametrize("memory", ["0GB", "0.4 GiB", "-80 GB", "80Gb", "80 GBB", "nan"])
def test_c15_a_card_that_leaves_nothing_for_a_job_is_refused(memory: str) -> None:
    (line,) = refused("model,params,gpu\nm,7B,X\n", hardware=f"{CARDS}X,{memory},\n").lines
    assert line.startswith("hardware.csv:2: label_memory: found ")


@pytest.mark.parametrize("cards", ["0", "-1", "1.5"])
def test_c15_no_cards_are_refused(cards: str) -> None:
    assert str(refused(BASE.replace(",8\n", f",{cards}\n"))).startswith("plan.csv:2: cards: found ")


@pytest.mark.parametrize("value", ["0", "1.2", "-1", ""])
def test_c15_a_utilization_that_cannot_be_is_refused(value: str) -> None:
    shipped = (Path(__file__).parents[2] / "inputs" / "assumptions.csv").read_text(encoding="utf-8")
    rows = [
        f"model_flops_utilization,{value},{row.split(',', 2)[2]}" if row.startswith("model_flops_utilization") else row
        for row in shipped.splitlines()
    ]
    assert ": value: found " in str(refused(BASE, assumptions="\n".join(rows)))


@pytest.mark.parametrize("name", LIKE_DATES)
def test_c17_a_name_that_looks_like_a_date_is_that_name(name: str, named: Outputs) -> None:
    assert named.texts("Plan").count(name) >= 2
    assert f">{name}<" in named.html


@pytest.mark.parametrize(
    ("parameters", "label", "cards"), [("30B", "80 GB", 6), ("50B", "80 GB", 10), ("525M", "1.2 GB", 7)]
)
def test_c19_an_exact_fit_buys_no_card_more(parameters: str, label: str, cards: int) -> None:
    plan = f"model,params,gpu\nm,{parameters},X\n"
    assert calculate(read(plan, hardware=f"{CARDS}X,{label},\n")).values[Calculation.cards_needed].item() == cards


def test_c09_gb_and_gib_are_two_columns_of_one_number() -> None:
    found = figures(BASE)
    in_gb, in_gib = (float(found[f"Calculation.training_footprint_{unit}"][0]) for unit in ("gb", "gib"))
    assert in_gb * 10**9 == pytest.approx(in_gib * 2**30)


def test_a_card_known_by_its_label_alone_is_said_where_a_job_uses_it() -> None:
    cards = f"{CARDS}X,80 GB,\nY,80 GB,\n"
    assert warned("model,params,gpu\nm,7B,X\n", hardware=cards) == (
        "hardware.csv:2: reported_memory: warning: found no memory as the driver of 'X' reports it; "
        "expected it; the label's memory counts"
    )
