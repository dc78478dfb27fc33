"""The charts: each points at cells, so that it moves with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from openpyxl.chart import BarChart, Reference, ScatterChart, Series
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import CharacterProperties, ParagraphProperties
from openpyxl.utils import column_index_from_string
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.expression import Column
from reportgen.workbook.layout import Layout

COLOURS = ("1D4E89", "E08E0B", "2A9D8F", "8E5EA2")
"""Colours that stay apart for the colour-blind and in grey."""
LIMIT_COLOUR, GRID_COLOUR = "9B1C1C", "D5DCE4"
SPARE_BARS, MOST_BARS = 3, 40
"""Rows beyond those in use that a chart waits for, and how many rows it shows at the most."""
BYTES_IN_GB = "#,##0,,,"


@dataclass(frozen=True)
class Frame:
    """Where a chart stands and how large it is, in centimetres."""

    anchor: str
    width: float
    height: float
    title: str
    unit: str


class Charts:
    """Makes the charts of one workbook."""

    def __init__(self, workbook: Workbook, layout: Layout) -> None:
        self._workbook = workbook
        self._layout = layout

    def lying_bars(self, sheet: Worksheet, frame: Frame, labels: Column, series: Sequence[tuple[Column, str]]) -> None:
        """Put a lying bar for each row, the series end to end, so that long names can be read."""
        chart = self._bars("bar", labels, series)
        chart.x_axis.scaling.orientation = "maxMin"
        chart.y_axis.crosses = "max"
        self._place(sheet, chart, frame)

    def standing_bars(self, sheet: Worksheet, frame: Frame, labels: Column, values: Column) -> None:
        """Put a standing bar for each row of one series."""
        chart = self._bars("col", labels, ((values, frame.unit),))
        chart.legend = None
        self._place(sheet, chart, frame)

    def curves(
        self, sheet: Worksheet, frame: Frame, across: tuple[Column, str], series: Sequence[tuple[Column, str]]
    ) -> None:
        """Put curves over logarithmic axes; the last one is a limit and drawn in dashes."""
        chart: Any = ScatterChart()
        chart.style = 13
        chart.scatterStyle = "lineMarker"
        for position, (column, name) in enumerate(series):
            one: Any = Series(self._cells(column), self._cells(across[0]), title=name)
            limit = position == len(series) - 1
            line = one.graphicalProperties.line
            line.solidFill = LIMIT_COLOUR if limit else COLOURS[position % len(COLOURS)]
            line.width = 22000
            line.prstDash = "dash" if limit else "solid"
            one.marker.symbol = "none"
            one.smooth = False
            chart.series.append(one)
        chart.x_axis.title = across[1]
        chart.x_axis.scaling.logBase = 2
        chart.y_axis.scaling.logBase = 10
        chart.x_axis.number_format = "0"
        chart.x_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill=GRID_COLOUR))
        self._place(sheet, chart, frame)
        chart.y_axis.number_format = "[>=1000000000]#,##0,,,;0.0##,,,"

    def _bars(self, kind: str, labels: Column, series: Sequence[tuple[Column, str]]) -> Any:  # noqa: ANN401 - openpyxl's
        chart: Any = BarChart()
        chart.type = kind
        chart.grouping = "stacked"
        chart.overlap = 100
        chart.gapWidth = 50
        for colour, (column, name) in zip(COLOURS, series, strict=False):
            one = Series(self._cells(column), title=name)
            one.graphicalProperties = GraphicalProperties(solidFill=colour)
            chart.series.append(one)
        chart.set_categories(self._cells(labels))
        return chart

    def _cells(self, column: Column) -> Reference:
        region, letter = self._layout.places[column]
        rows = min(region.rows + min(region.spare, SPARE_BARS), MOST_BARS)
        index = column_index_from_string(letter)
        return Reference(
            self._workbook[region.sheet.title],
            min_col=index,
            min_row=region.first_row,
            max_row=region.header_row + rows,
        )

    @staticmethod
    def _place(sheet: Worksheet, chart: Any, frame: Frame) -> None:  # noqa: ANN401 - openpyxl's charts
        chart.title = frame.title
        chart.title.tx.rich.p[0].pPr = ParagraphProperties(defRPr=CharacterProperties(sz=1100, b=True))
        for run in chart.title.tx.rich.p[0].r:
            run.rPr = CharacterProperties(sz=1100, b=True)
        chart.title.overlay = False
        chart.width, chart.height = frame.width, frame.height
        chart.y_axis.title = frame.unit
        chart.y_axis.number_format = BYTES_IN_GB if frame.unit == "GB" else "#,##0"
        chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill=GRID_COLOUR))
        chart.x_axis.delete = False
        chart.y_axis.delete = False
        if chart.legend is not None:
            chart.legend.position = "b"
        sheet.add_chart(chart, frame.anchor)
