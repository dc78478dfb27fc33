"""Rows as ready text: the many rows of a large sheet, streamed into its part instead of built cell by cell.

It knows cells, not what they mean. The first row of such a table is an ordinary one, from which the others take their
styles. Some rows at a time have one template, filled in row by row: what does not change from row to row stands in the
template, the row's number takes the place of ``ROW_MARK``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape as escape_for
from itertools import pairwise, repeat
from typing import Final, TypeAlias

import numpy as np

from reportgen.digits import WHOLE_BELOW, all_digits
from reportgen.workbook.cells import (
    RowsToCome,
    Stored,
    Style,
    Values,
    code_safe,
    is_formula_like,
)
from reportgen.workbook.layout import ROW_MARK

ROWS_AT_ONCE: Final = 512
SHARED_FROM: Final = 1_000
"""Rows from which on a formula is shared where it may be: it stands once, and the cells below refer to it."""
_SPACES: Final = re.compile(r"^\s|\s$|\s\s|[\n\t]")
"""Spaces that a reader of XML might not keep."""

escape: Final = partial(escape_for, quote=False)

Gaps: TypeAlias = list[Sequence[str | int]]
Piece: TypeAlias = tuple[str, Gaps]
"""A template with gaps, as the operator % fills them, and for each gap what goes there, a row at a time."""


@dataclass(frozen=True)
class Default:
    """The formula of empty inputs, the rows that have it, counted from the first value, and their style."""

    formula: str
    rows: frozenset[int]
    style: Style


@dataclass(frozen=True)
class StreamedColumn:
    """One column of streamed rows: its letter, its style, its values, and its formula where it has one.

    ``skipped`` says how many of the values stand above the first row. ``may_be_shared`` says that the formula names
    cells of its own sheet alone: of a shared formula Excel does not shift the references to other sheets.
    """

    letter: str
    style: Style
    values: Values
    skipped: int = 0
    formula: str = ""
    may_be_shared: bool = False
    default: Default | None = None

    def stored(self, start: int, stop: int) -> list[Stored]:
        """Return what the cells of some rows hold, counted from 0."""
        return self.values.stored(self.skipped + start, self.skipped + stop)

    def whole_numbers(self, start: int, stop: int) -> list[int] | None:
        """Return the same where all are numbers that a file holds as whole ones."""
        values = self.values.array[self.skipped + start : self.skipped + stop]
        if values.dtype == object or len(values) < stop - start or not (np.abs(values) < WHOLE_BELOW).all():
            return None
        whole = values.astype(np.int64)
        return whole.tolist() if (whole == values).all() else None


@dataclass(frozen=True)
class RowStream:
    """The rows of a table from ``first_row`` to ``last_row``."""

    first_row: int
    last_row: int
    columns: tuple[StreamedColumn, ...]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.last_row - self.first_row + 1

    def parts(self) -> Iterator[bytes]:
        """Yield the rows as bytes, some at a time; the first of them alone, since it holds what is shared."""
        count = self.count
        cells = [_Cells(column, self, number) for number, column in enumerate(self.columns)]
        for start, stop in pairwise([0, *range(1, count, ROWS_AT_ONCE), count] if count else []):
            pieces = [column.piece(start, stop) for column in cells]
            yield "".join(_rows(range(self.first_row + start, self.first_row + stop), pieces)).encode()


@dataclass(frozen=True)
class WatchedRows:
    """Rows that tell how many of them have been written, as they are."""

    rows: RowsToCome
    advance: Callable[[int], None]

    @property
    def last_row(self) -> int:
        """The number of the last row."""
        return self.rows.last_row

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.rows.count

    def parts(self) -> Iterator[bytes]:
        """Yield the rows as they stand in the file."""
        for part in self.rows.parts():
            yield part
            self.advance(part.count(b"<row "))


def _rows(numbers: range, pieces: Sequence[Piece]) -> Iterator[str]:
    template = "".join([f'<row r="{ROW_MARK}">', *(text for text, _ in pieces), "</row>"]).split(ROW_MARK)
    gaps = [gap for _, gaps in pieces for gap in gaps]
    for number, row in zip(map(str, numbers), zip(*gaps, strict=True) if gaps else repeat(()), strict=False):
        yield number.join(template) % row


class _Cells:
    """The cells of a column as templates."""

    def __init__(self, column: StreamedColumn, rows: RowStream, number: int) -> None:
        self._column = column
        self._first_row = rows.first_row
        self._start = f'<c r="{column.letter}{ROW_MARK}"'
        self._styled = f'{self._start} s="{column.style.number}"'
        formula = _literal(escape(column.formula))
        self._first = self._others = f"<f>{formula}</f>" if formula else ""
        if column.may_be_shared and rows.last_row - rows.first_row >= SHARED_FROM:
            cells = f"{column.letter}{rows.first_row}:{column.letter}{rows.last_row}"
            self._first = f'<f t="shared" ref="{cells}" si="{number}">{formula}</f>'
            self._others = f'<f t="shared" si="{number}"/>'

    def piece(self, start: int, stop: int) -> Piece:
        """Return the template of some rows, counted from 0."""
        formula = self._others if start else self._first
        if self._column.default is not None:
            return self._with_defaults(self._column.default, start, stop)
        if (whole := self._column.whole_numbers(start, stop)) is not None:
            kind = ' t="b"' if self._column.values.yes_no else ""
            figure, gaps = _gap(whole, "%d")
            return f"{self._styled}{kind}>{formula}<v>{figure}</v></c>", gaps
        values = self._column.stored(start, stop)
        return self._live(values, formula) if formula else self._given(values)

    def _live(self, values: list[Stored], formula: str) -> Piece:
        shown = {value: _kind_and_text(value) for value in dict.fromkeys(values)}
        kinds, texts = zip(*map(shown.__getitem__, values), strict=True)
        kind, kind_gaps = _gap(kinds)
        text, text_gaps = _gap(texts)
        return f"{self._styled}{kind}>{formula}<v>{text}</v></c>", [*kind_gaps, *text_gaps]

    def _given(self, values: list[Stored]) -> Piece:
        shown = {value: self._styled_value(value) for value in dict.fromkeys(values)}
        text, gaps = _gap(list(map(shown.__getitem__, values)))
        return self._start + text, gaps

    def _with_defaults(self, default: Default, start: int, stop: int) -> Piece:
        """Return the template of some rows of inputs, where a gap may hold a formula."""
        above = self._first_row - self._column.skipped
        texts = [
            _by_default(default, above + place, value) if place in default.rows else self._styled_value(value)
            for place, value in enumerate(self._column.stored(start, stop), self._column.skipped + start)
        ]
        return f"{self._start}%s", [texts]

    def _styled_value(self, value: Stored) -> str:
        if not isinstance(value, str):
            return f' s="{self._column.style.number}"><v>{all_digits(value)}</v></c>'
        if not value:
            return f' s="{self._column.style.number}"/>'
        style = self._column.style.quoted_number if is_formula_like(value) else self._column.style.number
        space = ' xml:space="preserve"' if _SPACES.search(value) else ""
        return f' s="{style}" t="inlineStr"><is><t{space}>{escape(code_safe(value))}</t></is></c>'


def _by_default(default: Default, row: int, value: Stored) -> str:
    kind, text = _kind_and_text(value)
    formula = escape(default.formula).replace(ROW_MARK, str(row))
    return f' s="{default.style.number}"{kind}><f>{formula}</f><v>{text}</v></c>'


def _kind_and_text(value: Stored) -> tuple[str, str]:
    if isinstance(value, str):
        return ' t="str"', escape(code_safe(value))
    return (' t="b"', str(int(value))) if isinstance(value, bool) else ("", all_digits(value))


def _gap(values: Sequence[str | int], mark: str = "%s") -> Piece:
    """Return a gap for values, or the value itself where it is the same in all rows."""
    first = values[0]
    return (_literal(str(first)), []) if values.count(first) == len(values) else (mark, [values])


def _literal(text: str) -> str:
    return text.replace("%", "%%")
