"""The readings of the primitives over whole arrays, where numpy has none that means what a spreadsheet means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]


def comparison(compare: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Return a comparison that answers yes (1), no (0), or nothing (NaN) where an operand has no figure."""

    def evaluate(left: Array, right: Array) -> Array:
        return np.where(np.isnan(left) | np.isnan(right), np.nan, compare(left, right))

    return evaluate


def divide(dividend: Array, divisor: Array) -> Array:
    """Return the quotient; none where the divisor is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.asarray(np.divide(dividend, divisor))
    without = np.equal(divisor, 0)
    return np.where(without, np.nan, quotient) if without.any() else quotient


def whole(value: Array) -> Array:
    """Nearest whole number as a spreadsheet rounds: halves away from zero, where ``rint`` would go to even."""
    towards_zero = np.trunc(value)
    is_half = 2 * np.abs(value - towards_zero) == 1
    return np.where(is_half, towards_zero + np.sign(value), np.rint(value))


def where(condition: Array, then: Array, otherwise: Array) -> Array:
    """Return ``then`` where the condition is yes, else ``otherwise``; nothing where it is neither."""
    chosen = np.where(condition == 1, then, otherwise)
    neither = np.isnan(condition)
    return np.where(neither, "" if chosen.dtype == object else np.nan, chosen) if neither.any() else chosen


def match(keys: Array, names: Array) -> Array:
    """Return the position of each key among the names, from 1, ignoring case; 0 where it is not there."""
    positions = {name.lower(): float(position) for position, name in reversed(list(enumerate(names.tolist(), 1)))}
    positions[""] = 0.0
    wanted = np.ravel(keys).tolist()
    position_of = {key: positions.get(key.lower(), 0.0) for key in set(wanted)}
    found = np.array([position_of[key] for key in wanted])
    return found.reshape(np.shape(keys))


def find(keys: Array, names: Array) -> Array:
    """Return the position of each key among the names, from 1, ignoring case; nothing where it is not there."""
    found = match(keys, names)
    return np.where(found > 0, found, np.nan)


def pick(rows: Array, column: Array, _key: Array) -> Array:
    """Return the column at each row, from 1; nothing at row 0."""
    absent: Any = "" if column.dtype == object else np.nan
    return np.concatenate((np.array([absent], dtype=column.dtype), column))[
        np.where(np.isnan(rows), 0, rows).astype(np.intp)
    ]


def choose(position: Array, *choices: Array) -> Array:
    """Return, at each row, the choice that ``position`` counts from 1; nothing where it counts none."""
    chosen = np.full(np.broadcast_shapes(*map(np.shape, (position, *choices))), np.nan)
    for number, choice in enumerate(choices, 1):
        np.copyto(chosen, choice, where=position == number)
    return chosen


def common_multiple(left: Array, right: Array) -> Array:
    """Return the least common multiple of whole numbers."""
    known = ~(np.isnan(left) | np.isnan(right))
    multiple = np.lcm(np.where(known, left, 1).astype(np.int64), np.where(known, right, 1).astype(np.int64))
    return np.where(known, multiple, np.nan)


def as_text(value: Array) -> Array:
    """Return texts as they are, and whole numbers without marks."""
    if value.dtype == object:
        return value
    texts: Array = np.vectorize(lambda number: f"{number:.15g}", otypes=[object])(value)
    return texts


def grouped(groups: Array, group: Array, value: Array) -> Array:
    """Return the sum of the values of each wanted group."""
    wanted, place = np.unique(group, return_inverse=True)
    totals = np.array([np.sum(value[groups == one]) for one in wanted])
    return np.asarray(totals[place].reshape(np.shape(group)))


def kth_smallest(value: Array, position: Array) -> Array:
    """Return the smallest number, the second smallest and so on; 0 where there are not so many."""
    ordered = np.append(np.sort(value[~np.isnan(value)]), 0.0)
    there = (position >= 1) & (position < len(ordered))
    return np.asarray(ordered[np.where(there, position - 1, len(ordered) - 1).astype(np.intp)])


def smallest_across(across: Array) -> Array:
    """Return the smallest of each row over the first axis; 0 where it has none."""
    smallest = np.min(np.where(np.isnan(across), np.inf, across), axis=0)
    return np.where(np.isinf(smallest), 0.0, smallest)


def is_text(value: Array, text: Array) -> Array:
    """Return where two texts are one, ignoring case."""
    return np.asarray(_lowered(value) == _lowered(text), dtype=np.float64)


_lowered = np.frompyfunc(str.lower, 1, 1)
