"""The few styles of the workbook, by role, and the number format of each unit."""

from __future__ import annotations

from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook import Workbook

from reportgen.expression import Column
from reportgen.units import DATE, TEXT

TITLE, PURPOSE, BAND, HEADER, INPUT, DEFAULT, CALCULATED, LINK, CONSTANT, LABEL, HEADING, OK, BAD = (
    "rg title",
    "rg purpose",
    "rg band",
    "rg header",
    "rg input",
    "rg default",
    "rg calculated",
    "rg link",
    "rg constant",
    "rg label",
    "rg heading",
    "rg ok",
    "rg check",
)

_INK, _BLUE, _GREEN, _RED, _PAPER, _YELLOW = "1F2A37", "0B3FBF", "0A6B3D", "9B1C1C", "E8EDF3", "FFFBE6"
_FONT = "Calibri"
_HAIR = Side(style="thin", color="D5DCE4")

RIGHT = Alignment(horizontal="right")
"""Figures, and the words that stand where there is none."""
LEFT = Alignment(horizontal="left", indent=1)
"""Texts, a little away from the figure before them."""

KEY = (
    (INPUT, "Input: change it"),
    (DEFAULT, "Input left empty: follows from others, or type over it"),
    (CALCULATED, "Calculated on this sheet"),
    (LINK, "Taken from another sheet"),
    (CONSTANT, "Fixed"),
)
"""What each style of figure means, for the reader."""


def add_styles(workbook: Workbook) -> None:
    """Register the named styles."""
    for name, font, fill in (
        (TITLE, Font(name=_FONT, size=16, bold=True, color=_INK), None),
        (PURPOSE, Font(name=_FONT, size=10, italic=True, color="51606F"), None),
        (BAND, Font(name=_FONT, size=10, bold=True, color=_INK), _PAPER),
        (HEADER, Font(name=_FONT, size=10, bold=True, color="FFFFFF"), "2D4A6B"),
        (INPUT, Font(name=_FONT, size=10, color=_BLUE), _YELLOW),
        (DEFAULT, Font(name=_FONT, size=10, color="000000"), _YELLOW),
        (CALCULATED, Font(name=_FONT, size=10, color="000000"), None),
        (LINK, Font(name=_FONT, size=10, color=_GREEN), None),
        (CONSTANT, Font(name=_FONT, size=10, color="51606F"), _PAPER),
        (HEADING, Font(name=_FONT, size=12, bold=True, color=_INK), None),
        (LABEL, Font(name=_FONT, size=10, color=_INK), None),
        (OK, Font(name=_FONT, size=10, bold=True, color=_GREEN), "E6F4EA"),
        (BAD, Font(name=_FONT, size=10, bold=True, color=_RED), "FDE8E8"),
    ):
        style = NamedStyle(name, font=font)
        if fill is not None:
            style.fill = PatternFill("solid", start_color=fill)
        if name in (INPUT, DEFAULT, CALCULATED, LINK, CONSTANT):
            style.border = Border(bottom=_HAIR)
        if name == HEADER:
            style.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
        workbook.add_named_style(style)


_FORMATS = {
    TEXT: "@",
    DATE: "yyyy-mm-dd",
    "byte": "#,##0",
    "parameter": "#,##0",
    "token": "#,##0",
    "job": "#,##0",
    "card": "#,##0",
    "GB": "#,##0.0",
    "GiB": "#,##0.0",
    "MiB": "#,##0",
    "USD": "#,##0",
    "USD/hour": "#,##0.00",
    "USD/card/hour": "#,##0.00",
    "USD/card": "#,##0.00",
    "USD/kWh": "#,##0.000",
    "hour": "#,##0.0",
    "card*hour": "#,##0",
    "kW": "#,##0.0",
    "kWh": "#,##0",
    "W": "#,##0",
    "node": "#,##0",
    "FLOP": "0.000E+00",
    "FLOP/s": "0.000E+00",
}


def number_format(column: Column) -> str:
    """Return the format that shows a column's figures without losing what matters."""
    return "0.0%" if column.percent else _FORMATS.get(column.unit, "General")
