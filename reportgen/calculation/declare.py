"""The kinds of declared columns: what a user fills in, what a user may assume, what nobody may change."""

from __future__ import annotations

from dataclasses import dataclass, field

from reportgen.expression import Column, Expression, Scalar


@dataclass(frozen=True)
class Bounds:
    """What a number may be: from ``least`` to ``most``, or more than ``above``; whole where ``whole`` is set."""

    least: float | None = 0
    most: float | None = None
    above: float | None = None
    whole: bool = False

    def __str__(self) -> str:
        parts = []
        if self.above is not None:
            parts.append(f"more than {self.above:,.15g}")
        elif self.least is not None:
            parts.append(f"at least {self.least:,.15g}")
        if self.most is not None:
            parts.append(f"at most {self.most:,.15g}")
        return ("a whole number " if self.whole else "a number ") + " and ".join(parts)

    def admits(self, value: float) -> bool:
        """Return whether the number is within the bounds."""
        return (
            (self.above is None or value > self.above)
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (not self.whole or value == int(value))
        )


POSITIVE = Bounds(above=0)
WHOLE = Bounds(whole=True)
COUNT = Bounds(least=1, whole=True)
PARAMETERS = Bounds(least=1, most=25e12, whole=True)
PART = Bounds(least=None, above=0, most=1)
SHARE = Bounds(least=0, most=1)
BELOW_ONE = Bounds(least=0, most=0.99)


@dataclass(eq=False, kw_only=True)
class Input(Column):
    """A column that a user fills in.

    ``default`` stands for an empty cell: a text in the file's own words, or an expression over earlier columns.
    ``names`` is the catalogue column whose entries the cell holds; where ``free`` is set it may hold others too.
    ``also`` are other headers that mean this column.
    """

    default: str | Expression = ""
    required: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    choices: tuple[str, ...] = ()
    names: Column | None = None
    free: bool = False
    also: tuple[str, ...] = ()


@dataclass(eq=False, kw_only=True)
class Assumption(Scalar):
    """A scalar that a user may change: one row of assumptions.csv."""

    bounds: Bounds = field(default_factory=Bounds)


@dataclass(eq=False, kw_only=True)
class Constant(Scalar):
    """A scalar that nobody may change."""

    value: float = 0
