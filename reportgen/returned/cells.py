"""Sheets as rows of cells: each cell with its value, and its formula where it has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from posixpath import join, normpath
from typing import Final, NamedTuple, TypeAlias

from reportgen.returned.archive import Archive
from reportgen.returned.shared_formulas import SharedFormula
from reportgen.returned.texts import Collector, SharedReader, text_meant
from reportgen.returned.xml import Attributes, ForbiddenError, attribute, local, parsed

Value: TypeAlias = "float | bool | str | None"

LAST_ROW, LAST_COLUMN = 1_048_576, 16_384

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LETTERS = re.compile("[A-Z]{1,3}")
_WHOLE = re.compile("[0-9]{1,10}")
_WORKBOOK, _FOLDER = "xl/workbook.xml", "xl"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_DIGITS: Final = "0123456789"


class ErrorValue(str):
    """An error such as #DIV/0!, which is no text."""

    __slots__ = ()


class Cell(NamedTuple):
    """What a cell holds; ``formula`` is as the file has it, without the leading ``=``."""

    value: Value
    formula: str | None = None


class Row(NamedTuple):
    """A row's number, from 1, and its cells by the number of their column, from 1."""

    number: int
    cells: Mapping[int, Cell]


class Book:
    """A workbook's sheets by title."""

    def __init__(self, data: bytes, file: str) -> None:
        """Open a workbook.

        Args:
            data: The file.
            file: Its name, for messages only.

        Raises:
            FileError: If it is none, or not whole.
        """
        self.file = file
        self._archive = Archive(data, file)
        targets = {key: (kind, target) for key, kind, target in self._relations()}
        self._parts = {title: targets[key][1] for title, key in self._sheets() if key in targets}
        shared = [target for kind, target in targets.values() if kind.endswith("/sharedStrings")]
        self._shared = self._texts(shared[0]) if shared else []

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the sheets."""
        return tuple(self._parts)

    def rows(self, title: str) -> Iterator[Row]:
        """Yield the rows of a sheet that have cells, be they empty, from the first on."""
        reader = _SheetReader(self._shared)
        place = f"{self.file}: sheet {title}"
        for _ in parsed(self._archive.pieces(self._parts[title]), place, reader.start, reader.end, reader.text):
            yield from reader.taken()

    def _sheets(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []

        def start(name: str, attributes: Attributes) -> None:
            if local(name) == "sheet":
                found.append((attribute(attributes, "name"), attribute(attributes, "id")))

        self._read(_WORKBOOK, start)
        return found

    def _relations(self) -> list[tuple[str, str, str]]:
        found: list[tuple[str, str, str]] = []

        def start(name: str, attributes: Attributes) -> None:
            if local(name) == "Relationship" and attributes.get("TargetMode") != "External":
                target = attributes.get("Target", "")
                part = target[1:] if target.startswith("/") else normpath(join(_FOLDER, target))
                found.append((attributes.get("Id", ""), attributes.get("Type", ""), part))

        self._read(_RELATIONS, start)
        return found

    def _read(self, part: str, start: Callable[[str, Attributes], None]) -> None:
        for _ in parsed(self._archive.pieces(part), f"{self.file}: {part}", start):
            pass

    def _texts(self, part: str) -> list[str]:
        reader = SharedReader()
        for _ in parsed(self._archive.pieces(part), f"{self.file}: {part}", reader.start, reader.end, reader.text):
            pass
        return reader.texts


def letters(column: int) -> str:
    """Return the letters of a column, from 1."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def whole(text: str) -> int | None:
    """Return the number that digits say; nothing where there is other than ten digits at most."""
    return int(text) if _WHOLE.fullmatch(text) else None


class _SheetReader(Collector):
    """The cells of one sheet; a handler's work is small, since a workbook has millions."""

    def __init__(self, shared: list[str]) -> None:
        super().__init__()
        self._shared = shared
        self._columns: dict[str, int] = {}
        self._rows: list[Row] = []
        self._cells: dict[int, Cell] = {}
        self._number = self._column = 0
        self._kind = ""
        self._formula: str | None = None
        self._raw: str | None = None
        self._aside = False
        self._share = ""
        self._masters: dict[str, SharedFormula] = {}

    def taken(self) -> list[Row]:
        """Return the rows that have been read since the last time."""
        rows, self._rows = self._rows, []
        return rows

    def start(self, name: str, attributes: Attributes) -> None:
        if ":" in name:
            name = local(name)
        if name == "c":
            self._begin_cell(attributes)
        elif name == "row":
            self._begin_row(attributes)
        elif name in ("v", "f"):
            self._begin()
            self._wanted = True
            self._share = attributes.get("si", "") if attributes.get("t") == "shared" else ""
        elif name == "t":
            self._wanted = not self._aside
        elif name == "is":
            self._begin()
        elif name == "rPh":
            self._aside = True

    def end(self, name: str) -> None:
        if ":" in name:
            name = local(name)
        if name == "c":
            self._end_cell()
        elif name in ("v", "is"):
            self._raw = self._collected()
        elif name == "f":
            self._formula = self._formula_meant(self._collected())
        elif name == "row" and self._column:
            self._rows.append(Row(self._number, self._cells))
        elif name == "rPh":
            self._aside = False
        self._wanted = False

    def _begin_row(self, attributes: Attributes) -> None:
        given = whole(attributes.get("r", ""))
        number = self._number + 1 if given is None else given
        if not self._number < number <= LAST_ROW:
            raise ForbiddenError(f"has row {number} after row {self._number}")
        self._number, self._column, self._cells = number, 0, {}

    def _begin_cell(self, attributes: Attributes) -> None:
        name = attributes.get("r", "").rstrip(_DIGITS)
        column = self._columns.get(name) if name else self._column + 1
        if column is None:
            column = self._columns[name] = _number_of(name)
        if not 0 < column <= LAST_COLUMN:
            raise ForbiddenError(f"has a cell {attributes.get('r', '')[:20]!r}")
        self._column, self._kind = column, attributes.get("t", "n")
        self._formula = self._raw = None

    def _end_cell(self) -> None:
        if self._raw is not None or self._formula is not None:
            self._cells[self._column] = Cell(self._value(), self._formula)

    def _formula_meant(self, formula: str) -> str:
        """Return a formula; one that is shared stands in its first cell only, and the others move it to their place."""
        if not self._share:
            return formula
        column = letters(self._column)
        if formula:
            self._masters[self._share] = SharedFormula(formula, self._number, column)
            return formula
        master = self._masters.get(self._share)
        return master.at(self._number, column) if master is not None else ""

    def _value(self) -> Value:
        raw = self._raw
        if raw is None:
            return None
        if self._kind == "n":
            return float(raw) if _NUMBER.fullmatch(raw) else raw or None
        if self._kind == "s":
            position = whole(raw)
            if position is None or position >= len(self._shared):
                raise ForbiddenError(f"refers to shared text {raw[:20]!r}, which is not there")
            return self._shared[position]
        if self._kind == "b":
            return raw in ("1", "true")
        return ErrorValue(raw) if self._kind == "e" else text_meant(raw)


def _number_of(name: str) -> int:
    if not _LETTERS.fullmatch(name):
        return 0
    number = 0
    for letter in name:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
