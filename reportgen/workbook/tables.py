"""The sheets that are tables: headings, a header with units and notes, then one row a job or a catalogue entry."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np
from openpyxl.cell.cell import Cell
from openpyxl.comments import Comment
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.arrays import Array
from reportgen.calculation.catalogues import AssumptionRows
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import Table
from reportgen.expression import Column, Expression
from reportgen.readings import formula
from reportgen.units import DATE, TEXT, YES_NO
from reportgen.wording import definition as definition_in_words
from reportgen.workbook.cells import Formula, Stored, copy_style, stored, write_text
from reportgen.workbook.layout import ROW_MARK, Layout, Region
from reportgen.workbook.styles import BAND, CALCULATED, DEFAULT, HEADER, INPUT, LEFT, LINK, RIGHT, number_format
from reportgen.workbook.writing import cell_at, put_live, put_text, set_print, set_width

LARGEST = 2.0**53
"""The largest whole number up to which a cell holds every one."""

_LONGEST_TITLE, _LONGEST_PROMPT = 32, 255
_MEASURED_ROWS = 500
"""How many rows a column's width is taken from; a plan may have a hundred thousand."""


def write_table(
    sheet: Worksheet, region: Region, values: Mapping[Column, Array], layout: Layout, table: Table | None = None
) -> None:
    """Write one table: inputs as editable cells, derived columns as one formula filled down, then further columns.

    Args:
        sheet: Where to write.
        region: Which table, and where on the sheet.
        values: One array a column; spare rows have none.
        layout: Where everything else stands.
        table: The file behind the inputs, for its defaults and its further columns.
    """
    _write_header(sheet, region)
    for position, column in enumerate(region.sheet.columns, 1):
        if column.definition is not None:
            _write_formulas(sheet, position, column, column.definition, values[column], layout, region)
        else:
            default = table.defaults.get(column, "") if table is not None else ""
            _write_inputs(sheet, position, column, [*values[column].tolist(), *[default] * region.spare], region)
            if table is not None and column in table.computed:
                _write_defaults(
                    sheet, position, column, stored(column, values[column]), table.computed[column], layout, region
                )
        if isinstance(column, Input):
            _add_rule(sheet, region, column, layout)
        texts = [column.name, f"[{column.unit}]", *_shown(column, values[column])]
        set_width(sheet, position, texts, at_least=sheet.column_dimensions[get_column_letter(position)].width)
    if table is not None:
        _write_further(sheet, region, table)


def finish_table(sheet: Worksheet, region: Region, fixed: str = "A") -> None:
    """Freeze, filter and print the one table of a sheet; the columns up to ``fixed`` stay in sight."""
    following = get_column_letter(column_index_from_string(fixed) + 1)
    sheet.freeze_panes = f"{following}{region.first_row}"
    last = get_column_letter(sheet.max_column)
    sheet.auto_filter.ref = f"A{region.header_row}:{last}{region.last_row}"
    set_print(sheet, f"{region.header_row - 1}:{region.header_row}", f"A:{fixed}")


def _write_header(sheet: Worksheet, region: Region) -> None:
    columns = region.sheet.columns
    position = 1
    for band, members in groupby(columns, key=lambda column: column.band):
        names = list(members)
        for offset in range(len(names) if band else 0):
            put_text(sheet, region.header_row - 1, position + offset, band if _repeats(names, offset) else "", BAND)
            if offset < len(names) - 1:
                sheet.column_dimensions[get_column_letter(position + offset)].outlineLevel = 1
        position += len(names)
    for position, column in enumerate(columns, 1):
        cell = put_text(sheet, region.header_row, position, column.header, HEADER)
        in_words = definition_in_words(column)
        parts = [column.meaning, in_words and f"= {in_words}", column.source]
        cell.comment = Comment("\n".join(part for part in parts if part), "reportgen", height=130, width=360)
    sheet.row_dimensions[region.header_row].height = 30


def _repeats(names: list[Column], offset: int) -> bool:
    """Whether a heading stands again above this column: the first, and every one that is named after its heading."""
    return offset == 0 or names[offset].name.startswith(names[offset].band)


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
    kept: list[Stored] = [*stored(column, values), *[""] * region.spare]
    texts = _filled_down(column, definition, layout, region)
    first = _prototype(sheet, region.first_row, position, column, style)
    for row, (text, value) in enumerate(zip(texts, kept, strict=True), region.first_row):
        cell = cell_at(sheet, row, position)
        copy_style(cell, first)
        cell.value = Formula(text, value)


def _prototype(sheet: Worksheet, row: int, position: int, column: Column, style: str) -> Cell:
    """Return the first cell of a column with the style that all of them have."""
    cell = cell_at(sheet, row, position)
    cell.style = style
    cell.number_format = number_format(column)
    cell.alignment = LEFT if column.unit == TEXT else RIGHT
    return cell


def _filled_down(column: Column, definition: Expression, layout: Layout, region: Region) -> Iterator[str]:
    """Print the formula once and fill in the row numbers; where rows are spare it waits for the row's name."""
    text = formula(definition, layout.seen_from(region.sheet.title))
    if region.grows:
        name = text if column is region.sheet.columns[0] else f"$A{ROW_MARK}"
        text = f'IF({name}="","",{text})'
    return (text.replace(ROW_MARK, str(row)) for row in range(region.first_row, region.last_row + 1))


def _shown(column: Column, values: Array) -> list[str]:
    """Return texts as wide as the widest cells of a column."""
    first: list[Any] = values[:_MEASURED_ROWS].tolist()
    if values.dtype == object:
        return first
    if number_format(column).startswith("#,##0"):
        return [f"{np.nanmax(np.abs(values), initial=0):,.1f}", column.absent]
    return [column.absent if math.isnan(value) else f"{value:.6g}" for value in first]


def _write_inputs(sheet: Worksheet, position: int, column: Column, values: list[Any], region: Region) -> None:
    first = _prototype(sheet, region.first_row, position, column, INPUT)
    for row, value in enumerate(values, region.first_row):
        cell = cell_at(sheet, row, position)
        copy_style(cell, first)
        if isinstance(value, str):
            if value:
                write_text(cell, value)
        elif not math.isnan(value):
            cell.value = value


def _write_defaults(
    sheet: Worksheet,
    position: int,
    column: Column,
    values: list[Stored],
    rows: Collection[int],
    layout: Layout,
    region: Region,
) -> None:
    """Put a live formula where an empty cell follows from the columns before it; a reader may type over it."""
    default = column.default if isinstance(column, Input) else None
    if not isinstance(default, Expression):
        return
    for offset, text in enumerate(_filled_down(column, default, layout, region)):
        if offset in rows or offset >= region.rows:
            cell = cell_at(sheet, region.first_row + offset, position)
            value = values[offset] if offset < region.rows else ""
            put_live(cell, text, value, DEFAULT).number_format = number_format(column)
            cell.alignment = LEFT if isinstance(value, str) else RIGHT


def _write_further(sheet: Worksheet, region: Region, table: Table) -> None:
    for position, (name, texts) in enumerate(table.further.items(), len(region.sheet.columns) + 1):
        put_text(sheet, region.header_row, position, name, HEADER)
        _write_inputs(sheet, position, Column(TEXT, name), [*texts, *[""] * region.spare], region)
        set_width(sheet, position, [name, *texts[:_MEASURED_ROWS]])


def _add_rule(sheet: Worksheet, region: Region, column: Input, layout: Layout) -> None:
    """Offer a catalogue's names or the few choices in a list, and hold numbers to their bounds."""
    bounds = column.bounds
    if column.names is not None or column.choices:
        rule = DataValidation("list", formula1=_choices(region, column, layout), showErrorMessage=not column.free)
        rule.error = f"Choose a {column.name} from the list."
    elif column.unit in (TEXT, YES_NO, DATE) or column.sheet is AssumptionRows:
        return
    else:
        least = bounds.least if bounds.above is None else bounds.above
        rule = DataValidation(
            "decimal", operator="between", formula1=repr(least or 0), formula2=repr(bounds.most or LARGEST)
        )
        rule.error = f"{column.name} is {bounds}."
    rule.allow_blank = True
    rule.errorTitle = f"Not a {column.name}"[:_LONGEST_TITLE]
    rule.promptTitle = column.name[:_LONGEST_TITLE]
    rule.prompt = column.meaning[:_LONGEST_PROMPT]
    rule.showInputMessage = True
    letter = region.letter(column)
    rule.add(f"{letter}{region.first_row}:{letter}{region.last_row}")
    sheet.add_data_validation(rule)


def _choices(region: Region, column: Input, layout: Layout) -> str:
    if column.names is not None:
        return layout.seen_from(region.sheet.title).range(column.names)
    return f'"{",".join(column.choices)}"'
