"""The axes of a grid: the values of a column of the plan, read as the cells of a plan are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import prod

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import Table
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.errors import Problem, kept, quoted
from reportgen.expression import Column, Sheet
from reportgen.reading.columns import read_column
from reportgen.reading.names import key_column, loose, nearest, resolve, unknown_names
from reportgen.reading.tables import split_shares
from reportgen.sweeping.grid import MOST_COMBINATIONS, Grid
from reportgen.units import TEXT

Tables = Mapping[type[Sheet], Table]
ANY = "*"


@dataclass(frozen=True)
class Axis:
    """One column of the grid: the text of each of its values, and what they are in the columns of the plan."""

    column: Input
    texts: tuple[str, ...]
    values: Mapping[Column, Array]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def labels(self) -> list[str]:
        """What the name of a job says of each value: a name alone, a number with what it counts."""
        if self.column.unit == TEXT and not self.column.choices:
            return [text or f"{self.column.name} unset" for text in self.texts]
        name = self.column.name
        short = min((name, *self.column.also), key=len)
        said = short if 2 * len(short) < len(name) else name
        return [f"{said} {text or 'unset'}" for text in self.texts]


def read_axes(grid: Grid, tables: Tables) -> tuple[list[Axis], list[Problem]]:
    """Return an axis for each column of a grid, and every problem of their values.

    Args:
        grid: What the file holds.
        tables: The catalogues that the values may name.
    """
    axes: list[Axis] = []
    problems = list(_missing(grid))
    for column, texts in grid.texts.items():
        if texts:
            spelt, found = _names_meant(grid.file, column, texts, tables)
            axis, wrong = _axis(grid, column, spelt, tables)
            axes.append(axis)
            found += wrong
            problems += found or kept(_twice(grid.file, axis))
    problems += _unknown_models(grid.file, axes, tables) if not problems else []
    if (combinations := prod(map(len, axes))) > MOST_COMBINATIONS:
        problems.append(
            Problem(grid.file, 0, "grid", f"{combinations:,} combinations", f"at most {MOST_COMBINATIONS:,}")
        )
    return axes, problems


def _missing(grid: Grid) -> Iterator[Problem]:
    if grid.texts and Plan.hardware not in grid.texts:
        yield Problem(grid.file, 0, Plan.hardware.name, "no such column", "it")
    if grid.texts and Plan.model not in grid.texts and Plan.parameters not in grid.texts:
        yield Problem(grid.file, 0, Plan.model.name, "neither model nor parameters", "a model, or a count")


def _axis(grid: Grid, column: Input, texts: tuple[str, ...], tables: Tables) -> tuple[Axis, list[Problem]]:
    cells: dict[Column, tuple[str, ...]] = {column: texts}
    if Plan.trainable_share not in grid.texts:
        split_shares(cells)
    lines, problems = (0,) * len(texts), list[Problem]()
    values: dict[Column, Array] = {}
    for one in {column, Plan.trainable_share} & cells.keys():
        values[one], found = read_column(grid.file, one, cells[one], lines)
        problems += found
    table, found = resolve(Table(Plan, grid.file, "", lines, values), tables)
    said = table.values[column].tolist() if table.values[column].dtype == object else texts
    spelt = tuple(str(value) if text else "" for text, value in zip(texts, said, strict=True))
    return Axis(column, spelt, table.values), list(dict.fromkeys([*problems, *found]))


def _names_meant(
    file: str, column: Input, texts: tuple[str, ...], tables: Tables
) -> tuple[tuple[str, ...], list[Problem]]:
    """Return the texts with the names that each pattern means in its place: ``*`` stands for any part of a name."""
    sheet = column.names.sheet if column.names is not None else None
    if not any(ANY in text for text in texts) or (sheet is not None and sheet not in tables):
        return texts, []
    if sheet is not None:
        names: Iterable[str] = tables[sheet].values[key_column(sheet)].tolist()
    elif column.choices:
        names = column.choices
    else:
        return texts, []
    meant, problems = dict[str, None](), list[Problem]()
    for text in texts:
        pattern = loose(text).replace("[", "[[]").replace("?", "[?]")
        found = [name for name in names if fnmatchcase(loose(name), pattern)] if ANY in text else [text]
        meant |= dict.fromkeys(found)
        if not found:
            problems.append(
                Problem(file, 0, column.name, f"{quoted(text)}, which no name is like", nearest(text, names))
            )
    return tuple(meant), problems


def _twice(file: str, axis: Axis) -> Iterator[Problem]:
    first: dict[tuple[str, ...], str] = {}
    for place, text in enumerate(axis.texts):
        value = tuple(str(values[place]).casefold() for values in axis.values.values())
        if value in first:
            found = f"{quoted(text)} after {quoted(first[value])}, which means the same"
            yield Problem(file, 0, axis.column.name, found, "each value once")
        first.setdefault(value, text)


def _unknown_models(file: str, axes: list[Axis], tables: Tables) -> list[Problem]:
    """Return a problem for each model that is not in the models, where a size is not always given."""
    values = {column: found for axis in axes for column, found in axis.values.items()}
    sized = Plan.parameters in values and not np.isnan(values[Plan.parameters]).any()
    if sized or Plan.model not in values or Models not in tables:
        return []
    known = {name.lower() for name in tables[Models].values[Models.model].tolist()}
    unknown = [name for name in values[Plan.model].tolist() if name and name.lower() not in known]
    table = Table(Plan, file, "", (0,) * len(values[Plan.model]), {})
    return unknown_names(table, Plan.model, values[Plan.model], unknown, tables[Models])
