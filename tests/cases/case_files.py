"""The base file of the cases, and what reportgen makes of an edited one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from books import DAY
from openpyxl import load_workbook

from reportgen import build_report, calculate
from reportgen.calculation.ledger import INPUT_SHEETS, Inputs
from reportgen.errors import InputError
from reportgen.files import data_folder
from reportgen.reading.inputs import read_inputs
from reportgen.reading.tables import Source

BASE: Final = "model,params,recipe,optimizer,gpu,n_gpus\nllama,7000000000,mixed-16,adamw,A100-80,8\n"
"""The base file with the product's own column names."""


@dataclass(frozen=True)
class Refused:
    """What a refusal said: its problems as lines."""

    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def read(plan: str | bytes, encoding: str = "", decimal: str = "", **catalogues: str) -> Inputs:
    """Return what is read from a plan; a catalogue by name stands in for the shipped one."""
    sources = {}
    for sheet in INPUT_SHEETS[1:]:
        name = sheet.title.lower().replace(" ", "_")
        shipped = data_folder("inputs") / f"{name}.csv"
        sources[sheet] = Source(shipped.name, catalogues[name].encode() if name in catalogues else shipped.read_bytes())
    data = plan if isinstance(plan, bytes) else plan.encode()
    return read_inputs(Source("plan.csv", data, encoding, decimal), sources)


def refused(plan: str | bytes, encoding: str = "", decimal: str = "", **catalogues: str) -> Refused:
    """Return how a plan is refused."""
    with pytest.raises(InputError) as raised:
        read(plan, encoding, decimal, **catalogues)
    return Refused(tuple(str(raised.value).splitlines()))


def warned(plan: str | bytes, **catalogues: str) -> str:
    """Return what is said of a plan that is believed."""
    return "\n".join(map(str, read(plan, **catalogues).warnings))


def figures(plan: str | bytes, encoding: str = "", decimal: str = "") -> dict[str, list[str]]:
    """Return every figure of a plan, to be compared with another's."""
    values = calculate(read(plan, encoding, decimal)).values
    return {
        f"{column.sheet.title if column.sheet else ''}.{column.name}": [
            repr(value) for value in values[column].tolist()
        ]
        for column in values
        if values[column].shape
    }


@dataclass(frozen=True)
class Outputs:
    """Both outputs of a plan."""

    workbook: Path
    page: Path

    def texts(self, sheet: str) -> list[str]:
        """Return every text of a sheet."""
        cells = load_workbook(self.workbook)[sheet].iter_rows(values_only=True)
        return [cell for row in cells for cell in row if isinstance(cell, str)]

    @property
    def html(self) -> str:
        return self.page.read_text(encoding="utf-8")


def build(plan: str | bytes, folder: Path, encoding: str = "", **catalogues: str) -> Outputs:
    """Build both outputs of a plan."""
    return Outputs(*build_report(calculate(read(plan, encoding, **catalogues)), folder, name="plan", day=DAY)[:2])
