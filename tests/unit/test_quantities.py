"""What a cell's text means, worked by hand."""

from __future__ import annotations

import re

import pytest

from reportgen.reading.quantities import (
    COUNT_FORMS,
    DATE_FORMS,
    QuantityError,
    parse_count,
    parse_date,
    parse_memory,
    parse_number,
    parse_share,
)

NO_NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "NaN",
    "Infinity",
    "1e400",
    "1_000",
    "٧",
    "７",
    "",
    " ",
    "B",
    "$7",
    "1,,000",
    ", ,, 123",
    "0,500",
    "1,234,56",
]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("7B", 7_000_000_000),
        ("30b", 30_000_000_000),
        ("1.3T", 1_300_000_000_000),
        ("350M", 350_000_000),
        ("7 B", 7_000_000_000),
        ("0.5b", 500_000_000),
        ("671B", 671_000_000_000),
        ("3e10", 30_000_000_000),
        ("7,500,000,000", 7_500_000_000),
        ("12k", 12_000),
        ("+7B", 7_000_000_000),
        ("0", 0),
        ("9007199254740992", 2**53),
    ],
)
def test_a_count_is_read_exactly(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize(
    "text",
    [
        *NO_NUMBERS,
        "30B-A3B",
        "8x7B",
        "E4B",
        "7BB",
        "7,50,000",
        "7,5,0",
        "7%",
        "7,5B",
        "7 500 000",
        "0x10",
        "7B\n",
        "1/2",
    ],
)
def test_what_is_no_count_is_refused_with_the_forms_that_are(text: str) -> None:
    with pytest.raises(QuantityError):
        parse_count(text)


def test_the_refusal_of_a_count_shows_the_forms() -> None:
    with pytest.raises(QuantityError, match=re.escape(COUNT_FORMS)):
        parse_count("8x7B")


@pytest.mark.parametrize("text", ["0.5", "1.0000000001B", "1e-3"])
def test_a_count_that_is_not_whole_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="whole number"):
        parse_count(text)


@pytest.mark.parametrize("text", ["9007199254740993", "10,000T", "-9007199254740993"])
def test_a_count_that_a_float_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match=r"2\^53"):
        parse_count(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("80 GB", 80 * 10**9),
        ("80GB", 80 * 10**9),
        ("80gb", 80 * 10**9),
        ("0.08 TB", 80 * 10**9),
        ("74.5 GiB", 79_993_765_888),
        ("74.5 gib", 79_993_765_888),
        ("81559 MiB", 85_520_809_984),
        ("81,559 MiB", 85_520_809_984),
        ("12 KiB", 12_288),
        ("5 kB", 5_000),
        ("80 b", 80),
        ("80 B", 80),
        ("12.3 GiB", 13_207_024_435),
        ("0.1 GiB", 107_374_182),
        ("1 byte", 1),
        ("2 bytes", 2),
        ("7", 7),
    ],
)
def test_a_memory_is_read_in_whole_bytes(text: str, size: int) -> None:
    assert parse_memory("byte")(text) == size


def test_a_memory_without_a_unit_is_in_the_unit_of_its_column() -> None:
    assert parse_memory("GB")("80") == 80
    assert parse_memory("MiB")("81559") == 81_559
    assert parse_memory("MiB")("80 GB") == 76_293.9453125


@pytest.mark.parametrize(
    "text", [*NO_NUMBERS, "80 GBB", "80Gb", "80 Gib", "80 G", "80 B/s", "80 gigs", "80  GB", "GB 80"]
)
def test_what_is_no_memory_is_refused(text: str) -> None:
    with pytest.raises(QuantityError):
        parse_memory("byte")(text)


@pytest.mark.parametrize("text", ["1.5 bytes", "0.5 B", "1e-10 GB"])
def test_a_part_of_a_byte_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="whole bytes"):
        parse_memory("byte")(text)


def test_a_memory_that_a_float_cannot_hold_is_refused() -> None:
    with pytest.raises(QuantityError, match=r"2\^53"):
        parse_memory("byte")("10,000 TB")


@pytest.mark.parametrize(
    ("text", "number"), [("2", 2), ("0.5", 0.5), ("1,250", 1250), ("-1.5", -1.5), ("989e12", 989e12)]
)
def test_a_number_is_read(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize("text", [*NO_NUMBERS, "7%", "1,5", "2 bytes", "1e16"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(QuantityError):
        parse_number(text)


def test_a_number_has_the_fifteen_digits_of_a_spreadsheet() -> None:
    assert parse_number("0.12345678901234567") == 0.123456789012346


@pytest.mark.parametrize(
    ("text", "share"), [("5%", 0.05), ("5 %", 0.05), ("12.5%", 0.125), ("0.05", 0.05), ("100%", 1)]
)
def test_a_share_is_a_part_of_one(text: str, share: float) -> None:
    assert parse_share(text) == share


@pytest.mark.parametrize("text", [*NO_NUMBERS, "%", "5%%", "5 percent"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(QuantityError):
        parse_share(text)


@pytest.mark.parametrize(("text", "day"), [("2026-01-31", 46_053), ("2028-02-29", 46_812), ("1900-03-01", 61)])
def test_a_date_is_counted_in_days_as_a_spreadsheet_counts(text: str, day: int) -> None:
    assert parse_date(text) == day


@pytest.mark.parametrize(
    "text", ["2026-02-29", "2026-13-01", "31.01.2026", "1/31/26", "2026-01", "46053", "MAR 3", "1899-12-31", ""]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match=DATE_FORMS):
        parse_date(text)
