"""Decimal and thousands marks: 1,234.5 here is 1.234,5 there. What could be both is not guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

from reportgen.reading.quantities import QuantityError


class Mark(StrEnum):
    """What stands before the decimals; the other one divides thousands."""

    POINT = "point"
    COMMA = "comma"


BOTH: Final = frozenset(Mark)
_AMBIGUOUS: Final = "a number that reads one way only: --decimal comma or --decimal point says which"
_SWAPPED: Final = str.maketrans(",.", ".,")
_ANY_MARK: Final = re.compile("[.,'\u2019\u00a0\u202f\u2009]")
_NUMERAL: Final = re.compile(r"[+-]?(?P<body>[\d.,]+)(?P<exponent>[eE][+-]?\d+)?\s?(?:[A-Za-z]*|%)", re.ASCII)
_POINT_FORM: Final = re.compile(r"(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?", re.ASCII)
_THREE_DIGITS: Final = re.compile(r"[1-9]\d{0,2}([.,])\d{3}", re.ASCII)
_GROUPED: Final = re.compile(
    "(?P<sign>[+-]?)(?P<groups>[1-9]\\d{0,2}(?P<mark>['\u2019\u00a0\u202f\u2009])\\d{3}(?:(?P=mark)\\d{3})*)(?!\\d)",
    re.ASCII,
)
"""Thousands divided by apostrophes or by the spaces that a program sets: no decimal mark anywhere."""
_SPACES: Final = str.maketrans(dict.fromkeys("\u00a0\u202f\u2009", " "))


def has_marks(texts: Iterable[str]) -> bool:
    """Return whether any of the texts has a mark."""
    return bool(_ANY_MARK.search("\n".join(texts)))


def readings(text: str) -> frozenset[Mark]:
    """Return the decimal marks under which a text is a number; all of them where it has no marks or is none."""
    if not _ANY_MARK.search(text):
        return BOTH
    numeral = _NUMERAL.fullmatch(_plain(text))
    if numeral is None or not {",", "."} & set(numeral["body"]):
        return BOTH
    body = numeral["body"]
    if _THREE_DIGITS.fullmatch(body) and numeral["exponent"]:
        return frozenset({Mark.POINT if "." in body else Mark.COMMA})
    forms = {Mark.POINT: body, Mark.COMMA: body.translate(_SWAPPED)}
    return frozenset(mark for mark, form in forms.items() if _POINT_FORM.fullmatch(form)) or BOTH


def mark_of(texts: Iterable[str], *, marked_by_locale: bool) -> Mark | None:
    """Return the decimal mark of a file.

    Args:
        texts: The cells that hold numbers.
        marked_by_locale: Whether the file may come from where the comma is the decimal mark, as one without commas
            between its cells may; elsewhere it is the point.

    Returns:
        None where the texts do not tell, or tell both: then each number has to tell for itself.
    """
    if not marked_by_locale:
        return Mark.POINT
    told = {mark for text in texts if len(marks := readings(text)) == 1 for mark in marks}
    return told.pop() if len(told) == 1 else None


def as_point(mark: Mark | None) -> Callable[[str], str]:
    """Return what turns a number of a file into the one form that quantities are read from."""

    def translate(text: str) -> str:
        if not _ANY_MARK.search(text):
            return text
        plain = _plain(text)
        if mark is None and _three_digits_after(plain) and readings(plain) == BOTH:
            raise QuantityError(_AMBIGUOUS)
        by_comma = mark is Mark.COMMA or (mark is None and readings(plain) == {Mark.COMMA})
        return plain.translate(_SWAPPED) if by_comma else plain

    return translate


def mixed(texts: Iterable[str]) -> tuple[str, str] | None:
    """Return two numbers of a column that have different decimal marks, or may have."""
    first: dict[str, str] = {}
    for text in filter(_ANY_MARK.search, texts):
        marks = readings(text)
        first.setdefault(_three_digits_after(_plain(text)) or (next(iter(marks)) if len(marks) == 1 else ""), text)
    pairs = ((first.get(one), first.get(other)) for one, other in ((".", ","), (Mark.POINT, Mark.COMMA)))
    return next(((one, other) for one, other in pairs if one and other), None)


def _three_digits_after(text: str) -> str:
    """Return the one mark of a number that has three digits after it, and so may be either."""
    numeral = _NUMERAL.fullmatch(text)
    three = _THREE_DIGITS.fullmatch(numeral["body"]) if numeral else None
    return three[1] if three else ""


def _plain(text: str) -> str:
    grouped = _GROUPED.match(text)
    if grouped:
        groups = grouped["groups"].replace(grouped["mark"], "")
        text = grouped["sign"] + groups + text[grouped.end() :]
    return text.translate(_SPACES)
