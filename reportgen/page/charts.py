"""Bars as numbers: where each bar, tick and text stands, in whole pixels. Templates only draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportgen.page.saying import shortened
from reportgen.page.scales import Linear, Tick

WIDE, HALF, NARROW = 1100, 560, 400
"""Widths of a picture: the whole page's, a column's, a telephone's."""

_LETTER: Final = 8
"""Width of a letter, rather too much than too little."""
_TOP, _BAR, _ROW, _ROW_WITH_NAME = 6, 20, 30, 48


@dataclass(frozen=True, slots=True)
class Amount:
    """A part of a bar: how much, which band colours it, what it says."""

    value: float
    band: int
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar to draw: its name, its parts one after the other, what stands behind it."""

    name: str
    parts: tuple[Amount, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A rectangle of a bar; its text is empty where it would not fit."""

    x: int
    width: int
    band: int
    text: str
    text_x: int


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """A bar with its places."""

    y: int
    text_y: int
    name_y: int
    name: str
    pieces: tuple[Piece, ...]
    text: str
    text_x: int


@dataclass(frozen=True, slots=True)
class BarsPicture:
    """Horizontal bars over a linear axis."""

    key: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    bar_height: int
    names_above: bool
    name_width: int
    axis_text_y: int
    axis_name_y: int
    axis: str
    ticks: tuple[Tick, ...]
    bars: tuple[DrawnBar, ...]


def bars_picture(key: str, bars: Sequence[Bar], axis: str, width: int) -> BarsPicture:
    """Return bars for a picture of this width; a narrow one has each name above its bar.

    Args:
        key: Makes the picture's ids unique on the page.
        bars: What to draw, in this order.
        axis: What the axis counts, and in which unit.
        width: Pixels across.
    """
    above = width <= NARROW
    left = 0 if above else min(220, width // 4)
    right = width - (_LETTER + 1) * max(len(bar.text) for bar in bars) - 12
    row = _ROW_WITH_NAME if above else _ROW
    least = 1 if all(part.value.is_integer() for bar in bars for part in bar.parts) else 0
    bottom = _TOP + row * len(bars)
    scale = Linear(max(sum(part.value for part in bar.parts) for bar in bars) or 1, left, right)
    drawn = tuple(
        _drawn(bar, scale, _TOP + row * (position + 1) - _BAR - 5, above=above, room=(width if above else left) - 10)
        for position, bar in enumerate(bars)
    )
    return BarsPicture(
        key=key,
        width=width,
        height=bottom + 46,
        left=left,
        right=right,
        top=_TOP,
        bottom=bottom,
        bar_height=_BAR,
        names_above=above,
        name_width=(width if above else left) - 10,
        axis_text_y=bottom + 18,
        axis_name_y=bottom + 38,
        axis=axis,
        ticks=scale.ticks(4 if width < WIDE else 8, least),
        bars=drawn,
    )


def _drawn(bar: Bar, scale: Linear, y: int, *, above: bool, room: int) -> DrawnBar:
    pieces = tuple(_pieces(bar, scale))
    return DrawnBar(
        y=y,
        text_y=y + 15,
        name_y=y - 19 if above else y,
        name=shortened(bar.name, room // _LETTER),
        pieces=pieces,
        text=bar.text,
        text_x=(pieces[-1].x + pieces[-1].width if pieces else scale.start) + 8,
    )


def _pieces(bar: Bar, scale: Linear) -> list[Piece]:
    pieces, before = [], 0.0
    for part in bar.parts:
        start, end = scale.at(before), scale.at(before + part.value)
        before += part.value
        if end > start:
            room = len(part.text) * _LETTER + 10 <= end - start
            pieces.append(Piece(start, end - start, part.band, part.text if room else "", (start + end) // 2))
    return pieces
