"""The catalogues and assumptions: what each column of an input file means, its unit and its bounds."""

from __future__ import annotations

from dataclasses import dataclass, field

from reportgen.expression import Column, Scalar, Sheet
from reportgen.units import DATE, GB, GIB, MIB, TEXT, YES_NO


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
            parts.append(f"more than {self.above:,g}")
        elif self.least is not None:
            parts.append(f"at least {self.least:,g}")
        if self.most is not None:
            parts.append(f"at most {self.most:,g}")
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
COUNT = Bounds(least=1, whole=True)
SHARE = Bounds(least=0, most=1)
BELOW_ONE = Bounds(least=0, most=0.99)


@dataclass(eq=False, kw_only=True)
class Input(Column):
    """A column that a user fills in.

    ``default`` stands for an empty cell, in the file's own words. ``names`` is the catalogue column whose entries the
    cell holds; where ``free`` is set it may hold others too. ``also`` are other headers that mean this column.
    """

    default: str = ""
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


class Models(Sheet):
    """Public models and their parameter counts; a job names a row, or brings its own count."""

    title = "Models"
    model = Input(TEXT, "Name of the model.", required=True)
    parameters = Input("parameter", "Parameters, tied weights counted once.", required=True, bounds=COUNT)
    source = Input(TEXT, "Where the row comes from.")


class Optimizers(Sheet):
    """How many values an optimizer keeps for each trainable parameter, and how wide they are."""

    title = "Optimizers"
    optimizer = Input(TEXT, "Name of the optimizer.", required=True)
    moments_per_parameter = Input(
        "value/parameter", "Values kept for each trainable parameter: 0 SGD, 1 momentum, 2 Adam.", required=True
    )
    moment_width = Input("byte/value", "Bytes of one kept value; empty where the recipe decides.")
    keeps_master = Input(
        YES_NO, "Whether the recipe's master copies are kept with this optimizer.", default="yes", choices=("yes", "no")
    )
    source = Input(TEXT, "Where the row comes from.")


class Recipes(Sheet):
    """Which numbers training holds, in which width: five widths, because bytes per parameter are a set."""

    title = "Recipes"
    recipe = Input(TEXT, "Name of the recipe.", required=True)
    parameter_width = Input("byte/parameter", "Bytes of one parameter as the layers compute with it.", required=True)
    gradient_width = Input("byte/parameter", "Bytes of one gradient.", required=True)
    master_weight_width = Input("byte/parameter", "Bytes of the master copy of one parameter; 0 for none.", default="0")
    master_gradient_width = Input(
        "byte/parameter", "Bytes of the master copy of one gradient; 0 for none.", default="0"
    )
    moment_width = Input("byte/value", "Bytes of one value that the optimizer keeps.", required=True)
    source = Input(TEXT, "Where the row comes from.")


class Hardware(Sheet):
    """Cards with the memory on their label and the memory their driver reports; never one taken for the other."""

    title = "Hardware"
    hardware = Input(TEXT, "Name of the card.", required=True)
    vendor = Input(TEXT, "Who makes the card.")
    label_memory = Input("GB", "Memory on the card's label, read as 10⁹ bytes.", required=True, bounds=POSITIVE)
    reported_memory = Input("MiB", "Memory that the driver reports; empty where unknown.", bounds=POSITIVE)
    cards_per_node = Input("card/node", "Cards in one node.", default="8", bounds=COUNT)
    peak_flops = Input("FLOP/s", "Dense 16-bit peak rate of one card.", bounds=POSITIVE)
    watts = Input("W", "Power limit of one card.", bounds=POSITIVE)
    price_per_card_hour = Input("USD/card/hour", "Rent of one card for one hour.")
    price_per_card = Input("USD/card", "Purchase price of one card.")
    price_date = Input(DATE, "Day on which the prices were read.")
    source = Input(TEXT, "Where the row comes from.")


class AssumptionRows(Sheet):
    """Every scalar that a figure rests on, with its range and its source; change it here and all figures follow."""

    title = "Assumptions"
    name = Input(TEXT, "Name of the assumption; formulas use it.", required=True)
    value = Input("as stated", "The value that the figures use.", required=True)
    unit = Input(TEXT, "Unit of the value.", required=True)
    low = Input("as stated", "Lower end of the plausible range.")
    high = Input("as stated", "Upper end of the plausible range.")
    source = Input(TEXT, "Where the value comes from.")


class Assumptions(Sheet):
    """The assumptions as formulas refer to them: by name."""

    title = "Assumptions"
    inference_width = Assumption(
        "byte/parameter", "Bytes of one parameter when the model only answers.", bounds=POSITIVE
    )


class Constants(Sheet):
    """What nobody may change: the sizes of the units, so that no formula holds a typed number."""

    title = "Assumptions"
    bytes_per_gb = Constant("byte/GB", "Bytes in a gigabyte, 10⁹.", value=GB)
    bytes_per_gib = Constant("byte/GiB", "Bytes in a gibibyte, 2³⁰.", value=GIB)
    bytes_per_mib = Constant("byte/MiB", "Bytes in a mebibyte, 2²⁰.", value=MIB)
    check_tolerance = Constant("1", "Relative difference up to which two figures of a check are one.", value=1e-12)
