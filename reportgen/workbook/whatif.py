"""The What-if sheet: a job from the list, its card at every degree and stage, fragmentation and price."""

from __future__ import annotations

from openpyxl.workbook import Workbook
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.plan import Plan
from reportgen.calculation.whatif import TITLE, Degrees, Picked, PickedFigures, PriceSteps, Sensitivity
from reportgen.expression import Sheet
from reportgen.report import Report
from reportgen.workbook.charts import Charts, Frame
from reportgen.workbook.layout import Layout, Region
from reportgen.workbook.styles import HEADING, INPUT
from reportgen.workbook.tables import write_table
from reportgen.workbook.writing import add_sheet, put_headers, put_text, write_scalars

PURPOSE = str(Picked.__doc__)
PICKED_ROW = 4
TABLES: tuple[type[Sheet], ...] = (Degrees, Sensitivity, PriceSteps)
_CHART_ROWS = 20


def whatif_regions(rows: dict[type[Sheet], int]) -> list[Region]:
    """Return where the tables of the sheet stand, one under the other."""
    regions = []
    header = PICKED_ROW + 5
    for sheet in TABLES:
        regions.append(Region(sheet, rows[sheet], header_row=header))
        header += rows[sheet] + (4 + _CHART_ROWS if sheet is Degrees else 4)
    return regions


def write_whatif(workbook: Workbook, report: Report, layout: Layout) -> None:
    """Write the sheet."""
    sheet = add_sheet(workbook, TITLE, PURPOSE)
    values = report.analysis.values
    write_scalars(sheet, PICKED_ROW, Picked.columns, values, layout)
    picked = sheet.cell(PICKED_ROW, 2)
    picked.style = INPUT
    rule = DataValidation("list", formula1=layout.seen_from(TITLE).range(Plan.job), showErrorMessage=True)
    rule.errorTitle, rule.error = "Unknown job", "Choose a job of the plan from the list."
    rule.add(picked.coordinate)
    sheet.add_data_validation(rule)
    for table in TABLES:
        region = layout[table]
        put_text(sheet, region.header_row - 2, 1, str(table.__doc__), HEADING)
        write_table(sheet, region, values, layout)
    _draw(sheet, workbook, layout)
    below = layout[PriceSteps].last_row + 2
    put_text(sheet, below, 1, "The picked job, as the tables use it", HEADING)
    put_headers(sheet, below + 1, ("figure", "value", "unit", "name"))
    write_scalars(sheet, below + 2, PickedFigures.columns, values, layout)
    sheet.column_dimensions["A"].width = 46
    sheet.column_dimensions["B"].width = 24
    sheet.row_breaks.append(Break(layout[Sensitivity].header_row - 3))
    sheet.row_breaks.append(Break(below - 1))
    sheet.print_title_rows = "1:2"


def _draw(sheet: Worksheet, workbook: Workbook, layout: Layout) -> None:
    Charts(workbook, layout).curves(
        sheet,
        Frame(f"A{layout[Degrees].last_row + 2}", 26, 9.5, "The picked job's fullest card by number of replicas", "GB"),
        (Degrees.degree, "replicas"),
        (
            (Degrees.stage_0_total, "stage 0"),
            (Degrees.stage_1_total, "stage 1"),
            (Degrees.stage_2_total, "stage 2"),
            (Degrees.stage_3_total, "stage 3"),
            (Degrees.usable, "usable memory of one card"),
        ),
    )
