"""Rows as ready text: the many rows of a large sheet, streamed into its part instead of built cell by cell.

It knows cells, not what they mean. The first row of such a table is an ordinary one, from which the others take their
styles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from xml.sax.saxutils import escape

from reportgen.workbook.cells import Stored, code_safe, is_formula_like, number_text
from reportgen.workbook.layout import ROW_MARK

_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class StreamedColumn:
    """One column of streamed rows: its letter, its styles, its values, and its formula where it has one.

    ``quoted_style`` is the style of a text that begins like a formula. A value may be a number, yes or no, or a text;
    of an input the empty text is an empty cell.
    """

    letter: str
    style: int
    quoted_style: int
    values: Sequence[Stored]
    formula: str = ""

    def cells(self, rows: Sequence[str]) -> Iterator[str]:
        """Yield the cells, one a row."""
        return self._formulas(rows) if self.formula else self._inputs(rows)

    def _formulas(self, rows: Sequence[str]) -> Iterator[str]:
        parts = escape(self.formula).split(ROW_MARK)
        start, styled = f'<c r="{self.letter}', f'" s="{self.style}"'
        for row, value in zip(rows, self.values, strict=True):
            if isinstance(value, str):
                shown, kind = escape(code_safe(value)), ' t="str"'
            elif isinstance(value, bool):
                shown, kind = str(int(value)), ' t="b"'
            else:
                shown, kind = number_text(value), ""
            yield f"{start}{row}{styled}{kind}><f>{row.join(parts)}</f><v>{shown}</v></c>"

    def _inputs(self, rows: Sequence[str]) -> Iterator[str]:
        for row, value in zip(rows, self.values, strict=True):
            if not isinstance(value, str):
                yield f'<c r="{self.letter}{row}" s="{self.style}"><v>{number_text(value)}</v></c>'
            elif value:
                style = self.quoted_style if is_formula_like(value) else self.style
                text = f'<is><t xml:space="preserve">{escape(code_safe(value))}</t></is>'
                yield f'<c r="{self.letter}{row}" s="{style}" t="inlineStr">{text}</c>'
            else:
                yield f'<c r="{self.letter}{row}" s="{self.style}"/>'


@dataclass(frozen=True)
class RowStream:
    """The rows of a table from ``first_row`` on."""

    first_row: int
    columns: tuple[StreamedColumn, ...]

    @property
    def last_row(self) -> int:
        """The number of the last row."""
        return self.first_row + len(self.columns[0].values) - 1

    def parts(self) -> Iterator[bytes]:
        """Yield the rows as bytes, some at a time."""
        numbers = [str(row) for row in range(self.first_row, self.last_row + 1)]
        cells = zip(*(column.cells(numbers) for column in self.columns), strict=True)
        rows = (f'<row r="{number}">{"".join(row)}</row>' for number, row in zip(numbers, cells, strict=True))
        while some := "".join(islice(rows, _ROWS_AT_ONCE)):
            yield some.encode()
