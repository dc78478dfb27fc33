"""The first sheet: what the plan comes to, whether the checks hold, where to find the rest."""

from __future__ import annotations

from typing import cast

from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.totals import Totals
from reportgen.report import CARDS_NEEDED_NOTE, VERDICT_OK, Report
from reportgen.workbook.layout import Layout
from reportgen.workbook.styles import HEADING, KEY, LABEL, LINK
from reportgen.workbook.writing import cell_at, put_live, put_text, set_width, write_scalars

PURPOSE = "What the plan comes to. Every figure is a formula: change an input on another sheet and it follows."
VERDICT_ROW, FIRST_TOTAL_ROW = 4, 7


def write_summary(sheet: Worksheet, report: Report, layout: Layout, verdict: str) -> None:
    """Fill the sheet once the others stand; ``verdict`` is the address of the verdict on the checks."""
    workbook = cast(Workbook, sheet.parent)
    put_text(sheet, VERDICT_ROW, 1, "Checks", HEADING)
    cell = put_live(cell_at(sheet, VERDICT_ROW, 2), verdict, report.verdict, LINK)
    mark_verdict(sheet, cell.coordinate, VERDICT_OK)
    put_text(sheet, FIRST_TOTAL_ROW - 1, 1, "Totals over all jobs", HEADING)
    row = write_scalars(sheet, FIRST_TOTAL_ROW, Totals.columns, report.ledger, layout)
    put_text(sheet, row + 1, 1, CARDS_NEEDED_NOTE)
    put_text(sheet, row + 3, 1, "How to read the sheets", HEADING)
    for position, (style, meaning) in enumerate(KEY, row + 4):
        put_text(sheet, position, 1, "1,234", style)
        put_text(sheet, position, 2, meaning)
    row += 5 + len(KEY)
    put_text(sheet, row, 1, "Sheets", HEADING)
    for position, (title, purpose) in enumerate(_contents(workbook), row + 1):
        link = put_text(sheet, position, 1, title)
        link.hyperlink = f"#'{title}'!A1"
        link.font = Font(name=link.font.name, size=link.font.size, color="0B3FBF", underline="single")
        put_text(sheet, position, 2, purpose)
    put_text(
        sheet, row + 1 + len(workbook.sheetnames), 1, f"Made on {report.date} by reportgen {report.version}.", LABEL
    )
    set_width(sheet, 1, [column.name for column in Totals.columns])
    for position, width in ((2, 22), (3, 12), (4, 60)):
        sheet.column_dimensions["ABCD"[position - 1]].width = width


def mark_verdict(sheet: Worksheet, cells: str, good: str) -> None:
    """Colour cells green where they hold the good word, red where they hold another."""
    first = cells.split(":", maxsplit=1)[0]
    for condition, ink, paper in (
        (f'{first}="{good}"', "0A6B3D", "E6F4EA"),
        (f'{first}<>"{good}"', "9B1C1C", "FDE8E8"),
    ):
        rule = Rule("expression", dxf=DifferentialStyle(Font(bold=True, color=ink), fill=PatternFill(bgColor=paper)))
        rule.formula = [condition]
        sheet.conditional_formatting.add(cells, rule)


def _contents(workbook: Workbook) -> list[tuple[str, str]]:
    return [(sheet.title, str(sheet["A2"].value)) for sheet in workbook.worksheets[1:]]
