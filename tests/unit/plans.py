"""Plans for the tests: read from text, with the shipped catalogues or with others in their place."""

from __future__ import annotations

import pytest

from reportgen.calculation.ledger import INPUT_SHEETS, Inputs, Ledger, calculate
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError
from reportgen.files import data_folder
from reportgen.reading.inputs import read_inputs

CATALOGUES = {sheet.title.lower().replace(" ", "_"): sheet for sheet in INPUT_SHEETS if sheet is not Plan}

THIRTY = "job,model,parameters,hardware\n30B pretraining,in-house 30B,30B,H100\n"
"""The article's job: 30 billion parameters with AdamW in 16 bits on cards of 80 GB."""


def shipped(name: str) -> str:
    """Return the text of a shipped catalogue."""
    return (data_folder("inputs") / f"{name}.csv").read_text(encoding="utf-8")


def inputs_of(plan: str, **catalogues: str) -> Inputs:
    """Return what is read from a plan's text; a catalogue given by name stands in for the shipped one."""
    texts = {name: catalogues.get(name, shipped(name)) for name in CATALOGUES}
    return read_inputs(
        ("plan.csv", plan.encode()),
        {CATALOGUES[name]: (f"{name}.csv", text.encode()) for name, text in texts.items()},
    )


def ledger_of(plan: str, **catalogues: str) -> Ledger:
    """Return every figure of a plan's text."""
    return calculate(inputs_of(plan, **catalogues))


def problems_of(plan: str, **catalogues: str) -> list[str]:
    """Return the problems of a plan's text, each as its line."""
    with pytest.raises(InputError) as raised:
        inputs_of(plan, **catalogues)
    return [str(problem) for problem in raised.value.problems]
