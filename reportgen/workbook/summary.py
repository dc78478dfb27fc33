"""The first sheet: what the plan comes to, whether the checks hold, where to find the rest."""

from __future__ import annotations

from typing import cast

import numpy as np
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.workbook import Workbook
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.calculation.bands import Calculation
from reportgen.calculation.bill import BillOfMaterials
from reportgen.calculation.totals import Totals
from reportgen.report import CARDS_NEEDED_LINES, VERDICT_OK, Report
from reportgen.workbook.charts import Charts, Frame
from reportgen.workbook.layout import Layout
from reportgen.workbook.styles import HEADING, KEY, LABEL, LINK
from reportgen.workbook.styles import PURPOSE as PURPOSE_STYLE
from reportgen.workbook.writing import PURPOSE_AT, cell_at, put_live, put_text, write_scalars

TITLE = "Summary"
PURPOSE = "What the plan comes to. Every figure is a formula: change an input on another sheet and it follows."
VERDICT_ROW, ANSWER_ROW, TOTALS_ROW = 4, 5, 7
CHART_ROWS = 15


def write_summary(sheet: Worksheet, report: Report, layout: Layout, verdict: str) -> None:
    """Fill the sheet once the others stand; ``verdict`` is the address of the verdict on the checks."""
    workbook = cast(Workbook, sheet.parent)
    values = report.analysis.values
    put_text(sheet, VERDICT_ROW, 1, "Checks", HEADING)
    cell = put_live(cell_at(sheet, VERDICT_ROW, 2), verdict, report.verdict, LINK)
    mark_verdict(sheet, cell.coordinate, VERDICT_OK)
    put_text(sheet, ANSWER_ROW, 1, "Answer", HEADING)
    put_live(cell_at(sheet, ANSWER_ROW, 2), _ANSWER, report.answer)
    put_text(sheet, TOTALS_ROW, 1, "Totals over all jobs", HEADING)
    row = write_scalars(sheet, TOTALS_ROW + 1, Totals.columns, values, layout)
    for offset, sentence in enumerate(CARDS_NEEDED_LINES, 1):
        put_text(sheet, row + offset, 1, sentence, PURPOSE_STYLE)
    below = row + len(CARDS_NEEDED_LINES) + 2
    _draw(sheet, report, layout, below)
    row = _write_key(sheet, below + CHART_ROWS + 1)
    row = _write_contents(sheet, row + 1, workbook)
    put_text(sheet, row + 1, 1, f"Made on {report.date} by reportgen {report.version}.", LABEL)
    for letter, width in zip("ABCDE", (58, 22, 11, 30, 2), strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.page_setup.fitToHeight = 1


_ANSWER = (
    'jobs&IF(jobs=1," job: "," jobs: ")&jobs_that_fit&" fit, "&jobs_that_do_not_fit&" do not; "'
    '&total_planned_cards&" cards in "&total_nodes&" nodes"'
)


def _write_key(sheet: Worksheet, row: int) -> int:
    put_text(sheet, row, 1, "How to read the sheets", HEADING)
    for position, (style, meaning) in enumerate(KEY, row + 1):
        put_text(sheet, position, 1, "1,234", style)
        put_text(sheet, position, 2, meaning)
    return row + 1 + len(KEY)


def _write_contents(sheet: Worksheet, row: int, workbook: Workbook) -> int:
    put_text(sheet, row, 1, "Sheets", HEADING)
    for position, other in enumerate(workbook.worksheets[1:], row + 1):
        link = put_text(sheet, position, 1, other.title)
        link.hyperlink = Hyperlink(ref=link.coordinate, location=f"'{other.title}'!A1")
        link.font = Font(name=link.font.name, size=link.font.size, color="0B3FBF", underline="single")
        put_text(sheet, position, 2, str(other.cell(*PURPOSE_AT).value))
    return row + len(workbook.worksheets)


def _draw(sheet: Worksheet, report: Report, layout: Layout, below: int) -> None:
    charts = Charts(cast(Workbook, sheet.parent), layout)
    charts.lying_bars(
        sheet,
        Frame("F4", 19, 11.5, "Training state of each job", "GB"),
        Calculation.job,
        (
            (Calculation.parameter_bytes, "parameters"),
            (Calculation.gradient_bytes, "gradients"),
            (Calculation.optimizer_state_bytes, "optimizer states"),
        ),
    )
    for letter, title, unit, column in (
        ("A", "Planned cards by hardware", "cards", BillOfMaterials.planned_cards),
        ("D", "Rent by hardware", "USD", BillOfMaterials.rental_cost),
    ):
        if not np.nansum(report.analysis.values[column]):
            continue
        frame = Frame(f"{letter}{below}", 16, CHART_ROWS * 0.5, title, unit)
        charts.standing_bars(sheet, frame, BillOfMaterials.hardware, column)


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
