"""Cases B of inputs.md: headers and records."""

from __future__ import annotations

import pytest
from case_files import BASE, read, refused, warned

from reportgen import calculate
from reportgen.calculation.bands import Calculation
from reportgen.wording import positions_of

TWICE = {
    "B01 the same header": ("params,params", "params"),
    "B03 another case": ("Note,note", "note"),
    "B03 a space at the end": ("Note,NOTE ", "NOTE"),
    "B03 underscore and space": ("my note,my_note", "my_note"),
    "B03 full width": ("note,\uff4eote", "\uff4eote"),
}


@pytest.mark.parametrize("case", TWICE)
def test_a_header_twice_is_refused_with_both_positions(case: str) -> None:
    headers, second = TWICE[case]
    (line,) = refused(f"model,gpu,{headers}\nllama,H100,7B,7B\n").lines
    assert line == f"plan.csv:1: {second}: found the header twice, in columns 3 and 4; expected each header once"


def test_b01_two_names_of_one_column_are_refused() -> None:
    assert "found the headers params, parameters" in str(refused("params,parameters,gpu\n7B,8B,H100\n"))


ROWS = "model,params,gpu\nllama,7B,H100\n"


def test_b05_identical_rows_are_both_counted_and_said() -> None:
    plan = ROWS + "qwen,14B,H100\nllama,7B,H100\nllama,7B,H100\n"
    assert len(read(plan).plan) == 4
    assert warned(plan) == (
        "plan.csv:4: warning: found the row of line 2 again, 3 times in all; "
        "expected each job once; each of the 3 is counted"
    )


@pytest.mark.parametrize("name", ["llama", "Llama"])
def test_b05_a_name_with_other_numbers_is_kept_apart_and_said(name: str) -> None:
    plan = ROWS + f"{name},13B,H100\n"
    ledger = calculate(read(plan))
    assert ledger.values[Calculation.parameters].tolist() == [7e9, 13e9]
    assert list(positions_of(ledger, name))[-1] == 1
    assert warned(plan) == (
        "plan.csv:3: job: warning: found 'llama', the name of 2 jobs, the first on line 2; "
        "expected a name for each; all of them are counted"
    )


def test_names_and_rows_of_their_own_raise_no_warning() -> None:
    assert warned(BASE) == warned(ROWS + "qwen,14B,H100\n") == ""


def test_a_header_that_is_nearly_a_known_one_is_kept_and_said() -> None:
    assert "optimzer: warning: found 'optimzer', taken as a column of your own; expected optimizer" in warned(
        "model,params,gpu,optimzer\nllama,7B,H100,sgd\n"
    )
