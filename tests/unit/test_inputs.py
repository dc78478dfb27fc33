"""From records to believed tables: defaults, aliases, names, and every problem in one go."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from plans import THIRTY, inputs_of, ledger_of, problems_of, shipped

from reportgen.api import read_plan
from reportgen.calculation.bands import Calculation
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError
from reportgen.expression import Column
from reportgen.files import data_folder

CARDS = "hardware,label_memory\nH100,80 GB\nA100-80,80 GB\nL4,24 GB\n"


def one(plan: str, column: Column, **catalogues: str) -> float | str:
    """Return what a plan of one job holds in a column."""
    value: float | str = inputs_of(plan, **catalogues).plan.values[column].item()
    return value


def test_what_is_not_said_has_its_default() -> None:
    plan = "model,parameters,hardware\nllama,7B,H100\n"
    defaults = {
        Plan.job: "llama",
        Plan.optimizer: "adamw",
        Plan.recipe: "mixed-16",
        Plan.zero_stage: 3,
        Plan.tensor_parallel_degree: 1,
        Plan.pipeline_parallel_degree: 1,
        Plan.recompute: "none",
    }
    assert {column: one(plan, column) for column in defaults} == defaults
    assert math.isnan(float(one(plan, Plan.cards)))


def test_the_sample_row_is_read_as_it_stands() -> None:
    plan = (
        "job,model,parameters,optimizer,hardware,zero_stage,cards,tokens,hours,activation_bytes,start\n"
        'a,b,"7,500,000,000",sgd,L4,1,16,1.4T,72.5,12 GiB,2026-01-31\n'
    )
    assert one(plan, Plan.parameters) == 7_500_000_000
    assert one(plan, Plan.optimizer) == "sgd"
    assert one(plan, Plan.cards) == 16
    assert one(plan, Plan.tokens) == 1_400_000_000_000
    assert one(plan, Plan.hours) == 72.5
    assert one(plan, Plan.activation_bytes) == 12_884_901_888
    assert one(plan, Plan.start) == 46_053


@pytest.mark.parametrize(
    ("header", "column", "text", "value"),
    [
        ("params", Plan.parameters, "7B", 7e9),
        ("Parameters ", Plan.parameters, "7B", 7e9),
        ("tp", Plan.tensor_parallel_degree, "4", 4),
        ("PP", Plan.pipeline_parallel_degree, "2", 2),
        ("zero", Plan.zero_stage, "1", 1),
        ("ZeRO-stage", Plan.zero_stage, "1", 1),
        ("mbs,seq", Plan.micro_batch_size, "8,4096", 8),
        ("seq,mbs", Plan.sequence_length, "4096,8", 4096),
    ],
)
def test_a_short_header_means_the_column(header: str, column: Column, text: str, value: float) -> None:
    assert one(f"model,gpu,{header}\nLlama-3 8B,H100,{text}\n", column) == value


def test_two_headers_for_one_column_are_refused() -> None:
    (problem,) = problems_of("model,params,parameters,hardware\nllama,7B,8B,H100\n")
    assert problem == "plan.csv:1: parameters: found the headers params, parameters; expected one of them"


@pytest.mark.parametrize("text", ["H100", "h100", " H100 "])
def test_a_name_is_found_whatever_its_case_and_shown_as_the_catalogue_has_it(text: str) -> None:
    assert one(f"model,parameters,hardware\nllama,7B,{text}\n", Plan.hardware) == "H100"


def test_the_name_of_a_model_is_found_whatever_its_case() -> None:
    ledger = ledger_of("model,hardware\nllama-3 8b,H100\n")
    assert ledger.values[Plan.model].item() == "Llama-3 8B"
    assert ledger.values[Calculation.parameters].item() == 8_030_261_248


def test_a_model_of_the_users_own_keeps_its_name() -> None:
    assert one("model,parameters,hardware\nLlama 27B,27B,H100\n", Plan.model) == "Llama 27B"


def test_a_model_with_another_number_in_its_name_is_another_model() -> None:
    (problem,) = problems_of("model,hardware\nLlama 27B,H100\n")
    assert "found 'Llama 27B'" in problem


@pytest.mark.parametrize("name", ["NA", "None", "nan", "true", "#N/A", "05_base", "1-1-19", "2026-01", "=1+1", "a\nb"])
def test_a_text_stays_the_text_that_it_is(name: str) -> None:
    assert one(f'model,parameters,hardware\n"{name}",7B,H100\n', Plan.model) == name


@pytest.mark.parametrize("text", ["NA", "nan", "N/A", "0", "-7B", "7,5B", "1.5"])
def test_what_is_no_count_of_parameters_is_refused(text: str) -> None:
    problems = problems_of(f'job,model,parameters,hardware\nx,llama,"{text}",H100\n')
    assert any(problem.startswith(f"plan.csv:2: parameters: found '{text}'; expected a ") for problem in problems)


def test_one_wrong_cell_is_one_problem() -> None:
    assert problems_of("model,parameters,hardware\nllama,7Q,H100\n") == [
        "plan.csv:2: parameters: found '7Q'; expected a count such as 30B, 1.3T, 350M, 7,500,000,000 or 3e10"
    ]


@pytest.mark.parametrize(
    ("header", "text", "expected"),
    [
        ("zero_stage", "4", "a whole number at least 0 and at most 3"),
        ("zero_stage", "1.5", "a whole number at least 0 and at most 3"),
        ("cards", "0", "a whole number at least 1"),
        ("trainable_share", "101%", "a number at least 0 and at most 1"),
        ("hours", "0", "a number more than 0"),
        ("recompute", "some", "one of none, selective, full"),
        ("start", "2026-02-30", "a date such as 2026-01-31"),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_the_bounds(header: str, text: str, expected: str) -> None:
    (problem,) = problems_of(f"model,parameters,hardware,{header}\nllama,7B,H100,{text}\n")
    assert problem == f"plan.csv:2: {header}: found '{text}'; expected {expected}"


def test_a_share_in_the_trainable_count_is_a_share() -> None:
    plan = "model,parameters,trainable_parameters,hardware\na,30B,5%,H100\nb,30B,1B,H100\nc,30B,,H100\n"
    trained = ledger_of(plan).values[Calculation.trainable_parameters].tolist()
    assert trained == [1_500_000_000, 1_000_000_000, 30_000_000_000]


def test_more_trainable_parameters_than_parameters_are_refused() -> None:
    (problem,) = problems_of("model,parameters,trainable_parameters,hardware\na,7B,8B,H100\n")
    assert problem.startswith("plan.csv:2: trainable_parameters: found ")


def test_a_missing_column_is_named_with_the_nearest_header() -> None:
    (problem,) = problems_of("model,parameters,hardwear\nllama,7B,H100\n")
    assert problem.startswith("plan.csv:1: hardware: found no such column (nearest: hardwear); expected ")


def test_an_empty_cell_of_a_needed_column_is_refused() -> None:
    assert problems_of("model,parameters,hardware\nllama,7B,\n") == [
        "plan.csv:2: hardware: found an empty cell; expected a name"
    ]


def test_a_job_needs_a_model_or_parameters() -> None:
    (problem,) = problems_of("job,hardware\nx,H100\n")
    assert problem.startswith("plan.csv:2: model: found neither model nor parameters; expected ")


@pytest.mark.parametrize(
    ("column", "text", "nearest"),
    [("optimizer", "adamq", "adam"), ("recipe", "mixed16x", "mixed-16"), ("hardware", "H1OO", "H100")],
)
def test_an_unknown_name_is_refused_with_the_nearest(column: str, text: str, nearest: str) -> None:
    cells = {"model": "llama", "parameters": "7B", "hardware": "H100"} | {column: text}
    (problem,) = problems_of(f"{','.join(cells)}\n{','.join(cells.values())}\n")
    assert problem.startswith(f"plan.csv:2: {column}: found '{text}', which ")
    assert nearest in problem.partition("nearest: ")[2]


def test_all_problems_of_all_files_are_listed_in_order() -> None:
    problems = problems_of(
        "model,parameters,hardware,cards\nLlama-3 8B,7Q,H100,-1\nqwen,14B,H900,1\n",
        hardware=CARDS + "H200,141 GBB\n",
        models="model,parameters\nLlama-3 8B,8B\nm*,7B\n",
        assumptions=shipped("assumptions") + "moon_phase,1,1,,,\n",
    )
    places = [problem.partition(": found")[0] for problem in problems]
    lines = len(shipped("assumptions").splitlines()) + 1
    expected = [
        f"assumptions.csv:{lines}: name",
        "hardware.csv:5: label_memory",
        "models.csv:3: model",
        "plan.csv:2: cards",
        "plan.csv:2: parameters",
        "plan.csv:3: hardware",
    ]
    assert places == expected


def test_one_wrong_cell_of_a_catalogue_is_one_problem() -> None:
    (problem,) = problems_of(THIRTY, models="model,parameters\nm,seven\n")
    assert problem.startswith("models.csv:2: parameters: found 'seven'; expected a count such as ")


@pytest.mark.parametrize("name", ["H*", "H?00", "H~100"])
def test_a_wildcard_in_the_name_of_a_catalogue_is_refused(name: str) -> None:
    (problem,) = problems_of(THIRTY, hardware=f"{CARDS}{name},80 GB\n")
    assert problem == f"hardware.csv:5: hardware: found '{name}'; expected a name without * ? ~"


def test_a_catalogue_has_each_name_once_whatever_its_case() -> None:
    (problem,) = problems_of(THIRTY, hardware=f"{CARDS}h100,94 GB\n")
    assert problem == (
        "hardware.csv:5: hardware: found 'h100', which line 2 has already; expected each name once, whatever its case"
    )


@pytest.mark.parametrize("memory", ["0 GB", "-80 GB", "80 GBB", "80Gb", "", "lots"])
def test_a_card_needs_a_memory(memory: str) -> None:
    (problem,) = problems_of(THIRTY, hardware=f"{CARDS}X,{memory}\n")
    assert problem.startswith("hardware.csv:5: label_memory: found ")


def test_a_label_in_gib_is_kept_in_gb() -> None:
    ledger = ledger_of(THIRTY, hardware="hardware,label_memory\nH100,74.5 GiB\n")
    assert ledger.values[Calculation.card_gib].item() == 74.5
    assert ledger.values[Calculation.card_gb].item() == 79.993765888


def assumption_lines(changed_row: str, /, *, without: bool = False, **replaced: str) -> str:
    """Return the shipped assumptions with one row changed or left out."""
    header, *rows = shipped("assumptions").splitlines()
    names = header.split(",")
    changed = []
    for row in rows:
        if not row.startswith(f"{changed_row},"):
            changed.append(row)
        elif not without:
            cells = dict(zip(names, row.split(",", len(names) - 1), strict=True)) | replaced
            changed.append(",".join(cells.values()))
    return "\n".join([header, *changed]) + "\n"


def test_an_assumption_is_read_as_a_number() -> None:
    for text, value in (("2", 2), ("0.5", 0.5)):
        inputs = inputs_of(THIRTY, assumptions=assumption_lines("inference_width", value=text))
        assert {column.name: one for column, one in inputs.assumptions.items()}["inference_width"] == value


def test_a_missing_assumption_is_named_with_its_unit() -> None:
    problems = problems_of(THIRTY, assumptions=assumption_lines("inference_width", without=True) + "nonsense,1,1,,,\n")
    assert "assumptions.csv: name: found no row inference_width; expected a value for it in byte/parameter" in problems


def test_an_unknown_assumption_is_refused_with_the_nearest() -> None:
    changed = assumption_lines("inference_width", name="inference_widht")
    problems = problems_of(THIRTY, assumptions=changed)
    assert any("found 'inference_widht'" in problem and "inference_width" in problem for problem in problems)


def test_an_assumption_in_a_wrong_unit_is_refused() -> None:
    (problem,) = problems_of(THIRTY, assumptions=assumption_lines("inference_width", unit="bit"))
    assert problem.endswith("unit: found 'bit'; expected byte/parameter, the unit of inference_width")


@pytest.mark.parametrize("value", ["0", "-2", "two", ""])
def test_an_assumption_out_of_bounds_is_refused(value: str) -> None:
    (problem,) = problems_of(THIRTY, assumptions=assumption_lines("inference_width", value=value))
    assert ": value: found " in problem


def test_further_columns_of_the_user_pass_through() -> None:
    plan = "model,parameters,hardware,owner,House colour\nllama,7B,H100,NA,007\nqwen,7B,H100,,a b\n"
    assert inputs_of(plan).plan.further == {"owner": ("NA", ""), "House colour": ("007", "a b")}


def test_bytes_beyond_what_a_float_holds_are_refused() -> None:
    (problem,) = problems_of("model,parameters,hardware\nllama,1000T,H100\n")
    assert "at most 25,000,000,000,000" in problem


def test_a_catalogue_of_the_users_own_stands_in_for_the_shipped_one() -> None:
    ledger = ledger_of("model,hardware\nours,H100\n", models="model,parameters\nours,7B\n")
    assert ledger.values[Calculation.parameters].item() == 7_000_000_000
    assert len(problems_of("model,hardware\nLlama-3 8B,H100\n", models="model,parameters\nours,7B\n")) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arch,mlp\nFineForCausalLM,plane\n", "own.csv:2: mlp: found 'plane'; expected one of gated, plain"),
        ("arch,tied\nFineForCausalLM,maybe\n", "own.csv:2: tied: found 'maybe'; expected one of yes, no"),
        (
            "arch\nFineForCausalLM\nfineforcausallm\n",
            "own.csv:3: arch: found 'fineforcausallm', which line 2",
        ),
        ("class,mlp\nFineForCausalLM,plain\n", "own.csv:1: arch: found no such column"),
        ("arch,learned_positions\nFineForCausalLM,+two\n", "own.csv:2: learned_positions: found '+two'"),
    ],
)
def test_what_is_wrong_with_classes_of_code_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "own.csv").write_text(text)
    with pytest.raises(InputError) as raised:
        read_plan(data_folder("inputs") / "plan.csv", architectures=tmp_path / "own.csv")
    assert [str(problem) for problem in raised.value.problems if str(problem).startswith(said)] != []
