"""What has no reading cannot be used: it fails where it is written, when the module is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

import pytest

from reportgen.expression import Apply, Column, Expression, Sheet
from reportgen.functions import where
from reportgen.primitives import PRIMITIVES, Primitive


class Sample(Sheet):
    """Two columns to misuse."""

    title = "Sample"
    first = Column("1", "A number.")
    second = Column("1", "Another number.")


A: Any = Sample.first
B: Any = Sample.second

MISUSES: dict[str, Callable[[], object]] = {
    "if": lambda: max(B, A),
    "and": lambda: A > B > A,
    "or": lambda: A > B or B > A,
    "not": lambda: not A,
    "a <= b <= a": lambda: A <= B <= A,
    "**": lambda: A**B,
    "** with a number": lambda: A**2,
    "//": lambda: A // B,
    "%": lambda: A % B,
    "-a": lambda: -A,
    "&": lambda: (A > B) & (B > A),
    "min": lambda: min(A, B),
    "max": lambda: max(A, B),
    "abs": lambda: abs(A),
    "round": lambda: round(A),
    "float": lambda: float(A),
    "choosing by ==": lambda: where(A == B, A, B),
    "choosing by !=": lambda: where(A != B, A, B),
    "adding a yes or no": lambda: A + True,
    "adding none": lambda: A + None,
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_a_column_refuses_what_no_spreadsheet_would_follow(misuse: str) -> None:
    with pytest.raises(TypeError):
        MISUSES[misuse]()


def test_a_misuse_in_a_sheet_stops_its_import() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):

        class Wrong(Sheet):
            title = "Wrong"
            amount = Column("1", "A number.")
            choice = Column("1", "Chosen by Python, once for all rows.", min(amount, amount))


def test_a_column_cannot_be_defined_by_a_later_one() -> None:
    with pytest.raises(NameError):

        class Wrong(Sheet):
            title = "Wrong"
            early = Column("1", "Too early.", later * 1)  # type: ignore[name-defined]  # noqa: F821, RUF100
            later = Column("1", "Too late.")


def test_a_primitive_that_is_not_in_the_table_cannot_be_applied() -> None:
    with pytest.raises(KeyError, match="nonsense"):
        Apply("nonsense", A, B)


@pytest.mark.parametrize("reading", [field.name for field in fields(Primitive) if field.default is MISSING])
def test_a_primitive_cannot_lack_a_reading(reading: str) -> None:
    row = {field.name: getattr(PRIMITIVES["add"], field.name) for field in fields(Primitive)}
    del row[reading]
    with pytest.raises(TypeError, match=reading):
        Primitive(**row)


def test_expressions_are_told_apart_by_identity() -> None:
    made: list[Expression] = [A + B, A + B]
    assert len(set(made)) == 2
