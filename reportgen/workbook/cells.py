"""Cells as a workbook needs them: formulas with stored values, texts that stay texts, files that repeat to the byte.

openpyxl carries an ``ArrayFormula`` as a cell value; ``Formula`` is one without attributes, which stock openpyxl writes
as a plain formula. The subclasses below it add the stored value and fix the dates inside the file. They lean on four
names that openpyxl does not promise, which is why its minor version is pinned.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from os import PathLike
from typing import IO, Any, Final, Protocol

import numpy as np
from openpyxl.cell._writer import write_cell
from openpyxl.cell.cell import Cell
from openpyxl.comments.comment_sheet import CommentRecord
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.packaging.custom import StringProperty
from openpyxl.workbook import Workbook
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.functions import Element, SubElement

from reportgen.arrays import Array
from reportgen.digits import all_digits
from reportgen.expression import Column
from reportgen.seal import SEAL_PART, UNSEALED, parts_seal
from reportgen.units import YES_NO
from reportgen.workbook.deflating import deflating_in_threads

Stored = float | bool | str
"""A formula's value: a number, yes or no, a text."""

ZIP_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_CODE_LIKE: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
"""Where a text looks like a character's code, which a reader would turn into that character."""
_PIECE: Final = 1 << 20
_DIMENSION: Final = re.compile(rb'(<dimension ref="[A-Z]+[0-9]+:[A-Z]+)[0-9]+')
LONGEST_FORMULA: Final = 8192


class Formula(ArrayFormula):
    """A live formula and the value it has now."""

    def __init__(self, text: str, value: Stored) -> None:
        if len(text) > LONGEST_FORMULA:
            raise ValueError(f"a formula of {len(text)} characters; a cell holds {LONGEST_FORMULA}")
        super().__init__(None, "=" + text)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{text} has no value to store")
        self.value = value

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(())


class Style:
    """The style that the cells of a column have in common, taken from one of them while no text is in it."""

    def __init__(self, cell: Any) -> None:
        self._parts = copy(cell._style)
        quoted = copy(cell._style)
        quoted.quotePrefix = 1
        self.number, self.quoted_number = map(cell.parent.parent._cell_styles.add, (self._parts, quoted))
        """Its number, and that of the same with the mark of a text that is no formula."""

    def give(self, cell: Any) -> None:
        """Give it to a cell at once; looking each part of it up costs more than the cell itself."""
        cell._style = copy(self._parts)


@dataclass(frozen=True)
class Values:
    """What the cells of a column hold: float64 or texts, then spare rows that all hold the same.

    NaN is the word ``absent``; of an input that is the empty text, an empty cell. With ``yes_no`` 1 is yes.
    """

    array: Array
    absent: str = ""
    yes_no: bool = False
    spare: Stored = ""

    def stored(self, start: int, stop: int) -> list[Stored]:
        """Return what the cells of some rows hold, counted from 0."""
        some = self.array[start:stop]
        held: list[Stored] = some.tolist()
        if some.dtype != object and self.yes_no:
            held = [value == 1 for value in held]
        elif some.dtype != object:
            for place in np.flatnonzero(np.isnan(some)).tolist():
                held[place] = self.absent
        return [*held, *[self.spare] * (stop - start - len(held))]


def values_of(column: Column, array: Array, spare: Stored = "") -> Values:
    """Return a column's values as its cells hold them."""
    return Values(array, column.absent, column.unit == YES_NO, spare)


def stored(column: Column, array: Array) -> list[Stored]:
    """Return a column's values as cells hold them: texts, yes or no, numbers, or the word for no figure."""
    return values_of(column, array).stored(0, len(array))


def is_formula_like(text: str) -> bool:
    """Return whether a program would take an edited text for a formula; its style then says that it is none."""
    return text.startswith(("=", "+", "-", "@", "'"))


def code_safe(text: str) -> str:
    """Return a text as a file holds it: what looks like a character's code stays what it looks like."""
    return _CODE_LIKE.sub("_x005F_", text)


def write_text(cell: Cell, text: str) -> None:
    """Put a text into a cell as text, whatever it begins with or looks like."""
    cell.value = code_safe(text)
    cell.data_type = "s"
    if is_formula_like(text):
        cell.quotePrefix = True


class RowsToCome(Protocol):
    """Rows of a sheet that are written as ready text after those that openpyxl holds."""

    @property
    def last_row(self) -> int:
        """The number of the last of them."""

    @property
    def count(self) -> int:
        """How many there are."""

    def parts(self) -> Iterator[bytes]:
        """Yield them as they stand in the file."""


@dataclass(frozen=True)
class Book:
    """A workbook in memory, and the rows to come of its large sheets, by title."""

    workbook: Workbook
    rows_to_come: Mapping[str, RowsToCome] = field(default_factory=dict)


def save(book: Book, target: str | PathLike[str] | IO[bytes], day: date) -> None:
    """Write the workbook with its stored values and its seal; the same workbook and day give the same bytes."""
    workbook = book.workbook
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC).replace(tzinfo=None)
    workbook.properties.created = moment
    workbook.properties.modified = moment
    workbook.custom_doc_props.append(  # type: ignore[attr-defined]  # the stubs do not know it
        StringProperty(name="reportgen", value=UNSEALED)
    )
    with _SealedZip(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        writer = _BookWriter(workbook, archive)
        writer.rows_to_come = book.rows_to_come
        writer.write_data()
        archive.write_seal()


class _SealedZip(zipfile.ZipFile):
    """A zip whose entries carry no clock time and no file mode, and whose last entry seals the others."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._digests: dict[str, str] = {}
        self._seal_part = b""

    @contextmanager
    def streamed(self, name: str) -> Iterator[IO[bytes]]:
        """Give an entry to be written piece by piece: no file of its own, so that a killed run leaves none."""
        with self.open(_entry(name), "w", force_zip64=True) as target, deflating_in_threads(target):
            digesting = _Digesting(target)
            with io.BufferedWriter(digesting, _PIECE) as buffered:
                yield buffered
        self._digests[name] = digesting.digest.hexdigest()

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        content = data.encode() if isinstance(data, str) else bytes(data)
        if zinfo_or_arcname == SEAL_PART:
            self._seal_part = content
            return
        self._digests[zinfo_or_arcname] = hashlib.sha256(content).hexdigest()
        super().writestr(_entry(zinfo_or_arcname), content)

    def write_seal(self) -> None:
        """Write the part that was held back until all others were known."""
        seal = parts_seal(self._digests).encode()
        super().writestr(_entry(SEAL_PART), self._seal_part.replace(UNSEALED.encode(), seal))


class _Digesting(io.RawIOBase):
    """Hands on what is written, and digests it."""

    def __init__(self, target: IO[bytes]) -> None:
        super().__init__()
        self._target = target
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self.digest.update(piece)
        self._target.write(piece)
        return len(piece)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ZIP_EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


class _BookWriter(ExcelWriter):
    """The stock writer with another writer for its sheets."""

    rows_to_come: Mapping[str, RowsToCome]

    def write_worksheet(self, ws: Any) -> None:
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts = ws._charts
        ws._drawing.images = ws._images
        archive: _SealedZip = self._archive  # type: ignore[attr-defined]  # the stubs do not know it
        with archive.streamed(ws.path[1:]) as part:
            ws._rels = _write_part(ws, part, self.rows_to_come.get(ws.title))
        self.manifest.append(ws)


def _write_part(sheet: Any, part: IO[bytes], rows: RowsToCome | None) -> Any:
    """Write a sheet, with the rows to come before the end of its data, and return what it refers to.

    openpyxl writes to memory: a disk that is full half-way would make its generators complain long after.
    """
    held = io.BytesIO()
    writer: Any = _SheetWriter(sheet, out=held)
    writer.write()
    head, end, tail = held.getvalue().partition(b"</sheetData>")
    if rows is not None:
        head = _DIMENSION.sub(rb"\g<1>%d" % rows.last_row, head, count=1)
    part.write(head)
    part.writelines(rows.parts() if rows is not None else ())
    part.write(end + tail)
    return writer._rels


class _SheetWriter(WorksheetWriter):
    """The stock writer, but for formulas: those get their stored value."""

    def write_row(self, xf: Any, row: Iterable[Any], row_idx: int) -> None:
        sheet: Any = self.ws
        attributes = {"r": f"{row_idx}", **dict(sheet.row_dimensions.get(row_idx, {}))}
        with xf.element("row", attributes):
            for cell in row:
                if cell._comment is not None:
                    sheet._comments.append(CommentRecord.from_cell(cell))
                if isinstance(cell._value, Formula):
                    xf.write(_formula_element(cell, cell._value))
                elif cell._value is not None or cell.has_style or cell._comment:
                    write_cell(xf, sheet, cell, cell.has_style)


def _formula_element(cell: Cell, formula: Formula) -> Any:
    value = formula.value
    attributes = {"r": cell.coordinate, "s": str(cell.style_id)}
    if isinstance(value, bool):
        attributes["t"] = "b"
    elif isinstance(value, str):
        attributes["t"] = "str"
    element = Element("c", attributes)
    SubElement(element, "f").text = str(formula.text)[1:]
    SubElement(element, "v").text = code_safe(value) if isinstance(value, str) else all_digits(value)
    return element
