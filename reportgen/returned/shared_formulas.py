"""Formulas that stand once for many cells: taken apart once, put together for each cell below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openpyxl.formula.tokenizer import Token, Tokenizer
from openpyxl.formula.translate import Translator

_CELL: Final = re.compile(r"(\$?[A-Z]{1,3})(\$?)(\d{1,7})")
_NAME: Final = re.compile(r"(?![A-Za-z]{1,3}\d+$)[A-Za-z_][A-Za-z0-9_.]*")


class SharedFormula:
    """A formula and the cell it stands in; it means the same, moved along, in other cells."""

    def __init__(self, text: str, row: int, column: str) -> None:
        """Take a formula apart, without its leading ``=``."""
        self._text, self._row, self._column = text, row, column
        try:
            self._pieces: list[str | int] | None = list(_pieces(text))
        except Exception:  # noqa: BLE001 - a text that is no formula fails in as many ways as it has marks
            self._pieces = None
        self._highest = min((piece for piece in self._pieces or () if isinstance(piece, int)), default=1)

    def at(self, row: int, column: str) -> str:
        """Return the formula as it reads in a cell; nothing where it is none."""
        down = row - self._row
        if self._pieces is not None and column == self._column and self._highest + down > 0:
            return "".join([piece if isinstance(piece, str) else str(piece + down) for piece in self._pieces])
        try:
            moved = Translator(f"={self._text}", f"{self._column}{self._row}").translate_formula(f"{column}{row}")
        except Exception:  # noqa: BLE001 - as above
            return ""
        return str(moved)[1:]


def _pieces(text: str) -> Iterator[str | int]:
    """Yield the texts of a formula and, between them, the numbers of the rows that move with it.

    Raises:
        ValueError: If it refers to something else than cells and names.
    """
    for token in Tokenizer(f"={text}").items:
        if token.type != Token.OPERAND or token.subtype != Token.RANGE:
            yield token.value
            continue
        sheet, mark, cells = token.value.rpartition("!")
        yield sheet + mark
        for place, cell in enumerate(cells.split(":")):
            yield ":" if place else ""
            if found := _CELL.fullmatch(cell):
                yield found[1] + found[2]
                yield found[3] if found[2] else int(found[3])
            elif _NAME.fullmatch(cell):
                yield cell
            else:
                raise ValueError(cell)
