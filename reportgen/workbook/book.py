"""Puts the workbook together: sheets from left to right as the reader thinks."""

from __future__ import annotations

from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.bill import BillOfMaterials, GroupTotals
from reportgen.calculation.catalogues import AssumptionRows, Assumptions, Constants
from reportgen.calculation.ledger import CATALOGUES, JOB_SHEETS
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Sheet
from reportgen.report import Report
from reportgen.workbook.cells import Book
from reportgen.workbook.checks import VERDICT, write_checks
from reportgen.workbook.layout import Layout, Region
from reportgen.workbook.notes import write_notes
from reportgen.workbook.rows import RowStream
from reportgen.workbook.styles import HEADING, add_styles, number_format
from reportgen.workbook.summary import PURPOSE, TITLE, write_summary
from reportgen.workbook.tables import finish_table, write_table
from reportgen.workbook.whatif import TABLES, whatif_regions, write_whatif
from reportgen.workbook.writing import add_sheet, define_name, put_headers, put_text, write_scalars

SPARE_JOBS, SPARE_ENTRIES = 20, 5
"""Rows that a reader may fill: further jobs, further entries of a catalogue."""
_GROUPS_BELOW = 4
BILL_NAME = "C"
"""The column in which the bill names its lines."""


def build_workbook(report: Report) -> Book:
    """Return the workbook of a report, in memory but for the rows of its large sheets."""
    layout = lay_out(report)
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    workbook.properties.title = report.title
    workbook.properties.creator = f"reportgen {report.version}"
    add_styles(workbook)
    summary = add_sheet(workbook, TITLE, PURPOSE, report.title)
    to_come = {sheet.title: _write_sheet(workbook, report, layout, sheet) for sheet in JOB_SHEETS}
    _mark_jobs(workbook[Sharding.title], layout)
    _write_bill(workbook, report, layout)
    comparison = report.analysis.comparison
    to_come[comparison.title] = _write_sheet(workbook, report, layout, comparison)
    _mark_cheapest(workbook[comparison.title], report, layout)
    write_whatif(workbook, report, layout)
    catalogues: tuple[type[Sheet], ...] = (*CATALOGUES, AssumptionRows)
    to_come |= {sheet.title: _write_sheet(workbook, report, layout, sheet) for sheet in catalogues}
    _name_assumptions(workbook[AssumptionRows.title], report, layout)
    write_checks(workbook, report, layout)
    write_notes(workbook, report)
    write_summary(summary, report, layout, VERDICT)
    return Book(workbook, {title: rows for title, rows in to_come.items() if rows is not None})


def lay_out(report: Report) -> Layout:
    """Return where every table of a report's workbook stands."""
    analysis, inputs = report.analysis, report.ledger.inputs
    spare = report.as_built.spare if report.as_built is not None else {}
    jobs = (len(inputs.plan), spare.get(Plan, SPARE_JOBS))
    regions = [Region(sheet, *jobs, grows=True, streamed=True) for sheet in (*JOB_SHEETS, analysis.comparison)]
    regions += [
        Region(sheet, len(inputs.tables[sheet]), spare.get(sheet, SPARE_ENTRIES), grows=True, streamed=True)
        for sheet in CATALOGUES
    ]
    regions.append(Region(AssumptionRows, len(inputs.tables[AssumptionRows])))
    bill = Region(BillOfMaterials, analysis.rows(BillOfMaterials))
    regions += [bill, Region(GroupTotals, analysis.rows(GroupTotals), header_row=bill.last_row + _GROUPS_BELOW)]
    return Layout([*regions, *whatif_regions({sheet: analysis.rows(sheet) for sheet in TABLES})])


def _write_sheet(workbook: Workbook, report: Report, layout: Layout, sheet: type[Sheet]) -> RowStream | None:
    page = add_sheet(workbook, sheet.title, str(sheet.__doc__))
    table = report.ledger.inputs.tables.get(sheet)
    to_come = write_table(page, layout[sheet], report.analysis.values, layout, table)
    finish_table(page, layout[sheet], BILL_NAME if sheet is BillOfMaterials else "A")
    return to_come


def _write_bill(workbook: Workbook, report: Report, layout: Layout) -> None:
    _write_sheet(workbook, report, layout, BillOfMaterials)
    page = workbook[BillOfMaterials.title]
    region = layout[GroupTotals]
    put_text(page, region.header_row - 2, 1, str(GroupTotals.__doc__), HEADING)
    write_table(page, region, report.analysis.values, layout)


def _mark_jobs(page: Worksheet, layout: Layout) -> None:
    region = layout[Sharding]
    letter = region.letter(Sharding.fits)
    _mark(page, f"{letter}{region.first_row}:{letter}{region.last_row}", f"{letter}{region.first_row}=FALSE", "FDE8E8")


def _mark_cheapest(page: Worksheet, report: Report, layout: Layout) -> None:
    sheet = report.analysis.comparison
    region = layout[sheet]
    costs = [column for column in sheet.columns if column.name.endswith(" cost")]
    cheapest = next(column for column in sheet.columns if column.name == "cheapest_cost")
    first, last, row = region.letter(costs[0]), region.letter(costs[-1]), region.first_row
    condition = f"AND(ISNUMBER({first}{row}),{first}{row}=${region.letter(cheapest)}{row})"
    _mark(page, f"{first}{row}:{last}{region.last_row}", condition, "E6F4EA")


def _mark(page: Worksheet, cells: str, condition: str, paper: str) -> None:
    rule = Rule("expression", dxf=DifferentialStyle(font=Font(bold=True), fill=PatternFill(bgColor=paper)))
    rule.formula = [condition]
    page.conditional_formatting.add(cells, rule)


def _name_assumptions(page: Worksheet, report: Report, layout: Layout) -> None:
    """Give each assumption's value its name and its format, and list the constants below."""
    declared = {column.name: column for column in Assumptions.columns}
    region = layout[AssumptionRows]
    names = report.ledger.inputs.tables[AssumptionRows].values[AssumptionRows.name].tolist()
    for row, name in enumerate(names, region.first_row):
        for column in (AssumptionRows.value, AssumptionRows.low, AssumptionRows.high):
            page[f"{region.letter(column)}{row}"].number_format = number_format(declared[name])
        define_name(page, declared[name], page[f"{region.letter(AssumptionRows.value)}{row}"])
    put_text(page, region.last_row + 2, 1, "Constants", HEADING)
    put_headers(page, region.last_row + 3, ("constant", "value", "unit", "name"))
    write_scalars(page, region.last_row + 4, Constants.columns, report.analysis.values, layout)
