"""The Notes sheet: where the figures come from, what they leave out, what every column means."""

from __future__ import annotations

from openpyxl.styles import Alignment
from openpyxl.workbook import Workbook

from reportgen.report import NOT_MODELLED, Report
from reportgen.wording import glossary
from reportgen.workbook.styles import HEADING
from reportgen.workbook.writing import add_sheet, put_headers, put_text

PURPOSE = "Where the figures come from, what they leave out, and what every column means."
_WIDTHS = (30, 16, 18, 56, 64, 48)


def write_notes(workbook: Workbook, report: Report) -> None:
    """Write the sheet."""
    sheet = add_sheet(workbook, "Notes", PURPOSE)
    row = 4
    put_text(sheet, row, 1, "Made from", HEADING)
    put_headers(sheet, row + 1, ("input", "file", "rows", "SHA-256"))
    row += 2
    for source, table in report.ledger.inputs.tables.items():
        for position, text in enumerate((source.title, table.file, str(len(table)), table.digest), 1):
            put_text(sheet, row, position, text)
        row += 1
    put_text(sheet, row, 1, f"Made on {report.date} by reportgen {report.version}.")
    put_text(sheet, row + 2, 1, "Not in these figures", HEADING)
    row += 3
    for sentence in NOT_MODELLED:
        put_text(sheet, row, 1, sentence)
        row += 1
    put_text(sheet, row + 1, 1, "Columns", HEADING)
    put_headers(sheet, row + 2, ("column", "sheet", "unit", "meaning", "formula", "source"))
    for position, entry in enumerate(glossary(), row + 3):
        texts = (entry.name, entry.sheet, entry.unit, entry.meaning, entry.formula, entry.source)
        for number, text in enumerate(texts, 1):
            if text:
                put_text(sheet, position, number, text).alignment = Alignment(vertical="top", wrap_text=True)
    for letter, width in zip("ABCDEF", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
