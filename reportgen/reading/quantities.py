"""What a cell's text means: counts, memories, shares, numbers, dates; each whole text or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from reportgen.units import BYTES_IN, DAY_ZERO, EARLIEST_DAY

LARGEST_EXACT = 2**53
"""The largest whole number up to which float64 holds every one."""

_SURELY_EXACT = 15
"""Digits of which every whole number is exact."""

_NUMBER = r"(?P<number>[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)"
_COUNT = re.compile(_NUMBER + r"\s?(?P<suffix>[KMBT]?)", re.ASCII | re.IGNORECASE)
_MEMORY = re.compile(_NUMBER + r"\s?(?P<unit>[A-Za-z]*)", re.ASCII)
_PLAIN = re.compile(_NUMBER + r"(?P<percent>\s?%)?", re.ASCII)
_THOUSANDS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_MEMORY_UNITS = {"b": "byte", "B": "byte", "byte": "byte", "bytes": "byte"} | {
    spelling: unit for unit in BYTES_IN if unit != "byte" for spelling in (unit, unit.lower(), unit.upper())
}

COUNT_FORMS = "a count such as 30B, 1.3T, 350M, 7,500,000,000 or 3e10"
MEMORY_FORMS = "a memory such as 80 GB, 74.5 GiB or 81559 MiB"
NUMBER_FORMS = "a number such as 2, 0.5 or 1,250"
SHARE_FORMS = "a share such as 5% or 0.05"
DATE_FORMS = "a date such as 2026-01-31"


class QuantityError(ValueError):
    """The text is not of the expected form; the message says what is."""


def parse_count(text: str) -> float:
    """Return the whole number that ``text`` counts."""
    if len(text) <= _SURELY_EXACT and text.isascii() and text.isdecimal():
        return float(text)
    number = _matched(_COUNT, text, COUNT_FORMS)
    value = _decimal(number) * _THOUSANDS[number["suffix"].upper()]
    if value != value.to_integral_value():
        raise QuantityError("a whole number, " + COUNT_FORMS)
    if abs(value) > LARGEST_EXACT:
        raise QuantityError(COUNT_FORMS + ", at most 2^53, up to which every whole number is exact")
    return float(value)


def parse_memory(unit: str) -> Callable[[str], float]:
    """Return the reader of memories as multiples of ``unit``, which also stands where the text names none.

    A memory such as 12.3 GiB is the whole byte next to it; bytes themselves are whole or refused.
    """

    def parse(text: str) -> float:
        found = _matched(_MEMORY, text, MEMORY_FORMS)
        named = _MEMORY_UNITS.get(found["unit"]) if found["unit"] else unit
        if named is None:
            raise QuantityError(MEMORY_FORMS)
        size = _decimal(found) * BYTES_IN[named]
        whole = size.to_integral_value()
        if size != whole and (named == "byte" or not whole):
            raise QuantityError("whole bytes, " + MEMORY_FORMS)
        size = whole
        if abs(size) > LARGEST_EXACT:
            raise QuantityError(MEMORY_FORMS + ", at most 2^53 bytes, up to which every whole number is exact")
        return float(size / BYTES_IN[unit])

    return parse


def parse_number(text: str) -> float:
    """Return the number written in ``text``, to the 15 digits that a spreadsheet keeps."""
    found = _matched(_PLAIN, text, NUMBER_FORMS)
    if found["percent"]:
        raise QuantityError(NUMBER_FORMS)
    return _rounded(_decimal(found))


def parse_share(text: str) -> float:
    """Return the share written in ``text``, as a part of one."""
    found = _matched(_PLAIN, text, SHARE_FORMS)
    return _rounded(_decimal(found) / (100 if found["percent"] else 1))


def parse_date(text: str) -> float:
    """Return the ISO 8601 date as a spreadsheet counts days."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise QuantityError(DATE_FORMS) from None
    if day < EARLIEST_DAY:
        raise QuantityError(f"a date from {EARLIEST_DAY} on, " + DATE_FORMS)
    return float((day - DAY_ZERO).days)


def _matched(pattern: re.Pattern[str], text: str, expected: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise QuantityError(expected)
    return found


def _decimal(found: re.Match[str]) -> Decimal:
    return Decimal(found["number"].replace(",", ""))


def _rounded(value: Decimal) -> float:
    if abs(value) > LARGEST_EXACT:
        raise QuantityError(NUMBER_FORMS + ", at most 2^53")
    return float(f"{value:.15g}")
