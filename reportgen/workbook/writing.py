"""Puts single things on a sheet: a title, a text, a formula with its value, a list of named scalars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import cast

import numpy as np
from openpyxl.cell.cell import Cell
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.arrays import Array
from reportgen.expression import Column, Expression
from reportgen.readings import evaluate, formula
from reportgen.workbook.cells import Formula, Stored, stored, write_text
from reportgen.workbook.layout import Layout
from reportgen.workbook.styles import (
    CALCULATED,
    CONSTANT,
    HEADER,
    LABEL,
    LEFT,
    LINK,
    PURPOSE,
    RIGHT,
    TITLE,
    number_format,
)

NARROWEST, WIDEST = 9, 60
PURPOSE_AT = (2, 2)
PRINTED_WIDTH = 230
"""Characters that one landscape page shows at a readable size."""


def add_sheet(workbook: Workbook, title: str, purpose: str, heading: str | None = None) -> Worksheet:
    """Return a new sheet that says in its first rows what it is for, ready to be printed.

    The purpose stands in the second column: the first is repeated on every page and would cut it there.
    """
    sheet: Worksheet = workbook.create_sheet(title)
    put_text(sheet, 1, 1, heading or title, TITLE)
    put_text(sheet, *PURPOSE_AT, purpose, PURPOSE)
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.HeaderFooter.oddFooter = HeaderFooterItem(
        left=_HeaderFooterPart("&A"), center=_HeaderFooterPart("Page &P of &N"), right=_HeaderFooterPart("&F, &D")
    )
    return sheet


def set_print(sheet: Worksheet, rows: str, columns: str | None = None) -> None:
    """Repeat the header on every page, and take as many pages in width as keep the figures readable."""
    sheet.print_title_rows = rows
    if columns is not None:
        sheet.print_title_cols = columns
    width = sum(dimension.width for dimension in sheet.column_dimensions.values())
    sheet.page_setup.fitToWidth = max(1, math.ceil(width / PRINTED_WIDTH))


def cell_at(sheet: Worksheet, row: int, column: int) -> Cell:
    """Return a cell; no sheet of ours has merged ones."""
    return cast(Cell, sheet.cell(row, column))


def put_text(sheet: Worksheet, row: int, column: int, text: str, style: str = LABEL) -> Cell:
    """Put a text and return its cell."""
    cell = cell_at(sheet, row, column)
    cell.style = style
    write_text(cell, text)
    return cell


def put_headers(sheet: Worksheet, row: int, texts: Iterable[str]) -> None:
    """Put a header row."""
    for position, text in enumerate(texts, 1):
        put_text(sheet, row, position, text, HEADER)


def put_formula(cell: Cell, expression: Expression, layout: Layout, values: Mapping[Column, Array]) -> Cell:
    """Put an expression that has one value for all rows, with that value, and return the cell."""
    style = LINK if isinstance(expression, Column) else CALCULATED
    text = formula(expression, layout.seen_from(cell.parent.title, str(cell.row)))
    value = evaluate(expression, values).item()
    if isinstance(expression, Column):
        value = stored(expression, np.asarray([value]))[0]
    return put_live(cell, text, value, style)


def put_live(cell: Cell, text: str, value: Stored, style: str = CALCULATED) -> Cell:
    """Put a live formula and its value, and return the cell."""
    cell.style = style
    cell.value = Formula(text, value)
    return cell


def put_input(cell: Cell, value: float | str) -> None:
    """Put a number or a text into a cell, a text as text."""
    if isinstance(value, str):
        write_text(cell, value)
    else:
        cell.value = value


def set_width(sheet: Worksheet, position: int, texts: Iterable[str], at_least: float = 0) -> None:
    """Make a column as wide as its longest text, within reason, and no narrower than a table above made it."""
    longest = max((len(text) for text in texts), default=0)
    width = max(min(max(longest + 2, NARROWEST), WIDEST), at_least)
    sheet.column_dimensions[get_column_letter(position)].width = width


def write_scalars(
    sheet: Worksheet, row: int, scalars: Iterable[Column], values: Mapping[Column, Array], layout: Layout
) -> int:
    """Write meaning, value, unit and name of each scalar and give its cell that name; return the next free row."""
    for scalar in scalars:
        put_text(sheet, row, 1, scalar.meaning)
        cell = cell_at(sheet, row, 2)
        if scalar.definition is None:
            cell.style = CONSTANT
            put_input(cell, values[scalar].item())
        else:
            text = formula(scalar.definition, layout.seen_from(sheet.title))
            put_live(cell, text, stored(scalar, values[scalar].reshape(1))[0]).alignment = RIGHT
        cell.number_format = number_format(scalar)
        define_name(sheet, scalar, cell)
        put_text(sheet, row, 3, scalar.unit).alignment = LEFT
        put_text(sheet, row, 4, scalar.name, PURPOSE)
        row += 1
    return row


def define_name(sheet: Worksheet, scalar: Column, cell: Cell) -> None:
    """Let formulas on any sheet call a cell by the scalar's name."""
    workbook = cast(Workbook, sheet.parent)
    workbook.defined_names[scalar.name] = DefinedName(
        scalar.name, attr_text=f"{quote_sheetname(sheet.title)}!${cell.column_letter}${cell.row}"
    )
