"""One column of a file: its texts become values by the column's unit, choices, bounds and default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from reportgen.arrays import Array, coded
from reportgen.calculation.catalogues import AssumptionRows
from reportgen.calculation.declare import Bounds, Input
from reportgen.errors import Problem, kept, quoted
from reportgen.reading.marks import Mark, as_point, has_marks, readings
from reportgen.reading.quantities import (
    QuantityError,
    parse_count,
    parse_date,
    parse_memory,
    parse_number,
    parse_share,
)
from reportgen.units import BYTES_IN, DATE, TEXT, YES_NO

AS_STATED: Final = "as stated"
"""The unit of a number whose row names its unit."""
_SPELLINGS = {"true": "yes", "false": "no"}


def read_column(
    file: str, column: Input, texts: tuple[str, ...], lines: tuple[int, ...], mark: Mark | None = Mark.POINT
) -> tuple[Array, list[Problem]]:
    """Return a column's values and its problems; each distinct text is parsed once.

    Args:
        file: The file's name, for problems only.
        column: What the cells mean.
        texts: The cells, one a row.
        lines: The line of each row.
        mark: The decimal mark of the file; None where each number has to tell.

    Returns:
        float64 with NaN for an empty cell, or texts; a cell with a problem counts as empty.
    """
    distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    parse = _parser(column, as_point(mark) if has_marks(distinct) else str)
    absent: Any = "" if _holds_text(column) else np.nan
    parsed: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for text in distinct:
        try:
            if text:
                parsed[text] = parse(text)
            else:
                parsed[text] = default_of(column)
                if column.required:
                    wrong[text] = "a name" if column.unit == TEXT else str(column.bounds)
        except QuantityError as error:
            parsed[text], wrong[text] = absent, str(error) + _other_mark(text, mark)
    kind = object if _holds_text(column) else np.float64
    if len(distinct) == 1:
        places = np.zeros(len(texts), np.intp)
    else:
        places = np.fromiter(map(distinct.__getitem__, texts), np.intp, len(texts))
    meant = list(parsed.values())
    values: Array = np.array(meant, dtype=kind)[places]
    if kind is object:
        coded.keep(values, (places, meant))
    return values, kept(_wrong_cells(file, column, texts, lines, wrong))


def absent_column(column: Input, rows: int) -> Array:
    """Return the values of a column that a file does not have."""
    return np.full(rows, default_of(column), dtype=object if _holds_text(column) else np.float64)


def holds_numbers(column: Input) -> bool:
    """Return whether the cells of a column are numbers as people write them."""
    return column.unit == AS_STATED or not (column.choices or column.unit == DATE or _holds_text(column))


def _wrong_cells(
    file: str, column: Input, texts: tuple[str, ...], lines: tuple[int, ...], wrong: dict[str, str]
) -> Iterator[Problem]:
    if wrong:
        for text, line in zip(texts, lines, strict=True):
            if text in wrong:
                yield Problem(file, line, column.name, quoted(text) if text else "an empty cell", wrong[text])


def _other_mark(text: str, mark: Mark | None) -> str:
    """Return the option under which a text would be a number, where that is the other one."""
    fitting = readings(text)
    return "" if mark is None or mark in fitting else f", or --decimal {next(iter(fitting))}"


def default_of(column: Input) -> float | str:
    """Return what an empty cell of a column means; NaN or the empty text for nothing."""
    if isinstance(column.default, str) and column.default:
        value: float | str = _parser(column, str)(column.default)
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


def _parser(column: Input, translate: Callable[[str], str]) -> Callable[[str], Any]:
    if column.choices:
        return _choice(column.choices)
    if column.unit == DATE:
        return parse_date
    if column.unit == AS_STATED:
        return translate
    if _holds_text(column):
        return str
    parse = number_parser(column.unit, column.bounds, percent=column.percent)
    return lambda text: parse(translate(text))


def _choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        choice = text.casefold()
        choice = choice if choice in choices else _SPELLINGS.get(choice, choice)
        if choice not in choices:
            raise QuantityError("one of " + ", ".join(choices))
        return choice

    return parse
