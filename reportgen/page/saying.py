"""How the page says texts and memories, beyond what every output shares: short forms, safe forms, links."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from reportgen.calculation.bands import Calculation
from reportgen.expression import Column
from reportgen.units import DATE, GB, ROW, TEXT, YES_NO
from reportgen.wording import figure, label

FITS, DOES_NOT_FIT = "fits", "does not fit"

_SMALLEST: Final = 0.01
"""What is less is said to be less, never to be nothing."""

_DIGITS_OF_A_SHARE: Final = 3

_MEASURED: Final = frozenset({"byte", "GB", "GiB", "USD", "kW", "kWh", "hour", "card*hour", "USD/card/hour"})
"""Units of figures that are rounded for the eye; counts are not."""

_SAID_BY_THE_NAME: Final = frozenset({TEXT, "1", YES_NO, DATE, ROW, "card", "node", "job", "hour", "card*hour"})

_UNSHOWABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_LINK: Final = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`{}|\\^\[\]]*[^\s<>\"'`{}|\\^\[\].,;:!?()]")
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_DOUBLE_WIDTH: Final = frozenset("WF")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text: plain, a name that the user wrote, or a link."""

    text: str
    is_name: bool = False
    href: str = ""


def visible(value: object) -> object:
    """Return a text with each character that HTML forbids replaced; anything else as it is."""
    return _UNSHOWABLE.sub("\ufffd", value) if type(value) is str else value


def linked(text: str) -> Iterator[Part]:
    """Yield a text in parts, its web and mail addresses as links; no other address becomes one."""
    end = 0
    for found in _LINK.finditer(text):
        if found.start() > end:
            yield Part(text[end : found.start()])
        yield Part(found[0], href=found[0])
        end = found.end()
    if end < len(text):
        yield Part(text[end:])


def isolated(name: str) -> str:
    """Return a name so that its direction and its controls stay its own, where no element can say so."""
    return f"{_ISOLATE}{name}{_END_OF_ISOLATE}"


def shortened(name: str, width: int) -> str:
    """Return a name in at most ``width`` columns of a picture, one for a letter, two for an ideograph."""
    used = 0
    for position, character in enumerate(name):
        used += 2 if unicodedata.east_asian_width(character) in _DOUBLE_WIDTH else 1
        if used > width:
            return name[: max(position - 1, 0)].rstrip() + "…"
    return name


def gigabytes(value: float) -> str:
    """Return bytes as a bare number of GB."""
    return _rounded(value / GB)


def at_a_glance(value: float | str, column: Column) -> str:
    """Return a figure with as many digits as an eye takes in; the page has the exact one elsewhere."""
    if isinstance(value, str) or math.isnan(value):
        return figure(value, column)
    if column.percent:
        return figure(round(value, _DIGITS_OF_A_SHARE), column)
    if column.unit not in _MEASURED:
        return figure(value, column)
    return gigabytes(value) if column.unit == "byte" else _rounded(value)


def _rounded(value: float) -> str:
    """Return a number in three digits, or all before the point; what is not nothing never reads as nothing."""
    if value and abs(value) < _SMALLEST:
        return f"<{_SMALLEST}" if value > 0 else f">-{_SMALLEST}"
    return figure(value, Calculation.training_footprint_gb)


def named(column: Column) -> str:
    """Return a column's name as a heading, without the unit, which stands apart."""
    return label(column).removesuffix(f" {column.unit.casefold()}")


def unit_shown(column: Column) -> str:
    """Return the unit that stands beside a heading; empty where the name says what is counted."""
    return "" if column.unit in _SAID_BY_THE_NAME else "GB" if column.unit == "byte" else column.unit.replace("*", "·")


def many(number: float, noun: str) -> str:
    """Return a count with its noun: ``1 job``, ``2 jobs``."""
    return f"{number:,.0f} {noun}" + ("" if number == 1 else "s")
