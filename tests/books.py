"""A small plan with its catalogues, and how a test makes a workbook of one."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TypeAlias

from reportgen.calculation.catalogues import AssumptionRows, Blocks
from reportgen.calculation.ledger import CATALOGUES, Inputs, calculate
from reportgen.expression import Sheet
from reportgen.files import data_folder
from reportgen.reading.inputs import read_inputs
from reportgen.report import Report
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save

DAY = date(2026, 1, 31)
SMALL_PLAN = """\
job,model,parameters,trainable_parameters,lora_rank,optimizer,recipe,hardware,zero_stage,tp,micro_batch_size,seq,tokens,hours,owner
30B pretraining,in-house 30B,30B,,,adamw,mixed-16,H100,3,1,,,600B,,research
13B with Adam,in-house 13B,13B,,,adam,pure-16,A100-80,2,1,,,,24,research
13B with 1B trainable,in-house 13B,13B,1B,,sgd,pure-16,A100-40,1,1,,,1B,,product
Llama-2 70B tuning,Llama-2 70B,,5%,,momentum,megatron-bf16,H200,0,1,,,1B,,product
Llama-2 70B adapters,Llama-2 70B,,,16,adamw,mixed-16,H100,3,8,1,4096,1B,,product
"""
"""Jobs with their own counts and with a model's, one with activations, one that no number of cards holds."""

CsvTexts: TypeAlias = Mapping[type[Sheet], str]


def shipped_catalogues() -> dict[type[Sheet], str]:
    """Return the texts of the catalogues and assumptions that ship with reportgen."""
    folder = data_folder("inputs")
    sheets: tuple[type[Sheet], ...] = (*CATALOGUES, AssumptionRows)
    return {sheet: (folder / _file_name(sheet)).read_text(encoding="utf-8") for sheet in sheets}


def _file_name(sheet: type[Sheet]) -> str:
    return f"{sheet.title.lower().replace(' ', '_')}.csv"


def small_catalogues() -> dict[type[Sheet], str]:
    """Return the shipped catalogues with only the rows that the small plan names, and all laws of activations."""
    whole: tuple[type[Sheet], ...] = (Blocks, AssumptionRows)
    return {
        sheet: text if sheet in whole else _rows_named_in(SMALL_PLAN, text)
        for sheet, text in shipped_catalogues().items()
    }


def _rows_named_in(plan: str, text: str) -> str:
    header, *rows = csv.reader(text.splitlines())
    named = [row for row in rows if f",{row[0]}," in plan]
    kept = io.StringIO()
    csv.writer(kept).writerows([header, *(named or rows[:1])])
    return kept.getvalue()


def read_texts(plan: str, catalogues: CsvTexts) -> Inputs:
    """Return inputs read from texts instead of files."""
    files = {sheet: (_file_name(sheet), text.encode()) for sheet, text in catalogues.items()}
    return read_inputs(("plan.csv", plan.encode()), files)


def save_report(inputs: Inputs, path: Path) -> Path:
    """Write the workbook of a plan, with two cards compared, and return its path."""
    save(build_workbook(Report(calculate(inputs), "Test", DAY, "0", ("H100", "A100-80"))), path, DAY)
    return path
