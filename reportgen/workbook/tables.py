"""The sheets that are tables: a header with units and notes, then one row a job, a catalogue entry or an assumption."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from openpyxl.comments import Comment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import Ledger
from reportgen.expression import Column, Expression
from reportgen.primitives import Array
from reportgen.readings import formula
from reportgen.units import YES_NO
from reportgen.wording import definition as definition_in_words
from reportgen.workbook.cells import Stored, write_text
from reportgen.workbook.layout import FIRST_ROW, HEADER_ROW, Layout, Region
from reportgen.workbook.styles import CALCULATED, HEADER, INPUT, LINK, number_format
from reportgen.workbook.writing import cell_at, put_live, put_text, set_width

_MEASURED_ROWS = 500
"""How many rows a column's width is taken from; a plan may have a hundred thousand."""


def write_table(sheet: Worksheet, region: Region, ledger: Ledger, layout: Layout) -> None:
    """Write inputs as editable cells, derived columns as one formula filled down, then the user's further columns."""
    _write_header(sheet, region.columns)
    for position, column in enumerate(region.columns, 1):
        values = ledger.values[column]
        if column.definition is not None:
            _write_formulas(sheet, position, column, column.definition, values, layout, region)
        else:
            _write_inputs(sheet, position, column, values)
        if isinstance(column, Input) and (column.names is not None or column.choices):
            _add_list(sheet, region, column, layout)
        set_width(sheet, position, [column.header, *_shown(column, values)])
    table = ledger.inputs.tables.get(region.sheet)
    for position, (name, texts) in enumerate(table.further.items() if table else (), len(region.columns) + 1):
        put_text(sheet, HEADER_ROW, position, name, HEADER)
        for row, text in enumerate(texts, FIRST_ROW):
            if text:
                put_text(sheet, row, position, text, INPUT)
        set_width(sheet, position, [name, *texts[:_MEASURED_ROWS]])
    _finish(sheet, region)


def _write_formulas(
    sheet: Worksheet,
    position: int,
    column: Column,
    definition: Expression,
    values: Array,
    layout: Layout,
    region: Region,
) -> None:
    style = LINK if isinstance(definition, Column) else CALCULATED
    shown = number_format(column)
    texts = _filled_down(definition, layout, region)
    for row, (text, value) in enumerate(zip(texts, stored(column, values), strict=True), FIRST_ROW):
        put_live(cell_at(sheet, row, position), text, value, style).number_format = shown


def _filled_down(definition: Expression, layout: Layout, region: Region) -> Iterable[str]:
    """Print the formula once and fill in the row numbers."""
    mark = "\0"
    text = formula(definition, layout.seen_from(region.sheet.title, mark))
    return (text.replace(mark, str(row)) for row in range(FIRST_ROW, region.last_row + 1))


def stored(column: Column, values: Array) -> list[Stored]:
    """Return a column's values as cells store them."""
    if values.dtype == object:
        texts: list[Stored] = values.tolist()
        return texts
    if column.unit == YES_NO:
        return [value == 1 for value in values.tolist()]
    return [column.absent if math.isnan(value) else value for value in values.tolist()]


def _shown(column: Column, values: Array) -> list[str]:
    """Return texts as wide as the widest cells of a column."""
    first: list[Any] = values[:_MEASURED_ROWS].tolist()
    if values.dtype == object:
        return first
    if number_format(column).startswith("#,##0"):
        return [f"{np.nanmax(np.abs(values), initial=0):,.1f}"]
    return [f"{value:.6g}" for value in first]


def _write_header(sheet: Worksheet, columns: Iterable[Column]) -> None:
    for position, column in enumerate(columns, 1):
        cell = put_text(sheet, HEADER_ROW, position, column.header, HEADER)
        in_words = definition_in_words(column)
        parts = [column.meaning, in_words and f"= {in_words}", column.source]
        cell.comment = Comment("\n".join(part for part in parts if part), "reportgen", height=110, width=320)
    sheet.row_dimensions[HEADER_ROW].height = 30


def _write_inputs(sheet: Worksheet, position: int, column: Column, values: Array) -> None:
    shown = number_format(column)
    for row, value in enumerate(values.tolist(), FIRST_ROW):
        cell = cell_at(sheet, row, position)
        cell.style = INPUT
        cell.number_format = shown
        if isinstance(value, str):
            if value:
                write_text(cell, value)
        elif not math.isnan(value):
            cell.value = value


def _add_list(sheet: Worksheet, region: Region, column: Input, layout: Layout) -> None:
    """Offer the catalogue's names, or the few choices."""
    if column.names is not None:
        allowed = layout.seen_from(region.sheet.title, "0").range(column.names)
    else:
        allowed = f'"{",".join(column.choices)}"'
    rule = DataValidation("list", formula1=allowed, allow_blank=True, showErrorMessage=not column.free)
    rule.errorTitle = f"Unknown {column.name}"
    rule.error = f"Choose a {column.name} from the list."
    letter = region.letter(column)
    rule.add(f"{letter}{FIRST_ROW}:{letter}{region.last_row}")
    sheet.add_data_validation(rule)


def _finish(sheet: Worksheet, region: Region) -> None:
    sheet.freeze_panes = f"B{FIRST_ROW}"
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"
    last = get_column_letter(sheet.max_column)
    sheet.auto_filter.ref = f"A{HEADER_ROW}:{last}{region.last_row}"
