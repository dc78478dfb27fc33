"""The best of each group, kept while combinations pass: no more of them at any moment than twice what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from reportgen.arrays import Array
from reportgen.expression import Column
from reportgen.sweeping.space import Block

_BUFFER: Final = 1 << 16
"""Combinations that are collected before they are ranked."""


class Best:
    """The combinations with the smallest figures in each group, first come first where figures are the same."""

    def __init__(self, score: Column, shape: Sequence[int], per: Sequence[int], top: int, *, largest: bool) -> None:
        """Begin with none.

        Args:
            score: The figure that decides.
            shape: Length of each dimension.
            per: The dimensions whose every combination is a group.
            top: How many of each group.
            largest: Take the largest figures in place of the smallest.
        """
        self.score, self.unranked = score, 0
        self._largest, self._top = largest, top
        self._per = sorted(set(per))
        lengths = [shape[place] for place in self._per]
        self._strides = [prod(lengths[place + 1 :]) for place in range(len(lengths))]
        self._worst = np.full(prod(lengths), np.inf)
        self._found: list[tuple[Array, Array, Array]] = []
        self._waiting = 0
        self._ranked = 0

    def offer(self, block: Block, kept: Array) -> None:
        """Take what is better than what is there already.

        Args:
            block: Combinations that come after all that were offered before.
            kept: Which of them to consider, along the dimensions that this depends on.
        """
        figures = block.figures(self.score)
        figures = -figures if self._largest else figures
        self.unranked += block.times(kept & np.isnan(figures))
        groups = self._groups(block)
        better = kept & (figures < self._worst[groups])
        if better.any():
            places = np.flatnonzero(block.spread(better))
            taken = (block.spread(groups)[places], block.spread(figures)[places], places + block.start)
            self._found.append(taken)
            self._waiting += len(places)
        if self._waiting > max(_BUFFER, self._ranked):
            self._rank()

    def numbers(self) -> Array:
        """Return the numbers of the best combinations: group by group, the best first."""
        self._rank()
        return self._found[0][2] if self._found else np.empty(0, dtype=np.int64)

    def _groups(self, block: Block) -> Array:
        groups = np.zeros((1,) * len(block.slices), dtype=np.int64)
        for place, stride in zip(self._per, self._strides, strict=True):
            part = block.slices[place]
            along = tuple(-1 if one == place else 1 for one in range(len(block.slices)))
            groups = groups + np.arange(part.start, part.stop).reshape(along) * stride
        return groups

    def _rank(self) -> None:
        if not self._found:
            return
        groups, figures, numbers = map(np.concatenate, zip(*self._found, strict=True))
        order = np.lexsort((numbers, figures, groups))
        groups, figures, numbers = groups[order], figures[order], numbers[order]
        begins = np.flatnonzero(np.diff(groups, prepend=-1))
        rank = np.arange(len(groups)) - np.repeat(begins, np.diff(begins, append=len(groups)))
        last = rank == self._top - 1
        self._worst[groups[last]] = figures[last]
        stay = rank < self._top
        self._found = [(groups[stay], figures[stay], numbers[stay])]
        self._waiting, self._ranked = 0, int(np.count_nonzero(stay))
