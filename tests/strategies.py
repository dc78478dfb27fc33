"""Random expression trees over a sheet of real magnitudes, and realistic plans.

Trees keep to what the calculation may write: comparisons and rounded quotients take whole operands, differences take
operands that float64 holds exactly, array sums take plain arithmetic. Within that everything meets everything, and
divisors are often zero.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from operator import add, ge, gt, le, lt, mul, sub, truediv
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from reportgen.arrays import Array
from reportgen.expression import Apply, At, Column, Counted, Expression, Missing, Number, Scalar, Sheet
from reportgen.functions import (
    NO,
    YES,
    absolute,
    both,
    ceil_div,
    choose,
    common_multiple,
    count,
    count_given_where,
    count_where,
    count_yes,
    counted,
    kth_smallest,
    maximum,
    minimum,
    place_across,
    rows,
    smallest_across,
    total,
    total_where,
    where,
    whole,
)
from reportgen.functions import given as is_given

Drawn = TypeVar("Drawn")

# --- the sheet the trees are about -------------------------------------------------------------------------------


class Trial(Sheet):
    """Columns of real magnitude; the last ones are what a plan may hold besides numbers."""

    title = "Trial"
    state_bytes = Column("1", "Whole, up to 10¹³.")
    card_bytes = Column("1", "Whole, up to 10¹¹.")
    parameters = Column("1", "Whole, up to 10¹².")
    degree = Column("1", "Whole, up to 8, often 0.")
    other_degree = Column("1", "Whole, up to 8, often 0.")
    gap = Column("1", "Whole, up to 8, or blank.")
    width = Column("1", "A dyadic fraction up to 8.")
    other_width = Column("1", "A dyadic fraction up to 8.")
    share = Column("1", "A decimal share up to 1.")
    fits = Column("yes or no", "Yes or no.")
    name = Column("text", "A text.")


class TrialScalars(Sheet):
    """Scalars, which formulas call by name."""

    title = "Scalars"
    bytes_in_gib = Scalar("1", "A large whole number.")
    reserve = Scalar("1", "A small decimal.")


SCALARS: Final = {TrialScalars.bytes_in_gib: 2.0**30, TrialScalars.reserve: 0.007}
ROWS: Final = 40
ACROSS: Final = (Trial.degree, Trial.other_degree, Trial.gap)
"""Neighbouring columns."""


def trial_values() -> dict[Column, Array]:
    """Return the sheet's rows, always the same ones."""
    drawn = random.Random(20260131)  # noqa: S311 - no secret

    def column(draw: Callable[[], Any], kind: type = float) -> Array:
        return np.array([draw() for _ in range(ROWS)], dtype=object if kind is str else np.float64)

    def magnitude(least: int, most: int) -> float:
        return float(int(10 ** drawn.uniform(least, most)))

    return {
        Trial.state_bytes: column(lambda: magnitude(9, 13)),
        Trial.card_bytes: column(lambda: magnitude(9, 11)),
        Trial.parameters: column(lambda: magnitude(6, 12)),
        Trial.degree: column(lambda: drawn.choice((0, 0, 1, 2, 3, 7, 8))),
        Trial.other_degree: column(lambda: drawn.choice((0, 0, 1, 2, 5, 6, 8))),
        Trial.width: column(lambda: drawn.choice((0, 0.125, 0.5, 1, 2, 4, 8))),
        Trial.other_width: column(lambda: drawn.choice((0.25, 0.5, 1, 2, 4, 6.125))),
        Trial.share: column(lambda: round(drawn.random(), 3)),
        Trial.gap: column(lambda: drawn.choice((np.nan, 0, 1, 2, 8))),
        Trial.fits: column(lambda: drawn.randint(0, 1)),
        Trial.name: column(lambda: drawn.choice(("adamw", "sgd")), str),
    }


# --- trees -------------------------------------------------------------------------------------------------------

DEPTH: Final = 3
LARGEST: Final = 1e14
"""Whole trees stay below this: there every whole quotient rounds up alike, and every sum is exact."""

NEVER: Final = Missing("never", "1")

Tree: TypeAlias = SearchStrategy[Expression]


def _either(*leaves: Expression) -> Tree:
    return st.sampled_from(leaves)


_SMALL: Final = _either(Trial.degree, Trial.other_degree, Number(0), Number(1), Number(2), Number(7))
_LARGE: Final = _either(
    At(Trial.state_bytes, 3), Trial.state_bytes, Trial.card_bytes, Trial.parameters, TrialScalars.bytes_in_gib
)
_WIDTHS: Final = _either(Trial.width, Trial.other_width, Number(0.5), Number(4))
_ANY: Final = st.one_of(
    _SMALL, _LARGE, _WIDTHS, _either(Trial.share, TrialScalars.reserve, Number(0.1), Number(1e-7), Number(1e13))
)


@cache
def wholes(limit: float = LARGEST, depth: int = DEPTH, *, signed: bool = True) -> Tree:
    """Return trees whose value is a whole number of at most ``limit``."""
    leaf = st.one_of(_SMALL, _LARGE) if limit >= 1e13 else _SMALL
    if depth == 0:
        return leaf
    half, alike, eighth = (wholes(bound, depth - 1, signed=signed) for bound in (limit / 2, limit, limit / 8))
    unsigned = wholes(limit, depth - 1, signed=False)
    branches = [
        leaf,
        st.builds(add, half, half),
        st.builds(mul, eighth, _SMALL),
        st.builds(mul, _SMALL, eighth),
        st.builds(minimum, alike, alike),
        st.builds(maximum, alike, alike),
        st.builds(absolute, wholes(limit, depth - 1)),
        st.builds(ceil_div, unsigned, unsigned),
        st.builds(ceil_div, unsigned, _SMALL),
        st.builds(lambda part: whole(part * Trial.share), unsigned),
        st.builds(where, conditions(depth - 1), alike, alike),
        st.builds(choose, _SMALL, alike, alike, alike, alike),
        st.builds(common_multiple, _SMALL, _SMALL),
        st.builds(place_across, _SMALL, st.just(ACROSS)),
        st.just(smallest_across(ACROSS)),
    ]
    if signed:
        branches += [
            st.builds(sub, half, half),
            st.builds(sub, half, half),
            st.builds(whole, dyadics(limit, depth - 1)),
        ]
    return st.one_of(branches)


@cache
def dyadics(limit: float = LARGEST, depth: int = DEPTH) -> Tree:
    """Return trees whose value is of at most ``limit`` and held exactly, in eighths or sixteenths."""
    if depth == 0:
        return st.builds(mul, wholes(limit / 8, 0), _WIDTHS)
    half = dyadics(limit / 2, depth - 1)
    return st.one_of(
        st.builds(mul, wholes(limit / 8, depth - 1), _WIDTHS),
        st.builds(add, half, half),
        st.builds(sub, half, half),
        st.builds(minimum, half, half),
    )


@cache
def numbers(depth: int = DEPTH) -> Tree:
    """Return trees whose value is any number that is not negative, or an error."""
    if depth == 0:
        return _ANY
    less = numbers(depth - 1)
    return st.one_of(
        _ANY,
        st.builds(add, less, less),
        st.builds(mul, less, less),
        st.builds(truediv, less, less),
        st.builds(truediv, less, less),
        st.builds(minimum, less, less),
        st.builds(maximum, less, less),
        st.builds(absolute, dyadics(depth=depth - 1)),
        wholes(depth=depth - 1, signed=False),
        st.builds(where, conditions(depth - 1), less, less),
        st.builds(lambda part, divisor: where(divisor > 0, part / divisor, part), less, _SMALL),
        st.builds(lambda part: counted(part, "card"), less),
        totals(),
    )


@cache
def conditions(depth: int = DEPTH) -> Tree:
    """Return trees whose value is yes, no or an error."""
    given_gap = st.just(is_given(Trial.gap))
    if depth == 0:
        return st.one_of(st.just(Trial.fits), given_gap)
    less = conditions(depth - 1)
    sides = st.one_of(wholes(depth=depth - 1), _SMALL)
    return st.one_of(
        *(st.builds(compare, sides, sides) for compare in (le, lt, ge, gt)),
        st.builds(both, less, less),
        st.builds(is_given, numbers(depth - 1)),
        st.builds(where, less, less, st.one_of(less, _either(YES, NO))),
        given_gap,
    )


@cache
def totals() -> Tree:
    """Return figures over whole columns."""
    columns = (Trial.state_bytes, Trial.parameters, Trial.degree, Trial.width, Trial.gap)
    return st.one_of(
        _either(*map(total, columns), count(Trial.gap), count_yes(Trial.fits), rows(Trial.name)),
        st.builds(kth_smallest, _either(*columns), _SMALL),
        st.builds(total_where, _either(Trial.degree), _SMALL, _either(*columns)),
        st.builds(count_where, _either(Trial.degree, Trial.gap), _SMALL),
        st.builds(count_given_where, _either(Trial.degree), _SMALL, _either(Trial.gap)),
    )


@cache
def sometimes() -> Tree:
    """Return trees that have no figure but a word where a condition fails."""
    figure = st.builds(lambda condition, part: where(condition, part, NEVER), conditions(1), numbers(1))
    return st.one_of(
        figure, st.builds(mul, figure, numbers(1)), st.builds(add, _LARGE, figure), st.builds(is_given, figure)
    )


def trees() -> Tree:
    """Return all trees."""
    return st.one_of(numbers(), wholes(), dyadics(), conditions(), totals(), sometimes())


def drawn(strategy: SearchStrategy[Drawn], examples: int) -> list[Drawn]:
    """Return that many examples, the same ones each time."""
    collected: list[Drawn] = []

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: Drawn) -> None:
        collected.append(example)

    collect()
    return collected


def rebuilt(tree: Expression) -> Expression:
    """Return the same tree with its primitives looked up anew."""
    if isinstance(tree, Counted):
        return Counted(rebuilt(tree.number), tree.unit)
    if isinstance(tree, Apply):
        return Apply(tree.name, *map(rebuilt, tree.operands))
    return tree


def primitives_in(tree: Expression) -> Iterator[str]:
    """Yield the name of each primitive of a tree."""
    if isinstance(tree, Counted):
        yield from primitives_in(tree.number)
    if isinstance(tree, Apply):
        yield tree.name
        for operand in tree.operands:
            yield from primitives_in(operand)


# --- plans -------------------------------------------------------------------------------------------------------


def realistic_plan(names: Mapping[str, Sequence[str]], jobs: int) -> str:
    """Return the CSV of a plan that uses every name of the catalogues, the same one each time.

    Args:
        names: The entries of each catalogue by its title, and the ``Sized models`` among the models.
        jobs: How many rows.
    """
    dice = random.Random(20260131)  # noqa: S311 - no secret
    lines = [_realistic_job(dice, number, names) for number in range(jobs)]
    text = io.StringIO()
    writer = csv.DictWriter(text, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _realistic_job(dice: random.Random, number: int, names: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return one job; half of them bring their own count of parameters, and optional cells are often empty."""
    model = dice.choice(names["Models"]) if dice.random() < 0.5 else ""
    sized = model in names["Sized models"]
    parameters = int(10 ** dice.uniform(6, 12))
    trainable = dice.choice(("", "", "5%", "12.5%", "33.3%", *(() if model else (parameters // 13 + 1,))))
    tensor, pipeline = dice.choice((1, 1, 2, 4, 8)), dice.choice((1, 1, 1, 2, 3, 4))
    work = dice.choice(("tokens", "hours", "neither"))
    batch = sized and dice.random() < 0.8

    def at_times(*choices: object) -> object:
        return dice.choice(("", *choices))

    return {
        "job": f"job {number}",
        "model": model or f"own {number}",
        "parameters": "" if model else parameters,
        "trainable_parameters": trainable,
        "lora_rank": at_times(8, 64) if sized and not trainable else "",
        "lora_targets": at_times("query-value", "attention", "all-linear"),
        "optimizer": names["Optimizers"][number % len(names["Optimizers"])],
        "recipe": names["Recipes"][number % len(names["Recipes"])],
        "hardware": dice.choice(names["Hardware"]),
        "zero_stage": dice.randint(0, 3),
        "tensor_parallel_degree": tensor,
        "pipeline_parallel_degree": pipeline,
        "cards": at_times(*(tensor * pipeline * replicas for replicas in (1, 2, 7, 8, 61, 1024))),
        "micro_batch_size": dice.choice((1, 2, 4)) if batch else "",
        "sequence_length": dice.choice((1024, 2048, 8192)) if batch else "",
        "block": at_times(dice.choice(names["Blocks"])),
        "sequence_parallel": at_times("yes", "no"),
        "interleaved_chunks": at_times(2),
        "recompute": at_times("none", "selective", "full"),
        "activation_bytes": at_times("", "", "12 GiB", "750 MB", 123456789),
        "tokens": int(10 ** dice.uniform(8, 13)) if work == "tokens" else "",
        "hours": dice.choice((1, 36, 719.5)) if work == "hours" else "",
        "start": at_times(date(2026, 1, 1) + timedelta(days=number % 365)),
        "owner": at_times("research", "=product", "#N/A"),
    }
