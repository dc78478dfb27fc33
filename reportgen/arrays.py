"""The readings of the primitives over whole arrays, where numpy has none that means what a spreadsheet means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeAlias, TypeVar
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

HALF: Final = 0.5
_Result = TypeVar("_Result")


class _Kept(Generic[_Result]):
    """A function of an array that keeps its results, each as long as there is the array, which must not change."""

    def __init__(self, function: Callable[[Array], _Result]) -> None:
        self._function = function
        self._results: dict[int, _Result] = {}

    def __call__(self, array: Array) -> _Result:
        if id(array) not in self._results:
            self.keep(array, self._function(array))
        return self._results[id(array)]

    def known(self, array: Array) -> _Result | None:
        """Return the result for an array where it is there already."""
        return self._results.get(id(array))

    def keep(self, array: Array, result: _Result) -> None:
        """Take the result for an array from someone who knows it already."""
        self._results[id(array)] = result
        finalize(array, self._results.pop, id(array)).atexit = False


def comparison(compare: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """Return a comparison that answers yes (1), no (0), or nothing (NaN) where an operand has no figure."""

    def evaluate(left: Array, right: Array) -> Array:
        return np.where(np.isnan(left) | np.isnan(right), np.nan, compare(left, right))

    return evaluate


def divide(dividend: Array, divisor: Array) -> Array:
    """Return the quotient; none where the divisor is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.asarray(np.divide(dividend, divisor))
    none = divisor == 0
    return np.where(none, np.nan, quotient) if np.any(none) else quotient


def whole(value: Array) -> Array:
    """Nearest whole number as a spreadsheet rounds: halves away from zero, where ``rint`` would go to even."""
    towards_zero = np.trunc(value)
    is_half = np.abs(value - towards_zero) == HALF
    rounded = np.asarray(np.rint(value))
    return np.where(is_half, towards_zero + np.sign(value), rounded) if np.any(is_half) else rounded


def where(condition: Array, then: Array, otherwise: Array) -> Array:
    """Return ``then`` where the condition is yes, else ``otherwise``; nothing where it is neither."""
    chosen = np.where(condition == 1, then, otherwise)
    neither = np.isnan(condition)
    return np.where(neither, "" if chosen.dtype == object else np.nan, chosen) if np.any(neither) else chosen


@_Kept
def coded(texts: Array) -> tuple[Array, list[str]]:
    """Return the different texts of an array, and for each of its places which of them stands there, counted from 0."""
    listed = texts.ravel().tolist()
    places = {text: place for place, text in enumerate(dict.fromkeys(listed))}
    codes = np.fromiter(map(places.__getitem__, listed), np.intp, len(listed))
    return codes.reshape(texts.shape), list(places)


def part(array: Array, some: slice) -> Array:
    """Return some rows of an array; what is known of its texts is known of theirs."""
    rows = array[some]
    if known := coded.known(array):
        coded.keep(rows, (known[0][some], known[1]))
    return rows


def put(rows: Array, array: Array, some: slice) -> Array:
    """Put rows into their place in an array and return them there; what is known of their texts stays known."""
    there = array[some]
    there[...] = rows
    if rows.shape == there.shape and (known := coded.known(rows)):
        coded.keep(there, known)
    return there


def match(keys: Array, names: Array) -> Array:
    """Return the position of each key among the names, from 1, ignoring case; 0 where it is not there."""
    places, texts = coded(names)
    first = np.full(len(texts), np.inf)
    first[places[::-1]] = np.arange(float(len(names)), 0.0, -1.0)
    positions: dict[str, float] = {}
    for name, position in zip(map(str.lower, texts), first.tolist(), strict=True):
        positions[name] = min(position, positions.get(name, position))
    positions[""] = np.inf
    codes, wanted = coded(keys)
    found = np.array([positions.get(key.lower(), np.inf) for key in wanted])
    return np.where(np.isinf(found), 0.0, found)[codes]


def find(keys: Array, names: Array) -> Array:
    """Return the position of each key among the names, from 1, ignoring case; nothing where it is not there."""
    found = match(keys, names)
    return np.where(found > 0, found, np.nan)


def pick(rows: Array, column: Array, _key: Array) -> Array:
    """Return the column at each row, from 1; nothing at row 0."""
    absent: Any = "" if column.dtype == object else np.nan
    picked: Array = np.concatenate((np.array([absent], dtype=column.dtype), column))[_row_numbers(rows)]
    if column.dtype == object:
        coded.keep(picked, (_row_numbers(rows), [absent, *column.tolist()]))
    return picked


@_Kept
def _row_numbers(rows: Array) -> Array:
    return np.where(np.isnan(rows), 0, rows).astype(np.intp)


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


def joined(left: Array, right: Array) -> Array:
    """Return two texts, or whole numbers, one after the other, without marks."""
    (before, firsts), (after, seconds) = _texts(left), _texts(right)
    pairs, places = np.unique(before * len(seconds) + after, return_inverse=True)
    texts = [firsts[pair // len(seconds)] + seconds[pair % len(seconds)] for pair in pairs.tolist()]
    return np.array(texts, dtype=object)[places.reshape(np.broadcast_shapes(left.shape, right.shape))]


def _texts(value: Array) -> tuple[Array, list[str]]:
    """Return the distinct texts of an array of texts or numbers, and for each place which of them stands there."""
    if value.dtype == object:
        return coded(value)
    numbers, places = np.unique(value, return_inverse=True)
    return places.reshape(value.shape), [f"{number:.15g}" for number in numbers.tolist()]


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
    numbers: dict[str, int] = {}

    def lowered(texts: Array) -> Array:
        codes, distinct = coded(texts)
        return np.array([numbers.setdefault(one.lower(), len(numbers)) for one in distinct])[codes]

    return np.asarray(lowered(value) == lowered(text), dtype=np.float64)
