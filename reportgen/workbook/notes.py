"""The Notes sheet: where the figures come from, who stands for them, what they leave out, what every column means."""

from __future__ import annotations

import math
from collections.abc import Sequence

from openpyxl.styles import Alignment
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.report import NOT_MODELLED, Report
from reportgen.wording import glossary
from reportgen.workbook.styles import HEADING, INPUT
from reportgen.workbook.writing import add_sheet, cell_at, put_headers, put_text

PURPOSE = "Where the figures come from, who stands for them, what they leave out, and what every column means."
_WIDTHS = (34, 18, 20, 66, 70, 48)
_LINE = 13.5
_ROLES = ("prepared by", "reviewed by", "approved by")
_CHANGES = 5


def write_notes(workbook: Workbook, report: Report) -> None:
    """Write the sheet."""
    sheet = add_sheet(workbook, "Notes", PURPOSE)
    for letter, width in zip("ABCDEF", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    row = _write_origin(sheet, 4, report)
    row = _write_sign_off(sheet, row + 1)
    row = _write_rows(sheet, row + 1, "Not in these figures", (), [(sentence,) for sentence in NOT_MODELLED])
    entries = [
        (entry.name, entry.sheet, entry.unit, entry.meaning, entry.formula, entry.source) for entry in glossary()
    ]
    _write_rows(sheet, row + 1, "Columns", ("column", "sheet", "unit", "meaning", "formula", "source"), entries)


def _write_origin(sheet: Worksheet, row: int, report: Report) -> int:
    tables = report.ledger.inputs.tables.items()
    rows = [(source.title, table.file, str(len(table)), table.digest) for source, table in tables]
    row = _write_rows(sheet, row, "Made from", ("input", "file", "rows", "SHA-256"), rows)
    put_text(sheet, row, 1, f"Made on {report.date} by reportgen {report.version}.")
    return row + 1


def _write_sign_off(sheet: Worksheet, row: int) -> int:
    put_text(sheet, row, 1, "Sign-off and changes", HEADING)
    put_headers(sheet, row + 1, ("what", "name", "date", "remark"))
    for offset, what in enumerate((*_ROLES, *("change",) * _CHANGES), row + 2):
        put_text(sheet, offset, 1, what)
        for position in (2, 3, 4):
            cell_at(sheet, offset, position).style = INPUT
    return row + 2 + len(_ROLES) + _CHANGES


def _write_rows(sheet: Worksheet, row: int, heading: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Write a small table of texts and return the next free row; texts of the columns wrap."""
    put_text(sheet, row, 1, heading, HEADING)
    row += 1
    if headers:
        put_headers(sheet, row, headers)
        row += 1
    for texts in rows:
        for position, text in enumerate(texts, 1):
            if text:
                cell = put_text(sheet, row, position, text)
                cell.alignment = Alignment(vertical="top", wrap_text=len(texts) == len(_WIDTHS))
        if len(texts) == len(_WIDTHS):
            lines = max(math.ceil(len(text) / width) for text, width in zip(texts, _WIDTHS, strict=True))
            sheet.row_dimensions[row].height = _LINE * max(lines, 1)
        row += 1
    return row
