"""Lines as numbers: bytes on a card against the data-parallel degree, in whole pixels. Templates only draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reportgen.page.curves import DEGREES, STAGES, Curve
from reportgen.page.saying import gigabytes
from reportgen.page.scales import Logarithmic, Tick, apart, round_down, round_up
from reportgen.units import GB

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 560, 340, 56, 440, 30, 284
_LABEL_GAP: Final = 16
_WIDEST_MARK: Final = 150


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the picture with its label at the right end; ``own`` is the job's own stage."""

    stage: int
    own: bool
    points: str
    label: str
    label_y: int


@dataclass(frozen=True, slots=True)
class YTick:
    """A mark on the upright axis."""

    at: int
    text_at: int
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What is planned, as a point with its label."""

    x: int
    y: int
    label: str
    label_x: int
    label_y: int
    anchor: str


@dataclass(frozen=True, slots=True)
class CurvePicture:
    """Bytes on the fullest card against the data-parallel degree, both axes logarithmic."""

    key: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    label_x: int
    y_text_x: int
    x_text_y: int
    x_name_y: int
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[YTick, ...]
    lines: tuple[Line, ...]
    usable: Line
    too_much: str
    mark: Mark | None


def curve_picture(key: str, curve: Curve, stage: int, planned: tuple[float, float] | None) -> CurvePicture:
    """Return the picture of a curve.

    Args:
        key: Makes the picture's ids unique on the page.
        curve: What to draw; every figure is more than nothing.
        stage: The job's own stage.
        planned: The planned data-parallel degree and the bytes on its fullest card.
    """
    values = [*curve.usable, *(value for row in curve.totals for value in row), *(planned[1:] if planned else ())]
    low, high = round_down(min(values) / GB * 0.9) * GB, round_up(max(values) / GB * 1.1) * GB
    y = Logarithmic(low, high, _BOTTOM, _TOP)
    x = Logarithmic(1, max(DEGREES[-1], planned[0] if planned else 1), _LEFT, _RIGHT)
    columns = [[row[number] for row in curve.totals] for number in STAGES]
    places = apart([y.at(column[-1]) + 4 for column in (*columns, curve.usable)], _LABEL_GAP, _TOP + 4, _BOTTOM)
    usable = _points(x, y, curve.usable)
    return CurvePicture(
        key=key,
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        label_x=_RIGHT + 8,
        y_text_x=_LEFT - 6,
        x_text_y=_BOTTOM + 18,
        x_name_y=_BOTTOM + 40,
        x_ticks=tuple(
            Tick(x.at(degree), f"{degree:,}" if power % 2 == 0 else "") for power, degree in enumerate(DEGREES)
        ),
        y_ticks=_upright(low / GB, high / GB),
        lines=tuple(
            Line(number, number == stage, _points(x, y, column), f"stage {number}", places[number])
            for number, column in zip(STAGES, columns, strict=True)
        ),
        usable=Line(-1, False, usable, f"usable {gigabytes(curve.usable[-1])}", places[-1]),
        too_much=f"M{_LEFT} {_TOP}L{usable}L{_RIGHT} {_TOP}Z",
        mark=_mark(planned, x, y) if planned else None,
    )


def _upright(low: float, high: float) -> tuple[YTick, ...]:
    ticks = Logarithmic(low, high, _BOTTOM, _TOP).ticks()
    return tuple(YTick(tick.at, tick.at + 4, tick.text) for tick in ticks)


def _points(x: Logarithmic, y: Logarithmic, values: Sequence[float]) -> str:
    return " ".join(f"{x.at(degree)},{y.at(value)}" for degree, value in zip(DEGREES, values, strict=True))


def _mark(planned: tuple[float, float], x: Logarithmic, y: Logarithmic) -> Mark:
    """Return the planned point; its label keeps inside the picture and off the axis."""
    at, height = x.at(planned[0]), y.at(planned[1])
    start = at < _RIGHT - _WIDEST_MARK
    below = height < _BOTTOM - 2 * _LABEL_GAP
    return Mark(
        at,
        height,
        f"planned: {gigabytes(planned[1])} GB",
        at + 10 if start else at - 10,
        height + 18 if below else height - 10,
        "start" if start else "end",
    )
