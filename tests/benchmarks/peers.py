"""Other writers, each writing the same cells in its fastest way.

Each gets the header, the cells and their number formats, and no fonts, colours, notes or lists: a style is a number in
each cell, whatever it stands for. Only the wanted writer is imported, so that its memory is its own.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from same_cells import JobSheet

from reportgen.workbook.cells import Stored
from reportgen.workbook.layout import HEADER_ROW, ROW_MARK

Writer = Callable[[Sequence[JobSheet], Path], None]


def with_openpyxl(sheets: Sequence[JobSheet], target: Path) -> None:
    """Write with openpyxl's write-only mode, which has no place for a formula's value; one cell serves a column."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    workbook = Workbook(write_only=True)
    for one in sheets:
        sheet = workbook.create_sheet(one.title)
        for _ in range(HEADER_ROW - 1):
            sheet.append(())
        sheet.append([column.header for column in one.columns])
        cells = [WriteOnlyCell(sheet) for _ in one.columns]
        for cell, column in zip(cells, one.columns, strict=True):
            cell.number_format = column.number_format
        for _, formulas, values in one.rows():
            for cell, value in zip(cells, formulas if one.live else values, strict=True):
                cell.value = None if value == "" else value
            sheet.append(cells)
    workbook.save(target)


def with_xlsxwriter(sheets: Sequence[JobSheet], target: Path) -> None:
    """Write with XlsxWriter in constant memory, each formula with its value."""
    from xlsxwriter import Workbook

    with Workbook(str(target), {"constant_memory": True, "use_zip64": True}) as workbook:
        for one in sheets:
            sheet = workbook.add_worksheet(one.title)
            formats = [workbook.add_format({"num_format": column.number_format}) for column in one.columns]
            for position, column in enumerate(one.columns):
                sheet.write_string(HEADER_ROW - 1, position, column.header)
            for number, formulas, values in one.rows():
                row = number - 1
                for position, value in enumerate(values):
                    if one.live:
                        sheet.write_formula(row, position, formulas[position], formats[position], value)
                    elif value == "":
                        sheet.write_blank(row, position, None, formats[position])
                    elif isinstance(value, str):
                        sheet.write_string(row, position, value, formats[position])
                    else:
                        sheet.write_number(row, position, value, formats[position])


def with_rustpy(sheets: Sequence[JobSheet], target: Path) -> None:
    """Write with rustpy-xlsxwriter, which fills a formula down by itself, without values and without empty cells."""
    from rustpy_xlsxwriter import Format, write_worksheets

    formats: dict[str, dict[str, Format] | list[Format]] = {
        one.title: {column.header: Format().set_num_format(column.number_format) for column in one.columns}
        for one in sheets
    }
    live = {
        one.title: {column.header: "=" + column.formula.replace(ROW_MARK, "{row}") for column in one.columns}
        for one in sheets
        if one.live
    }
    write_worksheets(
        [(one.title, _records(one)) for one in sheets],
        str(target),
        header_row={"general": HEADER_ROW - 1},
        column_formats=formats,
        formula_columns=live,
    )


def _records(sheet: JobSheet) -> Iterator[dict[str, Stored | None]]:
    """Yield the inputs of each row; a row of formulas has none."""
    if sheet.live:
        yield from ({} for _ in range(HEADER_ROW, sheet.last_row))
        return
    headers = [column.header for column in sheet.columns]
    for _, rows in sheet.values():
        for row in rows:
            yield dict(zip(headers, (None if value == "" else value for value in row), strict=True))


def without_writing(sheets: Sequence[JobSheet], _: Path) -> None:
    """Make every formula's text and every value, and write nothing."""
    for one in sheets:
        for _row in one.rows():
            pass


WRITERS: Final[Mapping[str, Writer]] = {
    "openpyxl": with_openpyxl,
    "XlsxWriter": with_xlsxwriter,
    "rustpy-xlsxwriter": with_rustpy,
    "cells alone": without_writing,
}
"""The writers by the names of their packages, and what they have in common."""
