"""Plans as Parquet: read as the CSV they would be, written row group by row group; pyarrow does it, where installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypeAlias

from reportgen.errors import FileError, InputError, Problem, quoted
from reportgen.files import LARGEST_SOURCE
from reportgen.reading.csv_text import MOST_COLUMNS, MOST_ROWS

_MAGIC: Final = b"PAR1"
_BATCH: Final = 4_096
MOST_TEXT: Final = LARGEST_SOURCE
"""Characters of a plan, as many as an input has bytes."""

Rows: TypeAlias = tuple[Sequence[str], Sequence[Any]]
"""Some rows: their names, and of each further column the place of each cell among the column's distinct texts."""


def is_parquet(data: bytes) -> bool:
    """Return whether a file's bytes begin as those of a Parquet file do."""
    return data.startswith(_MAGIC)


def parquet_as_csv(data: bytes, file: str) -> bytes:
    """Return the CSV that says what a Parquet file does.

    Raises:
        FileError: If there is no pyarrow, or the file is damaged.
        InputError: If a column holds what no cell of a plan can.
    """
    pa, parquet = _libraries(file)
    try:
        opened = parquet.ParquetFile(io.BytesIO(data))
        schema = opened.schema_arrow
        _refuse_large(file, opened.metadata.num_rows, len(schema))
        _refuse_unreadable(file, schema, pa.types)
        return _as_csv(file, schema.names, (batch.to_pydict() for batch in opened.iter_batches(_BATCH)))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise FileError(f"{file}: is damaged, or no Parquet file: {str(error).splitlines()[0]}") from None


def parquet_writer(name: str, texts: Mapping[str, Sequence[str]], rows: Iterable[Rows]) -> Callable[[Path], None]:
    """Return what writes rows as a Parquet file, all columns as texts.

    Args:
        name: Header of the column of names, the first.
        texts: The distinct texts of each further column.
        rows: The rows, some at a time; each lot becomes a row group.

    Raises:
        FileError: If there is no pyarrow.
    """
    pa, parquet = _libraries("Parquet")
    kind = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([(name, pa.string()), *((column, kind) for column in texts)])
    distinct = [pa.array(list(column), pa.string()) for column in texts.values()]

    def write(path: Path) -> None:
        with parquet.ParquetWriter(path, schema) as writer:
            for names, places in rows:
                columns = [
                    pa.DictionaryArray.from_arrays(pa.array(place, pa.int32()), column)
                    for place, column in zip(places, distinct, strict=True)
                ]
                writer.write_table(pa.table([pa.array(names, pa.string()), *columns], schema=schema))

    return write


def _libraries(file: str) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        message = "Parquet needs pyarrow, which is not installed; pip install 'reportgen[parquet]' brings it"
        raise FileError(f"{file}: {message}") from None
    return pa, parquet


def _refuse_large(file: str, rows: int, columns: int) -> None:
    problems = [
        Problem(file, 0, "", f"{found:,} {what}", f"at most {most:,}")
        for found, most, what in ((rows, MOST_ROWS, "rows"), (columns, MOST_COLUMNS, "columns"))
        if found > most
    ]
    if problems:
        raise InputError(problems)


def _refuse_unreadable(file: str, schema: Any, types: Any) -> None:  # noqa: ANN401 - pyarrow has no public types
    problems = [
        Problem(file, 0, field.name, f"values of type {field.type}", "texts, numbers, dates, yes or no")
        for field in schema
        if types.is_nested(field.type) or types.is_binary(field.type) or types.is_large_binary(field.type)
    ]
    if problems:
        raise InputError(problems)


def _as_csv(file: str, header: Sequence[str], batches: Iterable[Mapping[str, Sequence[Any]]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(header)
    if len(set(header)) < len(header):
        return text.getvalue().encode()
    for batch in batches:
        writer.writerows(zip(*([_cell(value) for value in batch[name]] for name in header), strict=True))
        if text.tell() > MOST_TEXT:
            raise FileError(f"{file}: unpacks to more than {MOST_TEXT >> 20} MiB; no input does")
    return text.getvalue().encode()


def _cell(value: object) -> str:
    """Return a value as a plan writes it.

    Raises:
        ValueError: If a plan has no such values.
    """
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case float():
            return "" if value != value else repr(int(value)) if value.is_integer() else repr(value)  # noqa: PLR0124
        case int() | Decimal():
            return str(value)
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat()
        case date():
            return value.isoformat()
    raise ValueError(f"holds {quoted(str(value))}, which no plan does")
