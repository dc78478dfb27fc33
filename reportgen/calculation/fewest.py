"""How few cards hold what is sharded, and how many of them are planned: the one place for both rules."""

from __future__ import annotations

from reportgen.calculation.activations import NO_BYTES
from reportgen.expression import Expression, Missing
from reportgen.functions import NO, ceil_div, given, maximum, where

NEVER = "never"


def fewest_of_several(
    replica: Expression, room: Expression, sharded: Expression, resting: tuple[Expression, Expression]
) -> Expression:
    """Return the smallest multiple of a replica's cards at which what is sharded fits the room that the rest leaves.

    Two moments must fit: one with what comes and goes (already taken off the room), one with the step's temporaries
    in its place.
    """
    comes_and_goes, step = resting
    fewest = maximum(ceil_div(sharded, room), ceil_div(sharded + step, room + comes_and_goes))
    return where(room > NO_BYTES, replica * fewest, Missing(NEVER, "card"))


def fewest_cards(fits_whole: Expression, replica: Expression, several: Expression) -> Expression:
    """Return one replica's cards where it fits with nothing sharded, else those of several replicas."""
    return where(fits_whole, replica, several)


def planned_in_nodes(fewest: Expression, several: Expression, node: Expression, multiple: Expression) -> Expression:
    """Return the smallest number of cards in whole nodes and whole replicas, once it is more than one node.

    One replica that fits its cards stays alone where several would not fit theirs.
    """
    in_nodes = multiple * ceil_div(fewest, multiple)
    several_fit = where(given(several), in_nodes >= several, NO)
    rounded = where(several_fit, in_nodes, fewest)
    return where(given(fewest), where(fewest <= node, fewest, rounded), Missing(NEVER, "card"))
