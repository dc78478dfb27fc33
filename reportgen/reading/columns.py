"""One column of a file: its texts become values by the column's unit, choices, bounds and default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.catalogues import AssumptionRows
from reportgen.calculation.declare import Bounds, Input
from reportgen.errors import Problem
from reportgen.reading.quantities import (
    QuantityError,
    parse_count,
    parse_date,
    parse_memory,
    parse_number,
    parse_share,
)
from reportgen.units import BYTES_IN, DATE, TEXT, YES_NO

_SPELLINGS = {"true": "yes", "false": "no"}


def read_column(
    file: str, column: Input, texts: tuple[str, ...], lines: tuple[int, ...]
) -> tuple[Array, list[Problem]]:
    """Return a column's values and its problems; each distinct text is parsed once.

    Args:
        file: The file's name, for problems only.
        column: What the cells mean.
        texts: The cells, one a row.
        lines: The line of each row.

    Returns:
        float64 with NaN for an empty cell, or texts; a cell with a problem counts as empty.
    """
    parse = _parser(column)
    absent: Any = "" if _holds_text(column) else np.nan
    parsed: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        meant = text or (column.default if isinstance(column.default, str) else "")
        try:
            parsed[text] = parse(meant) if meant else absent
            if not meant and column.required:
                wrong[text] = "a name" if column.unit == TEXT else str(column.bounds)
        except QuantityError as error:
            parsed[text], wrong[text] = absent, str(error)
    problems = [
        Problem(file, line, column.name, repr(text) if text else "an empty cell", wrong[text])
        for text, line in zip(texts, lines, strict=True)
        if wrong and text in wrong
    ]
    return np.array([parsed[text] for text in texts], dtype=object if _holds_text(column) else np.float64), problems


def default_of(column: Input) -> float | str:
    """Return what an empty cell of a column means; NaN or the empty text for nothing."""
    if isinstance(column.default, str) and column.default:
        value: float | str = _parser(column)(column.default)
        return value
    return "" if _holds_text(column) else np.nan


def empty_rows(values: Array) -> list[int]:
    """Return the positions of the empty cells of a column."""
    empty: list[int] = np.flatnonzero(values == "" if values.dtype == object else np.isnan(values)).tolist()
    return empty


def fill_default(values: Array, default: Array) -> Array:
    """Return a column's values with each empty one replaced."""
    return np.where(values == "" if values.dtype == object else np.isnan(values), default, values)


def number_parser(unit: str, bounds: Bounds, *, percent: bool) -> Callable[[str], float]:
    """Return the reader of numbers of a unit within bounds."""
    parse = _unbounded(unit, percent=percent)

    def parse_within(text: str) -> float:
        value = parse(text)
        if not bounds.admits(value):
            raise QuantityError(str(bounds))
        return value

    return parse_within


def _unbounded(unit: str, *, percent: bool) -> Callable[[str], float]:
    if unit in ("parameter", "token"):
        return parse_count
    if unit in BYTES_IN:
        return parse_memory(unit)
    return parse_share if percent else parse_number


def _holds_text(column: Input) -> bool:
    return column.unit in (TEXT, YES_NO) or column.sheet is AssumptionRows


def _parser(column: Input) -> Callable[[str], Any]:
    if column.choices:
        return _choice(column.choices)
    if column.unit == DATE:
        return parse_date
    if _holds_text(column):
        return str
    return number_parser(column.unit, column.bounds, percent=column.percent)


def _choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        choice = text.casefold()
        choice = choice if choice in choices else _SPELLINGS.get(choice, choice)
        if choice not in choices:
            raise QuantityError("one of " + ", ".join(choices))
        return choice

    return parse
