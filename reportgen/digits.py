"""All digits of a number, as files and messages write them."""

from __future__ import annotations

from typing import Final

WHOLE_BELOW: Final = 1e16
"""Below this a whole float is written digit by digit, from here on with an exponent."""


def all_digits(value: float) -> str:
    """Return a number so that it reads back as itself, without a point where it is whole."""
    return repr(value + 0.0).removesuffix(".0")
