"""Each unit that is declared follows from the definition; what has no unit in common cannot be added."""

from __future__ import annotations

import pytest
from books import SMALL_PLAN, read_texts, small_catalogues

from reportgen.calculation.analysis import analyse
from reportgen.calculation.checks import CHECKS, Check
from reportgen.calculation.ledger import calculate
from reportgen.expression import Column, Expression, Number, Sheet
from reportgen.functions import ceil_div, given, maximum, where
from reportgen.readings import unit_of
from reportgen.units import Unit, UnitError


class Sample(Sheet):
    """Columns with units, to be put together by hand."""

    title = "Sample"
    parameters = Column("parameter", "A count.")
    width = Column("byte/parameter", "A width.")
    moments = Column("value/parameter", "How many values.")
    moment_width = Column("byte/value", "How wide one is.")
    gb = Column("GB", "Decimal.")
    gib = Column("GiB", "Binary.")
    bytes_per_gb = Column("byte/GB", "A constant.")


def _derived() -> dict[str, tuple[Column, Expression]]:
    """Return every column that the program computes for a plan, by the name of its sheet and its own."""
    analysis = analyse(calculate(read_texts(SMALL_PLAN, small_catalogues())))
    return {
        f"{column.sheet.__name__ if column.sheet else ''}.{column.name}": (column, column.definition)
        for column in analysis.values
        if column.definition is not None
    }


def test_the_unit_of_every_column_follows_from_its_definition() -> None:
    derived = _derived()
    wrong = {}
    for name, (column, definition) in derived.items():
        try:
            found = str(unit_of(definition))
        except UnitError as error:
            found = str(error)
        if found != str(Unit.parse(column.unit)):
            wrong[name] = f"declared {column.unit}, found {found}"
    assert wrong == {}
    assert len(derived) > 100


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.name))
def test_both_ways_of_a_check_have_one_unit(check: Check) -> None:
    assert unit_of(check.live) == unit_of(check.expected) == unit_of(check.difference)
    assert unit_of(check.verdict) == Unit.parse("text")


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        (Sample.parameters * Sample.width, "byte"),
        (Sample.parameters * Sample.moments * Sample.moment_width, "byte"),
        (Sample.parameters * Sample.width / Sample.bytes_per_gb, "GB"),
        (ceil_div(Sample.gb, Sample.gb), "card"),
        (Sample.parameters / Sample.gb / Sample.gb, "parameter/GB/GB"),
        (Sample.gb <= Sample.gb, "yes or no"),
    ],
)
def test_units_multiply_and_cancel(expression: Expression, unit: str) -> None:
    assert unit_of(expression) == Unit.parse(unit)


@pytest.mark.parametrize(
    "expression",
    [
        Sample.gb + Sample.gib,
        Sample.gb - Sample.parameters,
        Sample.gb <= Sample.gib,
        maximum(Sample.gb, Sample.gib),
        where(given(Sample.gb), Sample.gb, Sample.gib),
        where(Sample.gb, Sample.gb, Sample.gb),
        Sample.width + Number(1),
        where(given(Sample.gb), Sample.gb, "none"),
    ],
)
def test_unlike_units_do_not_mix(expression: Expression) -> None:
    with pytest.raises(UnitError):
        unit_of(expression)
