"""A workbook that puts many questions to a spreadsheet program, and the answers that differ from ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from engines import Book, Value, same
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from reportgen.arrays import Array
from reportgen.expression import Column, Expression, Scalar
from reportgen.readings import evaluate, formula
from reportgen.units import YES_NO
from reportgen.workbook.layout import FIRST_ROW, HEADER_ROW, Layout, Region

ANSWERS: Final = "Answers"
_SCALARS: Final = "Scalars"

Question: TypeAlias = tuple[Expression, int]
"""A formula, and the row that it is asked about, from 0."""


def write_bench(path: Path, values: Mapping[Column, Array], questions: Sequence[Question]) -> Path:
    """Write the sheets and scalars that hold ``values``, and a sheet with one formula a question."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    regions = []
    for sheet in dict.fromkeys(column.sheet for column in values if not isinstance(column, Scalar)):
        assert sheet is not None
        regions.append(Region(sheet, len(values[sheet.columns[0]])))
        page = workbook.create_sheet(sheet.title)
        for position, column in enumerate(sheet.columns, 1):
            page.cell(HEADER_ROW - 1, position, column.band or None)
            for row, value in enumerate(values[column].tolist(), FIRST_ROW):
                cell = page.cell(row, position, _held(column, value))
                cell.data_type = "s" if isinstance(value, str) and value else cell.data_type
    page = workbook.create_sheet(_SCALARS)
    for row, scalar in enumerate((column for column in values if isinstance(column, Scalar)), 1):
        page.cell(row, 1, values[scalar].item())
        workbook.defined_names[scalar.name] = DefinedName(scalar.name, attr_text=f"'{_SCALARS}'!$A${row}")
    page = workbook.create_sheet(ANSWERS)
    layout = Layout(regions)
    for number, (expression, row) in enumerate(questions, 1):
        page.cell(number, 1, "=" + formula(expression, layout.seen_from(ANSWERS, str(FIRST_ROW + row))))
    workbook.save(path)
    return path


def _held(column: Column, value: float | str) -> float | str | bool | None:
    if isinstance(value, str):
        return value or None
    return value == 1 if column.unit == YES_NO else None if np.isnan(value) else value


def answers(book: Book, count: int) -> list[Value]:
    """Return the first answers of a recalculated bench; yes and no as 1 and 0, as ``evaluate`` has them."""
    found = [book.value(ANSWERS, f"A{number}") for number in range(1, count + 1)]
    return [float(one) if isinstance(one, bool) else one for one in found]


@dataclass(frozen=True)
class Wrong:
    """A cell in which the program and we differ."""

    number: int
    formula: str
    row: int
    ours: Value
    theirs: Value


def wrong_answers(book: Book, values: Mapping[Column, Array], questions: Sequence[Question]) -> list[Wrong]:
    """Return every question to which a recalculated bench has another answer than ``evaluate``.

    Where we have no figure, an error or a word is as good; a number is not.
    """
    computed: dict[Expression, list[Any]] = {}
    wrong = []
    for number, ((expression, row), theirs) in enumerate(zip(questions, answers(book, len(questions)), strict=True), 1):
        if expression not in computed:
            computed[expression] = np.atleast_1d(evaluate(expression, values)).tolist()
        listed = computed[expression]
        ours = listed[row if len(listed) > 1 else 0]
        missing = isinstance(ours, float) and np.isnan(ours)
        if not (isinstance(theirs, str) if missing else same(ours, theirs)):
            wrong.append(Wrong(number, book.formulas[ANSWERS][f"A{number}"], row, ours, theirs))
    return wrong
