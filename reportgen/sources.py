"""Which files are read, and as what: a plan of any form, the catalogues given, or those that ship with reportgen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypedDict

from reportgen.calculation.ledger import INPUT_SHEETS
from reportgen.calculation.models import Architectures
from reportgen.calculation.plan import Plan
from reportgen.expression import Sheet
from reportgen.files import data_folder, read_source
from reportgen.parquet import is_parquet, parquet_as_csv
from reportgen.reading.tables import Source
from reportgen.seal import ZIP_SIGNATURE

FilePath = str | Path

_SHEETS: Final[tuple[type[Sheet], ...]] = (*INPUT_SHEETS, Architectures)
CATALOGUES: Final = {sheet.title.lower().replace(" ", "_"): sheet for sheet in _SHEETS if sheet is not Plan}
"""The catalogues by the name of their file and of the argument that puts another in its place."""


class Reading(TypedDict, total=False):
    """How plans are read: the arguments of ``read_plan`` beside the plan."""

    models: FilePath | None
    architectures: FilePath | None
    optimizers: FilePath | None
    recipes: FilePath | None
    blocks: FilePath | None
    hardware: FilePath | None
    cloud_prices: FilePath | None
    assumptions: FilePath | None
    encoding: str
    decimal: Literal["", "comma", "point"]


def is_zip(data: bytes) -> bool:
    """Return whether a file's bytes begin as those of a workbook do, be it whole or not."""
    return data.startswith(ZIP_SIGNATURE)


def is_workbook(data: bytes) -> bool:
    """Return whether a file's bytes look like those of a workbook."""
    return is_zip(data) and b"xl/workbook.xml" in data


def given_catalogues(reading: Reading) -> dict[type[Sheet], Source]:
    """Return the catalogues that a user gives.

    Raises:
        FileError: If one cannot be read.
    """
    return {
        sheet: Source(*read_source(Path(str(path))), reading.get("encoding", ""), reading.get("decimal", ""))
        for name, sheet in CATALOGUES.items()
        if (path := reading.get(name)) is not None
    }


def all_catalogues(given: Mapping[type[Sheet], Source]) -> dict[type[Sheet], Source]:
    """Return every catalogue: the shipped one where none is given."""
    shipped = data_folder("inputs")
    return {
        sheet: given[sheet] if sheet in given else Source(*read_source(shipped / f"{name}.csv"))
        for name, sheet in CATALOGUES.items()
    }


def plan_source(plan: FilePath, reading: Reading) -> Source:
    """Return a plan as it is to be read; one in Parquet as the CSV that says the same.

    Raises:
        FileError: If it cannot be read.
        InputError: If it is Parquet and holds what no plan does.
    """
    file, data = read_source(plan)
    if is_parquet(data):
        return Source(file, parquet_as_csv(data, file))
    return Source(file, data, reading.get("encoding", ""), reading.get("decimal", ""))
