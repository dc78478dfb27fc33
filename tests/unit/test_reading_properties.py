"""However a table is written down, it is read as the same table."""

from __future__ import annotations

import csv
import io
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.errors import printable
from reportgen.reading.csv_text import read_records
from reportgen.reading.marks import Mark, as_point
from reportgen.reading.quantities import parse_count, parse_memory

KNOWN = ("model", "parameters", "hardware")
PRINTABLE = st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]) | st.sampled_from(",;\t|\"'\n")
CELLS = st.text(PRINTABLE, max_size=12).map(str.strip)
ROWS = st.lists(st.tuples(CELLS.filter(bool), CELLS, CELLS), min_size=1, max_size=8)
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"])


@settings(max_examples=100)
@given(ROWS, st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n", "\r"]), ENCODINGS, st.booleans())
def test_a_table_is_the_same_by_any_delimiter_line_end_encoding_and_quoting(
    rows: list[tuple[str, str, str]], delimiter: str, end: str, encoding: str, quoted: bool
) -> None:
    text = io.StringIO(newline="")
    quoting: Literal[0, 1] = csv.QUOTE_ALL if quoted or end == "\r" else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows([KNOWN, *rows])
    records, problems = read_records(text.getvalue().encode(encoding), "plan.csv", KNOWN)
    assert problems == []
    assert records is not None
    assert records.header == KNOWN
    assert list(zip(*records.columns, strict=True)) == rows


@given(st.integers(0, 2**53))
def test_a_count_is_read_back_in_every_way_it_is_written(count: int) -> None:
    plain, grouped = str(count), f"{count:,}"
    assert parse_count(plain) == parse_count(grouped) == count
    for mark in (".", "'", "\u2019", "\u00a0", "\u202f"):
        assert parse_count(as_point(Mark.COMMA)(grouped.replace(",", mark))) == count


@given(st.integers(1, 2**43), st.sampled_from(["KiB", "MiB", "kB", "b"]))
def test_whole_memories_are_exact_and_others_within_half_a_byte(size: int, unit: str) -> None:
    bytes_in = {"KiB": 2**10, "MiB": 2**20, "kB": 1_000, "b": 1}[unit]
    if size * bytes_in <= 2**53:
        assert parse_memory("byte")(f"{size} {unit}") == size * bytes_in
    if unit != "b" and size > 1:
        assert abs(parse_memory("byte")(f"{size / 1e4:.4f} MiB") - round(size / 1e4, 4) * 2**20) <= 0.51


@given(st.text(max_size=50))
def test_what_is_printed_is_printable(text: str) -> None:
    assert printable(text).isprintable() or not printable(text)
