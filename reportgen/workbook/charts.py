"""The charts: each points at cells, so that it moves with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl.chart import BarChart, Reference, ScatterChart, Series
from openpyxl.chart.layout import Layout as Box
from openpyxl.chart.layout import ManualLayout
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.utils import column_index_from_string
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from reportgen.expression import Column
from reportgen.workbook.layout import Layout

COLOURS = ("1D4E89", "E08E0B", "2A9D8F", "8E5EA2")
"""Colours that stay apart for the colour-blind and in grey."""
LIMIT_COLOUR = "9B1C1C"
MOST_BARS = 30
BYTES_IN_GB = "#,##0,,,"
SIZE = (17.0, 8.0)
TALL = 10.0
"""Centimetres."""


class Charts:
    """Makes the charts of one workbook."""

    def __init__(self, workbook: Workbook, layout: Layout) -> None:
        self._workbook = workbook
        self._layout = layout

    def bars(
        self, sheet: Worksheet, anchor: str, title: str, labels: Column, series: Sequence[tuple[Column, str]], unit: str
    ) -> None:
        """Put a bar for each row; several series stand on end of each other, lying so that long names can be read."""
        chart: Any = BarChart()
        chart.type = "bar" if len(series) > 1 else "col"
        chart.grouping = "stacked"
        chart.overlap = 100
        chart.gapWidth = 60
        for colour, (column, name) in zip(COLOURS, series, strict=False):
            one = Series(self._cells(column, MOST_BARS), title=name)
            one.graphicalProperties = GraphicalProperties(solidFill=colour)
            chart.series.append(one)
        chart.set_categories(self._cells(labels, MOST_BARS))
        self._finish(chart, title, None, unit, BYTES_IN_GB if unit == "GB" else "#,##0")
        if len(series) == 1:
            chart.legend = None
        else:
            chart.x_axis.scaling.orientation = "maxMin"
            chart.height = TALL
        sheet.add_chart(chart, anchor)

    def curves(
        self,
        sheet: Worksheet,
        anchor: str,
        title: str,
        across: tuple[Column, str],
        series: Sequence[tuple[Column, str]],
    ) -> None:
        """Put curves over a logarithmic axis, in GB; the last one is a limit and drawn as a line of dashes."""
        chart: Any = ScatterChart()
        chart.style = 13
        chart.scatterStyle = "lineMarker"
        for position, (column, name) in enumerate(series):
            one = Series(self._cells(column), self._cells(across[0]), title=name)
            limit = position == len(series) - 1
            line = one.graphicalProperties.line
            line.solidFill = LIMIT_COLOUR if limit else COLOURS[position % len(COLOURS)]
            line.width = 22000
            line.prstDash = "dash" if limit else "solid"
            one.marker.symbol = "none"
            one.smooth = False
            chart.series.append(one)
        self._finish(chart, title, across[1], "GB", BYTES_IN_GB)
        chart.x_axis.scaling.logBase = 2
        chart.y_axis.scaling.logBase = 10
        chart.x_axis.number_format = "0"
        sheet.add_chart(chart, anchor)

    def _cells(self, column: Column, most: int | None = None) -> Reference:
        region, letter = self._layout.places[column]
        last = region.last_row if most is None else min(region.last_row, region.header_row + most)
        index = column_index_from_string(letter)
        return Reference(self._workbook[region.sheet.title], min_col=index, min_row=region.first_row, max_row=last)

    @staticmethod
    def _finish(chart: Any, title: str, across: str | None, unit: str, shown: str) -> None:  # noqa: ANN401 - bars or curves
        chart.title = title
        chart.title.layout = Box(manualLayout=ManualLayout(xMode="edge", yMode="edge", x=0.02, y=0.02))
        chart.width, chart.height = SIZE
        chart.x_axis.title = across
        chart.y_axis.title = unit
        chart.y_axis.number_format = shown
        chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=None)
        chart.x_axis.delete = False
        chart.y_axis.delete = False
        chart.legend.position = "b" if chart.legend is not None else None
