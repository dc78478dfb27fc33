"""The sheets that are tables: headings, a header with units and notes, then one row a job or a catalogue entry."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from reportgen.expression import Column, Expression, Scalar
from reportgen.readings import formula, leaves
from reportgen.units import DATE, TEXT, YES_NO
from reportgen.wording import definition as definition_in_words
from reportgen.workbook.cells import Formula, Style, Values, values_of, write_text
from reportgen.workbook.layout import ROW_MARK, Layout, Region
from reportgen.workbook.rows import Default, RowStream, StreamedColumn
from reportgen.workbook.styles import BAND, CALCULATED, DEFAULT, HEADER, INPUT, LEFT, LINK, RIGHT, number_format
from reportgen.workbook.writing import cell_at, put_text, set_print, set_width

LARGEST = 2.0**53
"""The largest whole number up to which a cell holds every one."""

_LONGEST_TITLE, _LONGEST_PROMPT = 32, 255
_MEASURED_ROWS = 500
"""How many rows a column's width is taken from; a plan may have a hundred thousand."""


def write_table(
    sheet: Worksheet, region: Region, values: Mapping[Column, Array], layout: Layout, table: Table | None = None
) -> RowStream | None:
    """Write one table: inputs as editable cells, derived columns as one formula filled down, then further columns.

    Args:
        sheet: Where to write.
        region: Which table, and where on the sheet.
        values: One array a column; spare rows have none.
        layout: Where everything else stands.
        table: The file behind the inputs, for its defaults and its further columns.

    Returns:
        The rows after the first, still to be streamed, where the region says so.
    """
    _write_header(sheet, region, table.further if table is not None else ())
    filled = [
        *(_filled(column, values[column], region, layout, table) for column in region.sheet.columns),
        *(_further(name, texts) for name, texts in (table.further.items() if table is not None else ())),
    ]
    to_come = []
    for position, one in enumerate(filled, 1):
        held = 1 if region.streamed else region.rows + region.spare
        styles = _write_cells(sheet, region, position, one, held)
        if region.streamed:
            to_come.append(_streamed(get_column_letter(position), *styles, one))
        set_width(sheet, position, one.shown, at_least=sheet.column_dimensions[get_column_letter(position)].width)
        if isinstance(one.column, Input):
            _add_rule(sheet, region, one.column, layout)
    return RowStream(region.first_row + 1, region.last_row, tuple(to_come)) if region.streamed else None


@dataclass(frozen=True)
class _Filled:
    """A column with all that its cells hold: values, the formula filled down, and the formula of its empty cells."""

    column: Column
    style: str
    values: Values
    shown: list[str]
    formula: str = ""
    default: str = ""
    default_rows: frozenset[int] = frozenset()


def _filled(column: Column, values: Array, region: Region, layout: Layout, table: Table | None) -> _Filled:
    shown = [column.name, f"[{column.unit}]", *_shown(column, values)]
    if column.definition is not None:
        style = LINK if isinstance(column.definition, Column) else CALCULATED
        formula_text = _filled_down(column, column.definition, layout, region)
        return _Filled(column, style, values_of(column, values), shown, formula_text)
    default = table.defaults.get(column, "") if table is not None else ""
    spare = "" if isinstance(default, float) and math.isnan(default) else default
    text, rows = _default(column, region, layout, table)
    return _Filled(column, INPUT, Values(values, spare=spare), shown, default=text, default_rows=rows)


def _further(name: str, texts: Sequence[str]) -> _Filled:
    values = Values(np.array(texts, dtype=object))
    return _Filled(Column(TEXT, name, name=name), INPUT, values, [name, *texts[:_MEASURED_ROWS]])


def _streamed(letter: str, style: Style, default: Default | None, filled: _Filled) -> StreamedColumn:
    """Return the cells below the first of a column."""
    definition, sheet = filled.column.definition, filled.column.sheet
    own = definition is not None and all(
        column.sheet is sheet and not isinstance(column, Scalar) for column in leaves(definition)
    )
    return StreamedColumn(letter, style, filled.values, 1, filled.formula, may_be_shared=own, default=default)


def _default(column: Column, region: Region, layout: Layout, table: Table | None) -> tuple[str, frozenset[int]]:
    """Return the formula of empty cells that follow from the columns before them, and the rows of these cells."""
    if table is None or column not in table.computed or not isinstance(column, Input):
        return "", frozenset()
    if not isinstance(column.default, Expression):
        return "", frozenset()
    spare = range(region.rows, region.rows + region.spare)
    return _filled_down(column, column.default, layout, region), table.computed[column].union(spare)


def _write_cells(
    sheet: Worksheet, region: Region, position: int, filled: _Filled, count: int
) -> tuple[Style, Default | None]:
    """Write the first cells of a column; return the style of all of them, and what empty ones have instead."""
    style, default = Style(_prototype(sheet, region.first_row, position, filled.column, filled.style)), None
    if filled.default:
        cell = _prototype(sheet, region.first_row, position, filled.column, DEFAULT)
        default = Default(filled.default, filled.default_rows, Style(cell))
    for offset, value in enumerate(filled.values.stored(0, count)):
        row = region.first_row + offset
        cell = cell_at(sheet, row, position)
        by_default = default if default is not None and offset in default.rows else None
        (by_default.style if by_default else style).give(cell)
        if formula_text := by_default.formula if by_default else filled.formula:
            cell.value = Formula(formula_text.replace(ROW_MARK, str(row)), value)
        elif not isinstance(value, str):
            cell.value = value
        elif value:
            write_text(cell, value)
    return style, default


def finish_table(sheet: Worksheet, region: Region, fixed: str = "A") -> None:
    """Freeze, filter and print the one table of a sheet; the columns up to ``fixed`` stay in sight."""
    following = get_column_letter(column_index_from_string(fixed) + 1)
    sheet.freeze_panes = f"{following}{region.first_row}"
    last = get_column_letter(sheet.max_column)
    sheet.auto_filter.ref = f"A{region.header_row}:{last}{region.last_row}"
    set_print(sheet, f"{region.header_row - 1}:{region.header_row}", f"A:{fixed}")


def _write_header(sheet: Worksheet, region: Region, further: Iterable[str] = ()) -> None:
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
    for position, name in enumerate(further, len(columns) + 1):
        put_text(sheet, region.header_row, position, name, HEADER)
    sheet.row_dimensions[region.header_row].height = 30


def _repeats(names: list[Column], offset: int) -> bool:
    """Whether a heading stands again above this column: the first, and every one that is named after its heading."""
    return offset == 0 or names[offset].name.startswith(names[offset].band)


def _prototype(sheet: Worksheet, row: int, position: int, column: Column, style: str) -> Cell:
    """Return the first cell of a column with the style that all of them have."""
    cell = cell_at(sheet, row, position)
    cell.style = style
    cell.number_format = number_format(column)
    cell.alignment = LEFT if column.unit == TEXT else RIGHT
    return cell


def _filled_down(column: Column, definition: Expression, layout: Layout, region: Region) -> str:
    """Return the formula with its row number still to come; where rows are spare it waits for the row's name."""
    text = formula(definition, layout.seen_from(region.sheet.title))
    if not region.grows:
        return text
    name = text if column is region.sheet.columns[0] else f"$A{ROW_MARK}"
    return f'IF({name}="","",{text})'


def _shown(column: Column, values: Array) -> list[str]:
    """Return texts as wide as the widest cells of a column."""
    first: list[Any] = values[:_MEASURED_ROWS].tolist()
    if values.dtype == object:
        return first
    if number_format(column).startswith("#,##0"):
        return [f"{np.nanmax(np.abs(values), initial=0):,.1f}", column.absent]
    return [column.absent if math.isnan(value) else f"{value:.6g}" for value in first]


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
