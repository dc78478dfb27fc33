"""Decimal and thousands marks: read where they are clear, refused where they are not."""

from __future__ import annotations

import pytest

from reportgen.reading.marks import BOTH, Mark, as_point, mark_of, mixed, readings
from reportgen.reading.quantities import QuantityError, parse_count

POINT, COMMA = frozenset({Mark.POINT}), frozenset({Mark.COMMA})


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("7,5B", COMMA),
        ("7.5B", POINT),
        ("1.234.567", COMMA),
        ("1,234,567", POINT),
        ("1.234,5", COMMA),
        ("1,234.5", POINT),
        ("0,125", COMMA),
        ("0.125", POINT),
        ("1234,567", COMMA),
        ("1,979e15", COMMA),
        ("12,3 GiB", COMMA),
        ("5,5%", COMMA),
        ("1,234", BOTH),
        ("1.234", BOTH),
        ("12", BOTH),
        ("7,50,000", BOTH),
        ("a.b", BOTH),
        ("", BOTH),
    ],
)
def test_a_text_tells_its_decimal_mark_or_does_not(text: str, marks: frozenset[Mark]) -> None:
    assert readings(text) == marks


@pytest.mark.parametrize(
    ("texts", "mark"),
    [(["7,5B", "1.234"], Mark.COMMA), (["7.5B", "1,234"], Mark.POINT), (["1,234"], None), (["7,5", "7.5"], None)],
)
def test_a_file_from_anywhere_has_the_mark_that_its_clear_numbers_have(texts: list[str], mark: Mark | None) -> None:
    assert mark_of(texts, marked_by_locale=True) is mark
    assert mark_of(texts, marked_by_locale=False) is Mark.POINT


@pytest.mark.parametrize(
    ("text", "mark", "count"),
    [
        ("7,5B", Mark.COMMA, 7_500_000_000),
        ("1.234", Mark.COMMA, 1_234),
        ("1.234.567", None, 1_234_567),
        ("1,234,567", None, 1_234_567),
        ("7,5B", None, 7_500_000_000),
        ("7'500'000", Mark.POINT, 7_500_000),
        ("7\u2019500", Mark.COMMA, 7_500),
        ("7\u202f500\u202f000", Mark.COMMA, 7_500_000),
        ("7\u00a0500\u00a0000", None, 7_500_000),
        ("7\u00a0B", Mark.POINT, 7_000_000_000),
    ],
)
def test_a_number_is_read_by_the_mark_of_its_file(text: str, mark: Mark | None, count: int) -> None:
    assert parse_count(as_point(mark)(text)) == count


@pytest.mark.parametrize("text", ["1,234", "1.234B", "12.345 GiB"])
def test_a_number_that_could_be_two_is_refused_with_the_option(text: str) -> None:
    with pytest.raises(QuantityError, match="--decimal"):
        as_point(None)(text)


@pytest.mark.parametrize("text", ["7,50,000", "7\u202f50\u202f000", "7'500,000'000", "1,234.5,6", "7 500"])
@pytest.mark.parametrize("mark", [*Mark, None])
def test_marks_in_other_places_are_refused_under_every_mark(text: str, mark: Mark | None) -> None:
    with pytest.raises(QuantityError):
        parse_count(as_point(mark)(text))


@pytest.mark.parametrize(
    ("texts", "pair"),
    [
        (["7B", "1.234", "1,234"], ("1.234", "1,234")),
        (["7.5", "7,5"], ("7.5", "7,5")),
        (["7.5B", "7,500,000,000", "1,234"], None),
        (["7", "8"], None),
    ],
)
def test_a_column_of_two_styles_is_noticed(texts: list[str], pair: tuple[str, str] | None) -> None:
    assert mixed(texts) == pair
