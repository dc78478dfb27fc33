"""The one text of a table: CSV that says what was read, however the file said it; read again it is the same table."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from decimal import Decimal

import numpy as np

from reportgen.calculation.catalogues import AssumptionRows
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import Table
from reportgen.digits import all_digits
from reportgen.expression import Column
from reportgen.reading.assumptions import DECLARED
from reportgen.units import BYTES_IN, DATE, DAY_ZERO, EARLIEST_DAY

_NEEDS_QUOTES = re.compile('[,"\r\n]').search
_LAST_DAY = 2_958_465
_AS_FAR_AS_DIGITS_GO = Decimal("2e-15")


def canonical(table: Table) -> bytes:
    """Return a table as the bytes of a CSV file: all input columns in their order, then the user's own."""
    columns = [column for column in table.sheet.columns if isinstance(column, Input)]
    texts = [*(_texts(table, column) for column in columns), *table.further.values()]
    header = csv_line([*(column.name for column in columns), *table.further])
    return "\n".join([header[:-1], *map(",".join, zip(*map(_quoted_where_needed, texts), strict=True)), ""]).encode()


def _quoted_where_needed(texts: Sequence[str]) -> Sequence[str]:
    joined = "\0".join(texts)
    if not any(mark in joined for mark in ',"\r\n'):
        return texts
    quoted = {text: _quoted(text) for text in set(texts) if _NEEDS_QUOTES(text)}
    return [quoted.get(text, text) for text in texts]


def csv_line(cells: Iterable[str]) -> str:
    """Return cells as a line of CSV; the standard library would not quote a lone carriage return."""
    return ",".join([_quoted(cell) if _NEEDS_QUOTES(cell) else cell for cell in cells]) + "\n"


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def digest(table: Table) -> str:
    """Return the SHA-256 of a table's one text."""
    return hashlib.sha256(canonical(table)).hexdigest()


def _texts(table: Table, column: Column) -> list[str]:
    values = table.values[column]
    texts: list[str]
    if values.dtype == object:
        texts = values.tolist()
    elif np.isnan(values).all():
        return [""] * len(values)
    elif table.sheet is AssumptionRows:
        units = map(unit_of_assumption, table.values[AssumptionRows.name].tolist())
        texts = list(map(number_text, values.tolist(), units))
    else:
        distinct, places = np.unique(values, return_inverse=True)
        said = [number_text(value, column.unit) for value in distinct.tolist()]
        texts = list(map(said.__getitem__, places.tolist()))
    for row in table.computed.get(column, ()):
        texts[row] = ""
    return texts


def unit_of_assumption(name: str) -> str:
    """Return the unit in which an assumption is written; a pure number for a name that is none."""
    return DECLARED[name].unit if name in DECLARED else "1"


def number_text(value: float, unit: str) -> str:
    """Return all digits of a number as a file of inputs says it: a day as a date, a memory with its unit."""
    if math.isnan(value):
        return ""
    if unit == DATE:
        return _day_text(value)
    if unit in BYTES_IN and unit != "byte" and math.isfinite(value):
        return _memory_text(value, unit)
    return all_digits(value)


def _day_text(value: float) -> str:
    first = (EARLIEST_DAY - DAY_ZERO).days
    if not first <= value <= _LAST_DAY or value != int(value):
        return all_digits(value)
    return (DAY_ZERO + timedelta(days=int(value))).isoformat()


def _memory_text(value: float, unit: str) -> str:
    """Return a memory in its unit; in bytes where a decimal of that unit would not be whole bytes again."""
    exact = Decimal(all_digits(value)) * BYTES_IN[unit]
    size = round(exact)
    near = abs(exact - size) <= abs(size) * _AS_FAR_AS_DIGITS_GO
    return f"{size} byte" if exact != size and near else f"{all_digits(value)} {unit}"
