"""From bytes to records: what is read, and the place of what is not."""

from __future__ import annotations

import pytest

from reportgen.errors import InputError
from reportgen.reading.csv_text import Records, normalized, read_records

KNOWN = ("model", "parameters", "hardware")


def read(data: str | bytes) -> Records:
    records, problems = read_records(data if isinstance(data, bytes) else data.encode(), "plan.csv", KNOWN)
    assert problems == []
    assert records is not None
    return records


def rows(records: Records) -> list[tuple[str, ...]]:
    return list(zip(*records.columns, strict=True))


def refusals(data: str | bytes) -> list[str]:
    records, problems = read_records(data if isinstance(data, bytes) else data.encode(), "plan.csv", KNOWN)
    assert records is None
    return [str(problem) for problem in problems]


PLAIN = read("model,hardware\nllama,H100\n")


def test_the_first_record_is_the_header_and_rows_know_their_line() -> None:
    assert Records(("model", "hardware"), (("llama",), ("H100",)), (2,)) == PLAIN


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfmodel,hardware\nllama,H100\n",
        "model;hardware\nllama;H100\n",
        "model\thardware\nllama\tH100\n",
        "model|hardware\nllama|H100\n",
        "model,hardware\rllama,H100\r",
        "model,hardware\r\nllama,H100\r\n",
        "model,hardware\nllama,H100",
        "model,hardware\nllama,H100\n\n   \n,\n\n",
        "model,hardware,,\nllama,H100,,\n",
        ' model , hardware\n llama,H100 \n"","  "\n',
        '"model","hardware"\n"llama","H100"\n',
    ],
    ids=[
        "mark",
        "semicolon",
        "tab",
        "bar",
        "CR",
        "CRLF",
        "no last line end",
        "blank rows",
        "nameless columns",
        "spaces",
        "quotes",
    ],
)
def test_the_same_table_is_read_from(data: str | bytes) -> None:
    records = read(data)
    assert (records.header, records.columns, records.lines) == (PLAIN.header, PLAIN.columns, PLAIN.lines)


def test_a_comma_in_a_cell_of_a_semicolon_file_stays_in_the_cell() -> None:
    assert rows(read("model;hardware\nllama, large;H100\n")) == [("llama, large", "H100")]


def test_lines_are_counted_right_after_a_cell_of_several_lines() -> None:
    records = read('model,note\nllama,"two\nlines and ""quotes"""\n\nqwen,"a\r\nb"\nmistral,\n')
    assert rows(records) == [("llama", 'two\nlines and "quotes"'), ("qwen", "a\nb"), ("mistral", "")]
    assert records.lines == (2, 5, 7)


def test_a_quote_never_closed_is_refused_where_it_begins() -> None:
    (refusal,) = refusals('model,hardware\nqwen,H100\n"llama,H100\nmistral,H100\n')
    assert refusal.startswith("plan.csv:3: found a quote that is never closed until line 4, the last; expected ")


def test_a_quote_never_closed_is_named_in_a_long_file_too() -> None:
    (refusal,) = refusals('model,hardware\n"llama,H100\n' + "qwen,H100\n" * 20_000)
    assert "plan.csv:2: found a quote that is never closed" in refusal


def test_a_long_cell_is_not_called_a_quote() -> None:
    data = "model,note\nllama," + "x" * 140_000 + "\n"
    _, problems = read_records(data.encode(), "plan.csv", KNOWN)
    assert all("quote" not in str(problem) for problem in problems)


def test_a_quote_inside_a_cell_is_refused() -> None:
    assert refusals('model,hardware\n"llama"x,H100\n')[0].startswith("plan.csv:2: found a quote inside a cell")


def test_ragged_rows_are_refused_with_both_counts() -> None:
    assert refusals("model,hardware,note\nllama,H100\nqwen,H100,a,b\nmistral,H100,\n") == [
        "plan.csv:2: found 2 cells; expected 3, as in the header on line 1",
        "plan.csv:3: found 4 cells; expected 3, as in the header on line 1",
    ]


@pytest.mark.parametrize("second", ["Parameters", "PARAMETERS ", "\uff50arameters"])
def test_a_header_twice_is_refused_with_both_positions(second: str) -> None:
    assert refusals(f"model,parameters,{second}\nllama,7,8\n") == [
        f"plan.csv:1: {second.strip()}: found the header twice, in columns 2 and 3; expected each header once"
    ]


def test_a_value_without_a_header_is_refused_with_its_place() -> None:
    assert refusals("model,,hardware\nllama,,H100\nqwen,7B,H100\n") == [
        "plan.csv:3: found '7B' in column 2, which has no name; expected a header above every value"
    ]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \n\t\n", b"\xef\xbb\xbf", b",,\n", b'"",""\n,\n'])
def test_a_file_of_nothing_is_refused(data: bytes) -> None:
    (refusal,) = refusals(data)
    assert refusal.startswith("plan.csv: found an empty file")


@pytest.mark.parametrize("data", ["model,hardware\n", "model,hardware\n\n,\n"])
def test_a_header_alone_is_refused(data: str) -> None:
    assert refusals(data) == ["plan.csv:1: found no row under the header; expected at least one row"]


@pytest.mark.parametrize(
    ("data", "place", "byte"),
    [
        ("model,hardware\nmodèle,H100\n".encode("cp1252"), "plan.csv:2", "0xe8 at offset 18"),
        ("model,hardware\n模型,H100\n".encode("gb18030"), "plan.csv:2", "0xd0 at offset 17"),
        (b"model,hardware\na\xed\xa0\x80b,H100\n", "plan.csv:2", "0xed at offset 16"),
    ],
)
def test_bytes_that_are_no_utf_8_are_refused_with_their_offset(data: bytes, place: str, byte: str) -> None:
    (refusal,) = refusals(data)
    assert refusal.startswith(f"{place}: found the byte {byte}; expected text in UTF-8, or --encoding ")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
def test_a_marked_encoding_is_read(encoding: str) -> None:
    records = read("model\thardware\nllama\tH100\n".encode(encoding))
    assert (records.header, rows(records)) == (("model", "hardware"), [("llama", "H100")])


def test_a_workbook_in_place_of_a_csv_is_told_by_its_name() -> None:
    (refusal,) = refusals(b"PK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00!\x00\xc7\x0e")
    assert "CSV" in refusal


@pytest.mark.parametrize(
    ("cell", "code"),
    [("a\x00b", "0000"), ("a\x07b", "0007"), ("a\x1fb", "001F"), ("a\ufffeb", "FFFE"), ("a\uffffb", "FFFF")],
)
def test_characters_that_a_workbook_cannot_hold_are_refused(cell: str, code: str) -> None:
    assert refusals(f"model,hardware\n{cell},H100\n") == [
        f"plan.csv:2: model: found the character U+{code}; expected text that a workbook can hold"
    ]


def test_a_text_longer_than_a_cell_of_a_workbook_is_refused() -> None:
    read("model,hardware\n" + "x" * 32_767 + ",H100\n")
    (refusal,) = refusals("model,hardware\n" + "x" * 32_768 + ",H100\n")
    assert refusal.startswith("plan.csv:2: model: found ")


def test_every_problem_of_the_shape_is_listed() -> None:
    assert len(refusals("model,hardware,model\nllama,H100\nqwen\x01,H100,x\n")) == 3


def test_headers_are_compared_without_case_spaces_and_marks() -> None:
    assert {normalized(text) for text in ("ZeRO stage", " zero_stage", "zero-stage ", "Zero  Stage")} == {"zero_stage"}


def test_a_place_after_cells_of_several_lines_has_line_and_record() -> None:
    assert refusals('\n\nmodel,note\n"a\nb",x\n\nqwen,"y",z\n') == [
        "plan.csv:7: found 3 cells; expected 2, as in the header on line 3 (record 3)"
    ]


def test_a_quote_that_is_never_closed_has_line_and_record_too() -> None:
    (refusal,) = refusals('model,note\n"a\nb",x\n"qwen,y\n')
    assert refusal.startswith("plan.csv:4: found a quote that is never closed")
    assert refusal.endswith("(record 3)")


def test_the_line_with_which_excel_is_told_the_delimiter_is_no_header() -> None:
    records = read("sep=;\nmodel;hardware\nllama, large;H100\n")
    assert (rows(records), records.header_line, records.lines) == ([("llama, large", "H100")], 2, (3,))


def test_a_header_is_compared_by_what_its_quotes_hold() -> None:
    assert read('"model";"a, b"\nllama;1\n').header == ("model", "a, b")


def test_more_rows_or_columns_than_a_sheet_holds_are_refused() -> None:
    assert "16,001 columns" in refusals(",".join(f"c{place}" for place in range(16_001)) + "\n")[0]
    (refusal,) = refusals("model\n" + "x\n" * 1_234_567)
    assert refusal.startswith("plan.csv:1000002: found 1,234,567 rows; expected at most 1,000,000, which a sheet")


def test_a_thousand_problems_of_a_kind_are_kept_and_all_are_counted() -> None:
    _, problems = read_records(b"model,hardware\n" + b"x\n" * 5_000, "plan.csv", KNOWN)
    assert len(problems) == 1_000
    assert str(InputError(problems)).splitlines()[100:] == ["... and 4,900 more"]


def test_a_message_shows_no_character_that_would_do_something() -> None:
    message = "".join(refusals("model,\x1b[2J\u202ex\nllama,\x1b[31m\n"))
    assert message.isprintable()
