"""The rows of the plan: a name for each combination and its cells, joined from texts that are made once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import prod
from typing import Final

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.plan import Plan
from reportgen.parquet import Rows
from reportgen.reading.canonical import csv_line
from reportgen.sweeping.axes import Axis

_JOINED: Final = 1 << 12
"""How many texts of several axes together are made beforehand, at most."""


class _Joined:
    """The texts of several axes, one after the other, for any combination."""

    def __init__(self, parts: Iterable[Sequence[str]]) -> None:
        self._bundles: list[list[str]] = [[""]]
        for texts in parts:
            if len(self._bundles[-1]) * len(texts) > _JOINED:
                self._bundles.append([""])
            self._bundles[-1] = [before + text for before in self._bundles[-1] for text in texts]

    def pieces(self, numbers: Array) -> list[Iterator[str]]:
        """Return, for each bundle of axes, the text of each combination."""
        found = list[Iterator[str]]()
        for bundle in reversed(self._bundles):
            numbers, places = np.divmod(numbers, len(bundle))
            found.append(map(bundle.__getitem__, places.tolist()))
        return found[::-1]


class PlanRows:
    """What any combination is as a row of a plan."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        """Make the texts of each axis."""
        self._axes = axes
        varying = [axis for axis in axes if len(axis) > 1]
        mark = _divider([label for axis in varying for label in axis.labels])
        names = [[mark * bool(place) + label for label in axis.labels] for place, axis in enumerate(varying)]
        quotes = _escaped("".join(text for texts in names for text in texts)) != ""
        cells = [["," + csv_line([text])[:-1] for text in axis.texts] for axis in axes]
        edge = ['"'] if quotes else [""]
        escaped = [[text.replace('"', '""') for text in texts] for texts in names] if quotes else names
        self._names = _Joined(names)
        self._lines = _Joined([edge, *escaped, edge]), _Joined([*cells, ["\n"]])

    @property
    def header(self) -> str:
        """The first line of the CSV."""
        return csv_line([Plan.job.name, *(axis.column.name for axis in self._axes)])

    @property
    def texts(self) -> Mapping[str, Sequence[str]]:
        """The distinct texts of each column but the names."""
        return {axis.column.name: axis.texts for axis in self._axes}

    def lines(self, numbers: Array) -> str:
        """Return the lines of the CSV for combinations of these numbers."""
        names, cells = self._lines
        pieces = zip(*names.pieces(numbers), *cells.pieces(numbers), strict=True)
        return "".join(map("".join, pieces))

    def places(self, numbers: Array) -> Rows:
        """Return the names of combinations, and for each column the place of each cell among its texts."""
        names = list(map("".join, zip(*self._names.pieces(numbers), strict=True)))
        lengths = list(map(len, self._axes))
        strides = [prod(lengths[place + 1 :]) for place in range(len(lengths))]
        return names, [numbers // stride % length for stride, length in zip(strides, lengths, strict=True)]


def _divider(labels: Sequence[str]) -> str:
    """Return a mark that stands in no label, so that no two combinations have one name."""
    said = "\n".join(f" {label} " for label in labels)
    return next(mark for times in count(1) if (mark := f" {'/' * times} ") not in said)


def _escaped(text: str) -> str:
    """Return a text as CSV quotes it, and nothing where it needs no quotes."""
    line = csv_line([text])[:-1]
    return line if line != text else ""
