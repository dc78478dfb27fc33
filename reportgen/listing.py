"""The ledger and the glossary as text: CSV, JSON, Markdown, words."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from textwrap import indent
from typing import Final

from reportgen.calculation.ledger import JOB_SHEETS, Ledger
from reportgen.expression import Column
from reportgen.units import DATE, YES_NO
from reportgen.wording import Step, figure, glossary

_ROWS_AT_ONCE: Final = 1_000


def ledger_columns() -> dict[str, Column]:
    """Return the columns of a job by name: the plan's, then the calculated; a calculated one replaces its input."""
    return {column.name: column for sheet in JOB_SHEETS for column in sheet.columns}


def records(ledger: Ledger, names: Sequence[str]) -> Iterator[dict[str, float | int | str | bool | None]]:
    """Yield one mapping a job: full precision, None where a figure does not exist."""
    columns = [ledger_columns()[name] for name in names]
    for start in range(0, len(ledger.inputs.plan), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        listed = [[_plain(value, column) for value in ledger.values[column][some].tolist()] for column in columns]
        for row in zip(*listed, strict=True):
            yield dict(zip(names, row, strict=True))


def _plain(value: float | str, column: Column) -> float | int | str | bool | None:
    if isinstance(value, str):
        return value or None
    if math.isnan(value):
        return None
    if column.unit == YES_NO:
        return value == 1
    if column.unit == DATE:
        return figure(value, column)
    return int(value) if value == int(value) else value


def as_json(ledger: Ledger, names: Sequence[str]) -> Iterator[str]:
    """Yield the records as a JSON list of objects, piece by piece."""
    before = "[\n"
    for record in records(ledger, names):
        yield before + indent(json.dumps(record, indent=2, ensure_ascii=False), "  ")
        before = ",\n"
    yield "\n]\n"


def as_csv(ledger: Ledger, names: Sequence[str]) -> Iterator[str]:
    """Yield the records as lines of CSV; a text that a spreadsheet would take for a formula is led by an apostrophe."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for cells in chain([names], (map(_csv_cell, record.values()) for record in records(ledger, names))):
        writer.writerow(cells)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _csv_cell(value: float | str | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return "'" + value if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
    return "" if value is None else repr(value)


def as_markdown_glossary() -> str:
    """Return every column of the ledger as a Markdown table."""
    lines = ["| column | unit | meaning | formula | source |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {entry.name} | {entry.unit} | {entry.meaning} | {entry.formula} | {entry.source} |".replace("|  |", "| |")
        for entry in glossary()
    ]
    return "\n".join(lines) + "\n"


def as_arithmetic(job: str, headline: str, steps: Iterable[Step]) -> str:
    """Return what a job holds in one line, then each of its figures as arithmetic in words."""
    lines = [job, headline, ""]
    for step in steps:
        lines += [step.name, f"    {step.meaning}", f"    = {step.formula}"]
        lines += [f"    = {text}" for text in dict.fromkeys((step.arithmetic, step.result))]
        lines.append("")
    return "\n".join(lines)
