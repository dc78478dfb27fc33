"""Every combination of the axes, in blocks: in each, a column has only as many values as its own axes make different.

An axis is a dimension. A figure that depends on two of five axes is an array of two long dimensions and three of length
one, so that it is computed once for each pair and not once for each combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, prod
from typing import Final

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import evaluate_on_demand
from reportgen.calculation.plan import Plan
from reportgen.expression import Column, Expression
from reportgen.reading.columns import absent_column
from reportgen.readings import leaves
from reportgen.sweeping.axes import Axis

BLOCK: Final = 1 << 18
"""Combinations that are looked at together."""


@dataclass(frozen=True)
class Block:
    """Neighbouring combinations: the first one's number, what part of each dimension they take, what is known."""

    start: int
    slices: tuple[slice, ...]
    values: dict[Column, Array]

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each dimension."""
        return tuple(part.stop - part.start for part in self.slices)

    @property
    def size(self) -> int:
        """How many combinations it has."""
        return prod(self.shape)

    def figures(self, expression: Expression) -> Array:
        """Return the values of an expression, along the dimensions that it depends on; the others have length one."""
        return evaluate_on_demand(expression, self.values)

    def times(self, held: Array) -> int:
        """Return for how many combinations something holds that is said along some dimensions only."""
        return int(np.count_nonzero(held)) * (self.size // held.size)

    def spread(self, figures: Array) -> Array:
        """Return figures as one value for each combination, in order."""
        return np.broadcast_to(figures, self.shape).reshape(-1)


class Space:
    """All combinations; the last axis changes fastest."""

    def __init__(self, axes: Sequence[Axis], given: Mapping[Column, Array], block: int = BLOCK) -> None:
        """Lay out the axes.

        Args:
            axes: The columns of the grid; those that vary become dimensions.
            given: What is known beside the plan: catalogues, assumptions, constants.
            block: At most how many combinations there are in a block.
        """
        self.axes = tuple(axis for axis in axes if len(axis) > 1)
        self.shape = tuple(map(len, self.axes)) or (1,)
        self._given, self._block = given, block
        self._columns = _absent(len(self.shape))
        self._dimension = {column: place for place, axis in enumerate(self.axes) for column in axis.values}
        for axis in axes:
            for column, values in axis.values.items():
                self._columns[column] = values.reshape(self._along(self._dimension.get(column, 0), len(axis)))

    def __len__(self) -> int:
        return prod(self.shape)

    def blocks(self) -> Iterator[Block]:
        """Yield all combinations in order; what changes in no block is computed in the first one alone."""
        cut = next(place for place in range(len(self.shape)) if prod(self.shape[place + 1 :]) <= self._block)
        most = max(1, self._block // prod(self.shape[cut + 1 :]))
        step = ceil(self.shape[cut] / ceil(self.shape[cut] / most))
        moving = frozenset(column for column, place in self._dimension.items() if place <= cut)
        kept, start = dict(self._given), 0
        for outer in np.ndindex(self.shape[:cut]):
            for first in range(0, self.shape[cut], step):
                slices = (
                    *(slice(place, place + 1) for place in outer),
                    slice(first, min(first + step, self.shape[cut])),
                    *(slice(0, length) for length in self.shape[cut + 1 :]),
                )
                block = Block(start, slices, kept | self._cut(slices))
                yield block
                if start == 0:
                    kept |= {one: found for one, found in block.values.items() if not _origins(one) & moving}
                start += block.size

    def _along(self, dimension: int, length: int) -> tuple[int, ...]:
        return tuple(length if place == dimension else 1 for place in range(len(self.shape)))

    def _cut(self, slices: tuple[slice, ...]) -> dict[Column, Array]:
        return {
            column: values[
                tuple(
                    part if place == self._dimension.get(column) else slice(None) for place, part in enumerate(slices)
                )
            ]
            for column, values in self._columns.items()
        }


def _absent(dimensions: int) -> dict[Column, Array]:
    return {
        column: absent_column(column, 1).reshape((1,) * dimensions)
        for column in Plan.columns
        if isinstance(column, Input)
    }


@cache
def _origins(column: Column) -> frozenset[Column]:
    """Return the columns of the plan that a column depends on."""
    if column.definition is None:
        return frozenset({column})
    return frozenset().union(*(_origins(one) for one in leaves(column.definition)))
