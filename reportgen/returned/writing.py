"""A workbook's way back to files: its inputs as CSVs in a folder; and from a file to what verifying finds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from reportgen.calculation.ledger import Inputs
from reportgen.errors import FileError, Problem
from reportgen.expression import Sheet
from reportgen.files import bytes_writer, read_source, write_together
from reportgen.reading.tables import Source
from reportgen.returned.cells import Book
from reportgen.returned.inputs import inputs_of, read_returned
from reportgen.returned.verifying import Verification, verify

FilePath = str | Path


def read_workbook(data: bytes, file: str, instead: Mapping[type[Sheet], Source]) -> Inputs:
    """Return the inputs of a workbook as if its CSVs had been read, with files in place of some of them.

    Raises:
        InputError: With every problem, placed in the workbook's sheets.
        FileError: If it is no whole workbook that ``build_report`` wrote.
    """
    return inputs_of(read_returned(Book(data, file)), file, instead)


def import_inputs(book: FilePath, folder: FilePath, *, force: bool = False) -> tuple[list[Path], tuple[Problem, ...]]:
    """Write the input sheets of a workbook as CSVs, edited or not; built again they give the same workbook.

    Args:
        book: A workbook that ``build_report`` wrote.
        folder: Where to write; made if it is not there. The files have the names of those that the workbook came from.
        force: Replace files that hold something else.

    Returns:
        The files, and what does not come back as it stands in the workbook.

    Raises:
        InputError: With every sheet and every header that is not there.
        FileError: If a file cannot be read or written; then none is.
    """
    name, data = read_source(book)
    returned = read_returned(Book(data, name))
    contents = {Path(folder, one.source.file): one.source.data for one in returned.sheets.values()}
    for path, content in contents.items():
        if path.exists() and not force and not (path.is_file() and read_source(path)[1] == content):
            raise FileError(f"{path}: is there already and holds something else; --force replaces it")
    write_together({path: bytes_writer(content) for path, content in contents.items()}, force=True, keep_same=True)
    return list(contents), returned.warnings


def verify_workbook(book: FilePath, *, watched: bool = False) -> Verification:
    """Calculate a workbook again from its own inputs and compare every formula and every stored value.

    Args:
        book: A workbook that ``build_report`` wrote.
        watched: Say on standard error how far it is, if that is a terminal.

    Raises:
        InputError: If its inputs are wrong, or not all there.
        FileError: If it cannot be read, or is no whole workbook that ``build_report`` wrote.
    """
    name, data = read_source(book)
    return verify(data, name, watched=watched)
