"""Units: GB and GiB told apart, and the algebra that derives a column's unit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Final

KB: Final = 10**3
MB: Final = 10**6
GB: Final = 10**9
TB: Final = 10**12
KIB: Final = 2**10
MIB: Final = 2**20
GIB: Final = 2**30
TIB: Final = 2**40

BYTES_IN: Final = {
    "byte": 1,
    "kB": KB,
    "MB": MB,
    "GB": GB,
    "TB": TB,
    "KiB": KIB,
    "MiB": MIB,
    "GiB": GIB,
    "TiB": TIB,
}
"""Bytes in each unit of memory: decimal without an i, binary with one."""

TEXT: Final = "text"
YES_NO: Final = "yes or no"
DATE: Final = "date"
ROW: Final = "row"
"""Kinds of column that are no quantity."""


DAY_ZERO: Final = date(1899, 12, 30)
EARLIEST_DAY: Final = date(1900, 3, 1)
"""Dates are numbers of days since ``DAY_ZERO``, as spreadsheets count; before March 1900 they disagree."""

COUNTS: Final = frozenset({"1", "card", "node", "job"})
"""Names for pure numbers: they tell a reader what is counted and do not take part in the algebra."""


class UnitError(ValueError):
    """An expression adds, compares or chooses between unlike units."""


@dataclass(frozen=True)
class Unit:
    """A product of named units with whole powers; no names is the pure number."""

    powers: tuple[tuple[str, int], ...]

    @classmethod
    def parse(cls, text: str) -> Unit:
        """Return the unit written as ``a*b/c``; counts are pure numbers."""
        powers: Counter[str] = Counter()
        for position, part in enumerate(text.split("/")):
            for name in part.replace("kWh", "kW*hour").split("*"):
                powers[name] += -1 if position else 1
        return cls._of(powers)

    @classmethod
    def _of(cls, powers: Counter[str]) -> Unit:
        return cls(tuple(sorted((name, power) for name, power in powers.items() if power and name not in COUNTS)))

    def __mul__(self, other: Unit) -> Unit:
        return self._combine(other, 1)

    def __truediv__(self, other: Unit) -> Unit:
        return self._combine(other, -1)

    def _combine(self, other: Unit, sign: int) -> Unit:
        powers = Counter(dict(self.powers))
        for name, power in other.powers:
            powers[name] += sign * power
        return self._of(powers)

    def __str__(self) -> str:
        above = "*".join(name for name, power in self.powers for _ in range(power))
        below = "".join(f"/{name}" for name, power in self.powers for _ in range(-power))
        return (above or "1") + below


def same(*units: Unit) -> Unit:
    """Return the one unit that all operands share.

    Raises:
        UnitError: If they differ.
    """
    if len(set(units)) != 1:
        raise UnitError("unlike units: " + ", ".join(map(str, units)))
    return units[0]
