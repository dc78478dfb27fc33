"""Scales of pictures: round ticks, positions in whole pixels, labels moved apart. Knows numbers only."""

from __future__ import annotations

import math
from dataclasses import dataclass

_STEPS = (1, 2, 5)
_MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where it is and what it says; without a text it is a grid line only."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Linear:
    """From 0 to ``top`` over pixels."""

    top: float
    start: int
    end: int

    def at(self, value: float) -> int:
        """Return the pixel of a value."""
        return round(self.start + (self.end - self.start) * value / self.top)

    def ticks(self, most: int, least: float) -> tuple[Tick, ...]:
        """Return round ticks from 0, about ``most`` of them, ``least`` or more apart."""
        step = max(round_up(self.top / most), least)
        return tuple(Tick(self.at(step * count), plain(step * count)) for count in range(int(self.top / step) + 1))


@dataclass(frozen=True, slots=True)
class Logarithmic:
    """From ``low`` to ``high`` over pixels; each factor takes the same length."""

    low: float
    high: float
    start: int
    end: int

    def at(self, value: float) -> int:
        """Return the pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + (self.end - self.start) * share)

    def ticks(self) -> tuple[Tick, ...]:
        """Return ticks at 1, 2 and 5 of each decade, or at the decades alone where those were too many."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        values = [step * 10.0**power for power in range(first, last + 1) for step in _STEPS]
        inside = [value for value in values if self.low * 0.999 <= value <= self.high * 1.001]
        if len(inside) > _MOST_TICKS:
            inside = [value for value in inside if math.log10(value) % 1 in {0, 1}]
        return tuple(Tick(self.at(value), plain(value)) for value in inside)


def round_up(value: float) -> float:
    """Return the next number of the series 1, 2, 5, 10, 20, and so on."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in _STEPS if value <= step * power * 1.000001), 10 * power)


def round_down(value: float) -> float:
    """Return the number of that series before ``value``, or itself."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in reversed(_STEPS) if value >= step * power * 0.999999)


def plain(value: float) -> str:
    """Return a round number as an axis shows it."""
    text = f"{value:,.9f}"
    return text.rstrip("0").rstrip(".")


def apart(wanted: list[int], gap: int, low: int, high: int) -> list[int]:
    """Return places near the wanted ones, in the same order of size, at least ``gap`` apart and within bounds."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    places = list(wanted)
    floor = low
    for index in order:
        places[index] = max(places[index], floor)
        floor = places[index] + gap
    ceiling = high
    for index in reversed(order):
        places[index] = min(places[index], ceiling)
        ceiling = places[index] - gap
    return places
