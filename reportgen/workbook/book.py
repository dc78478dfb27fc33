"""Puts the workbook together: sheets from left to right as the reader thinks."""

from __future__ import annotations

from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.catalogues import AssumptionRows, Assumptions, Constants
from reportgen.calculation.ledger import CATALOGUES, JOB_SHEETS
from reportgen.expression import Sheet
from reportgen.report import Report
from reportgen.workbook.checks import VERDICT, write_checks
from reportgen.workbook.layout import FIRST_ROW, Layout, Region
from reportgen.workbook.notes import write_notes
from reportgen.workbook.styles import HEADING, add_styles, number_format
from reportgen.workbook.summary import PURPOSE, write_summary
from reportgen.workbook.tables import write_table
from reportgen.workbook.writing import add_sheet, define_name, put_headers, put_text, write_scalars

SHEETS: tuple[type[Sheet], ...] = (*JOB_SHEETS, *CATALOGUES, AssumptionRows)
"""The sheets that are tables, in the order of reading."""


def build_workbook(report: Report) -> Workbook:
    """Return the workbook of a report, in memory."""
    ledger = report.ledger
    tables = ledger.inputs.tables
    jobs = len(ledger.inputs.plan)
    layout = Layout(
        {sheet: Region(sheet, sheet.columns, len(tables[sheet]) if sheet in tables else jobs) for sheet in SHEETS}
    )
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    workbook.properties.title = report.title
    workbook.properties.creator = f"reportgen {report.version}"
    add_styles(workbook)
    summary = add_sheet(workbook, "Summary", PURPOSE, report.title)
    for sheet in SHEETS:
        page = add_sheet(workbook, sheet.title, str(sheet.__doc__))
        write_table(page, layout[sheet], ledger, layout)
        if sheet is AssumptionRows:
            _name_assumptions(page, report, layout)
    write_checks(workbook, report, layout)
    write_notes(workbook, report)
    write_summary(summary, report, layout, VERDICT)
    return workbook


def _name_assumptions(page: Worksheet, report: Report, layout: Layout) -> None:
    """Give each assumption's value its name and its format, and list the constants below."""
    declared = {column.name: column for column in Assumptions.columns}
    region = layout[AssumptionRows]
    names = report.ledger.inputs.tables[AssumptionRows].values[AssumptionRows.name].tolist()
    for row, name in enumerate(names, FIRST_ROW):
        for column in (AssumptionRows.value, AssumptionRows.low, AssumptionRows.high):
            page[f"{region.letter(column)}{row}"].number_format = number_format(declared[name])
        define_name(page, declared[name], page[f"{region.letter(AssumptionRows.value)}{row}"])
    put_text(page, region.last_row + 2, 1, "Constants", HEADING)
    put_headers(page, region.last_row + 3, ("name", "value", "unit", "meaning"))
    write_scalars(page, region.last_row + 4, Constants.columns, report.ledger, layout)
