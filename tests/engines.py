"""A spreadsheet program as judge: recalculates workbooks by force and reads every value back."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final, NoReturn, TypeAlias
from xml.etree import ElementTree as ET

import pytest
from openpyxl.utils.cell import coordinate_to_tuple
from python_calamine import CalamineWorkbook

import reportgen

Value: TypeAlias = int | float | str | bool | date | datetime | time | timedelta
"""What a reader finds in a cell; an error value and an empty cell are both the empty text."""

LARGEST_PRINTED: Final = 1e15
"""Up to here all digits of a whole number survive the 15 that LibreOffice writes."""

_ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""
_STORED = re.compile(rb"(</f>|<f[^>]*/>)(?:<v>[^<]*</v>|<v ?/>)")
_NOTES = re.compile(rb'<legacyDrawing [^>]*/>|<Relationship [^>]*/(?:comments|vmlDrawing)"[^>]*/>')
_PRINTING = re.compile(rb"<definedName [^>]*_xlnm[^>]*>[^<]*</definedName>")
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_SECONDS = 300


class Book:
    """The values of a workbook file, as python-calamine reads them, and its formulas, as they stand in the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def rows(self) -> dict[str, list[list[Value]]]:
        """The values of each sheet, from A1 on."""
        with CalamineWorkbook.from_path(self.path) as book:
            return {
                name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) or [] for name in book.sheet_names
            }

    def value(self, sheet: str, address: str) -> Value:
        """Return one cell's value."""
        row, column = coordinate_to_tuple(address)
        rows = self.rows[sheet]
        return rows[row - 1][column - 1] if row <= len(rows) and column <= len(rows[row - 1]) else ""

    @cached_property
    def formulas(self) -> dict[str, dict[str, str]]:
        """The formula of each formula cell, by sheet and address."""
        with zipfile.ZipFile(self.path) as archive:

            def tree(part: str) -> ET.Element:
                return ET.fromstring(archive.read(part))  # noqa: S314 - a file of our own

            sheets = tree("xl/workbook.xml").iter(f"{_MAIN}sheet")
            relations = tree("xl/_rels/workbook.xml.rels")
            parts = {one.attrib["Id"]: one.attrib["Target"].removeprefix("/xl/") for one in relations}
            return {
                sheet.attrib["name"]: {
                    cell.attrib["r"]: formula.text or ""
                    for cell in tree(f"xl/{parts[sheet.attrib[_RELATION]]}").iter(f"{_MAIN}c")
                    if (formula := cell.find(f"{_MAIN}f")) is not None
                }
                for sheet in sheets
            }

    def figures(self) -> Iterator[tuple[str, str, Value]]:
        """Yield sheet, address and value of every formula cell."""
        for sheet, formulas in self.formulas.items():
            for address in formulas:
                yield sheet, address, self.value(sheet, address)


def same(expected: Value, found: Value) -> bool:
    """Return whether two figures are one: decimals to 1e-12, whole numbers, yes/no and texts exactly."""
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if not isinstance(expected, int | float) or not isinstance(found, int | float):
        return expected == found
    if expected == int(expected) and abs(expected) < LARGEST_PRINTED:
        return expected == found
    return abs(expected - found) <= 1e-12 * abs(expected)


def differences(expected: Book, found: Book) -> list[tuple[str, str, str, Value, Value]]:
    """Return sheet, address, formula and both values of each formula cell of ``expected`` that ``found`` has not so."""
    return [
        (sheet, address, expected.formulas[sheet][address], value, live)
        for sheet, address, value in expected.figures()
        if not same(value, live := found.value(sheet, address))
    ]


def without_stored_values(source: Path, target: Path) -> None:
    """Write a twin of a workbook without stored values, and without notes and print titles, which take seconds."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as twin:
        for name in archive.namelist():
            content = archive.read(name)
            if name.startswith("xl/worksheets/"):
                content = _NOTES.sub(b"", _STORED.sub(rb"\1", content))
            elif name == "xl/workbook.xml":
                content = _PRINTING.sub(b"", content)
            twin.writestr(name, content)


class LibreOffice:
    """LibreOffice Calc without a screen, with a profile of its own that recalculates whatever it loads."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._runs = 0
        settings = folder / "profile" / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(_ALWAYS_RECALCULATE, encoding="utf-8")

    def recalculate(self, paths: Sequence[Path], *, keep_stored: bool = False) -> list[Book]:
        """Return the recalculated books, all in one start of the program.

        Args:
            paths: The workbooks; they stay as they are.
            keep_stored: Leave the stored values in, where the point is that they are not believed.
        """
        self._runs += 1
        twins, results = self._folder / f"twins {self._runs}", self._folder / f"results {self._runs}"
        twins.mkdir()
        names = [f"{position}.xlsx" for position in range(len(paths))]
        for name, path in zip(names, paths, strict=True):
            (shutil.copyfile if keep_stored else without_stored_values)(path, twins / name)
        profile = (self._folder / "profile").as_uri()
        command = [
            self._program,
            f"-env:UserInstallation={profile}",
            "--headless",
            "--convert-to",
            "xlsx:Calc MS Excel 2007 XML",
        ]
        done = subprocess.run(  # noqa: S603 - our own command
            [*command, "--outdir", str(results), *(str(twins / name) for name in names)],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        missing = [name for name in names if not (results / name).exists()]
        assert not missing, f"LibreOffice did not convert {missing}: {done.stderr.decode()}"
        return [Book(results / name) for name in names]


def tool(program: str, package: str) -> str:
    """Return the path of a program that a test needs; without it the test skips, and fails in CI."""
    return shutil.which(program) or absent(f"{program} is not installed: apt-get install {package}")


def absent(message: str) -> NoReturn:
    """Skip the test with a line that says what to install; in CI fail it."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def environment(**changes: str) -> Mapping[str, str]:
    """Return the environment for a Python of its own that imports the same reportgen."""
    paths = (str(Path(reportgen.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **changes}
