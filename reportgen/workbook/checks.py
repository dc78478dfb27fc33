"""The Checks sheet: two ways to each figure, the reference models, and the totals that the report was made with."""

from __future__ import annotations

import math

from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.checks import CHECKS, HOLDS
from reportgen.calculation.totals import Reference
from reportgen.errors import listed
from reportgen.report import VERDICT_EDITED, VERDICT_FAILED, VERDICT_OK, Report
from reportgen.workbook.layout import Layout
from reportgen.workbook.styles import CONSTANT, HEADING, LABEL, LEFT, RIGHT, number_format
from reportgen.workbook.summary import mark_verdict
from reportgen.workbook.writing import (
    add_sheet,
    cell_at,
    put_formula,
    put_headers,
    put_live,
    put_text,
    set_width,
    write_scalars,
)

TITLE = "Checks"
PURPOSE = "Each check reaches one figure in two ways. The verdict below stands on the Summary too."
VERDICT_ROW, HEADER_ROW = 4, 6
AS_REPORTED, EDITED = "as reported", "edited"
VERDICT = f"{TITLE}!$B${VERDICT_ROW}"
"""Address of the verdict over all checks."""


def write_checks(workbook: Workbook, report: Report, layout: Layout) -> None:
    """Write the sheet."""
    sheet = add_sheet(workbook, TITLE, PURPOSE)
    after_checks = _write_check_rows(sheet, report, layout)
    put_text(sheet, after_checks + 1, 1, "Reference models: Adam, every value 2 bytes wide", HEADING)
    put_headers(sheet, after_checks + 2, ("figure", "value", "unit", "name"))
    after_reference = write_scalars(sheet, after_checks + 3, Reference.columns, report.analysis.values, layout)
    put_text(sheet, after_reference + 1, 1, "Totals when the report was made", HEADING)
    put_headers(sheet, after_reference + 2, ("total", "live", "reported", "unit", "status"))
    after_totals = _write_reported(sheet, after_reference + 3, report, layout)
    warnings = report.ledger.inputs.warnings
    for offset, warning in enumerate(
        ("Doubtful in the input", *listed(warnings).splitlines()) if warnings else (), after_totals + 1
    ):
        put_text(sheet, offset, 1, warning, LABEL if offset > after_totals + 1 else HEADING)
    checked = f"$E${HEADER_ROW + 1}:$E${after_checks - 1}"
    reported = f"$E${after_reference + 3}:$E${after_totals - 1}"
    put_text(sheet, VERDICT_ROW, 1, "Verdict", HEADING)
    text = (
        f'IF(COUNTIF({checked},"{HOLDS}")<ROWS({checked}),"{VERDICT_FAILED}",'
        f'IF(COUNTIF({reported},"{AS_REPORTED}")<ROWS({reported}),"{VERDICT_EDITED}","{VERDICT_OK}"))'
    )
    put_live(cell_at(sheet, VERDICT_ROW, 2), text, report.verdict)
    mark_verdict(sheet, f"B{VERDICT_ROW}", VERDICT_OK)
    mark_verdict(sheet, checked.replace("$", ""), HOLDS)
    mark_verdict(sheet, reported.replace("$", ""), AS_REPORTED)
    set_width(sheet, 1, [check.name for check in CHECKS])
    for letter, width in (("B", 32), ("C", 22), ("D", 22), ("E", 14)):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = f"A{HEADER_ROW + 1}"


def _write_check_rows(sheet: Worksheet, report: Report, layout: Layout) -> int:
    put_headers(sheet, HEADER_ROW, ("check", "one way", "other way", "difference", "verdict"))
    row = HEADER_ROW + 1
    for check in CHECKS:
        put_text(sheet, row, 1, check.name)
        for position, expression in enumerate((check.live, check.expected, check.difference), 2):
            cell = put_formula(cell_at(sheet, row, position), expression, layout, report.analysis.values)
            cell.number_format = "#,##0.###"
        put_formula(cell_at(sheet, row, 5), check.verdict, layout, report.analysis.values).alignment = LEFT
        row += 1
    return row


def _write_reported(sheet: Worksheet, row: int, report: Report, layout: Layout) -> int:
    for total, value in report.totals:
        put_text(sheet, row, 1, total.meaning)
        live = put_formula(cell_at(sheet, row, 2), total, layout, report.analysis.values)
        reported = cell_at(sheet, row, 3)
        reported.style = CONSTANT
        reported.value = total.absent if math.isnan(value) else value
        live.alignment = reported.alignment = RIGHT
        live.number_format = reported.number_format = number_format(total)
        put_text(sheet, row, 4, total.unit).alignment = LEFT
        near = f"IFERROR(ABS(B{row}-C{row})<=check_tolerance*ABS(C{row}),FALSE)"
        same = f'IF(OR(B{row}=C{row},{near}),"{AS_REPORTED}","{EDITED}")'
        put_live(cell_at(sheet, row, 5), same, AS_REPORTED).alignment = LEFT
        row += 1
    return row
