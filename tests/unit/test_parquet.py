"""Plans as Parquet: what any program may have written is read as the CSV that says the same."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from reportgen import parquet
from reportgen.errors import FileError, InputError
from reportgen.parquet import is_parquet, parquet_as_csv, parquet_writer

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")


def written(**columns: Any) -> bytes:  # noqa: ANN401 - what pyarrow takes as a column
    """Return a Parquet file of these columns."""
    file = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def lines_of(data: bytes) -> list[str]:
    """Return the lines of the CSV that a Parquet file is read as."""
    assert is_parquet(data)
    return parquet_as_csv(data, "plan.parquet").decode().split("\n")


def test_every_kind_of_cell_is_read_as_a_plan_writes_it() -> None:
    data = written(
        job=['a "b", c', "\r", None],
        cards=[8, None, 2**53],
        share=[0.5, float("nan"), 3.0],
        sp=[True, False, None],
        start=[date(2026, 1, 31), None, None],
        read=[datetime(2026, 1, 31), None, datetime(2026, 1, 31, 12)],  # noqa: DTZ001 - as a spreadsheet has them
        price=[Decimal("1.50"), None, None],
    )
    assert lines_of(data) == [
        '"job","cards","share","sp","start","read","price"',
        '"a ""b"", c","8","0.5","yes","2026-01-31","2026-01-31","1.50"',
        '"\r","","","no","","",""',
        '"","9007199254740992","3","","","2026-01-31T12:00:00",""',
        "",
    ]


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    rows = [(["one", "two"], [[0, 1], [1, 1]]), (["three"], [[2], [0]])]
    parquet_writer("job", {"model": ["a", "b", ""], "cards": ["8", "1T"]}, rows)(tmp_path / "plan.parquet")
    data = (tmp_path / "plan.parquet").read_bytes()
    assert lines_of(data) == ['"job","model","cards"', '"one","a","1T"', '"two","b","1T"', '"three","","8"', ""]


@pytest.mark.parametrize(
    ("column", "kind"),
    [([[1]], "list<.*: int64>"), ([{"a": 1}], "struct<.*>"), ([b"a"], "binary")],
)
def test_what_no_cell_can_hold_is_refused(column: list[object], kind: str) -> None:
    with pytest.raises(InputError, match=rf"plan.parquet: x: found values of type {kind}; expected texts, numbers"):
        parquet_as_csv(written(x=column), "plan.parquet")


def test_a_time_alone_is_refused() -> None:
    with pytest.raises(FileError, match=r"plan.parquet: .* holds '12:00:00', which no plan does"):
        parquet_as_csv(written(x=[datetime(2026, 1, 31, 12, tzinfo=UTC).time()]), "plan.parquet")


@pytest.mark.parametrize("damage", [lambda data: data[:20], lambda data: data[:-9] + b"\xff" * 9, lambda _: b"PAR1"])
def test_a_damaged_file_is_refused(damage: Any) -> None:  # noqa: ANN401 - a function of bytes
    with pytest.raises(FileError, match=r"plan.parquet: is damaged, or no Parquet file: "):
        parquet_as_csv(damage(written(x=["a"] * 100)), "plan.parquet")


def test_more_than_a_workbook_holds_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"plan.parquet: found 1,000,001 rows; expected at most 1,000,000"):
        parquet_as_csv(written(x=pa.nulls(1_000_001, pa.string())), "plan.parquet")
    monkeypatch.setattr(parquet, "MOST_TEXT", 10_000)
    with pytest.raises(FileError, match=r"plan.parquet: unpacks to more than 0 MiB; no input does"):
        parquet_as_csv(written(x=["a" * 100] * 200), "plan.parquet")
