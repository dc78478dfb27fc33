"""The algebra of units, and GB told from GiB."""

from __future__ import annotations

import pytest

from reportgen.units import BYTES_IN, Unit, UnitError, same


@pytest.mark.parametrize(
    ("unit", "size"),
    [("kB", 1_000), ("GB", 1_000_000_000), ("TB", 10**12), ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824)],
)
def test_a_unit_with_an_i_is_a_power_of_two(unit: str, size: int) -> None:
    assert BYTES_IN[unit] == size


def test_units_multiply_and_cancel() -> None:
    assert Unit.parse("parameter") * Unit.parse("byte/parameter") == Unit.parse("byte")
    assert Unit.parse("byte") / Unit.parse("byte/GB") == Unit.parse("GB")
    assert Unit.parse("byte") / Unit.parse("byte") == Unit.parse("1")
    assert Unit.parse("value/parameter") * Unit.parse("byte/value") == Unit.parse("byte/parameter")


@pytest.mark.parametrize("count", ["1", "card", "node", "job"])
def test_what_is_counted_is_a_pure_number(count: str) -> None:
    assert Unit.parse(count) == Unit.parse("1")
    assert Unit.parse(f"byte/{count}") == Unit.parse("byte")


def test_gb_and_gib_are_unlike() -> None:
    with pytest.raises(UnitError, match="unlike units: GB, GiB"):
        same(Unit.parse("GB"), Unit.parse("GiB"))


def test_like_units_are_one() -> None:
    assert same(Unit.parse("byte*value/parameter"), Unit.parse("value*byte/parameter")) == Unit.parse(
        "byte*value/parameter"
    )


@pytest.mark.parametrize("text", ["1", "byte", "byte/parameter", "1/hour", "USD/hour"])
def test_a_unit_is_written_as_it_is_read(text: str) -> None:
    assert str(Unit.parse(text)) == text
