"""A model that names the class of its published code takes what that code has, where its own cells are empty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reportgen.calculation.ledger import Table
from reportgen.calculation.models import Architectures, Models
from reportgen.errors import Problem
from reportgen.expression import Column
from reportgen.reading.columns import read_column

Cells = dict[Column, tuple[str, ...]]

_BEYOND = re.compile(r"\+\d{1,9}")
"""A number of positions beyond the model's longest sequence."""
_FIRST_POSITIONS = "1"
_TARGETS = {
    column: getattr(Models, column.name) for column in Architectures.columns if column.name not in ("arch", "source")
}


def architecture_problems(architectures: Table) -> Iterator[Problem]:
    """Yield each cell that a model could not take."""
    for column, target in _TARGETS.items():
        texts = tuple(
            _FIRST_POSITIONS if _BEYOND.fullmatch(text) else text for text in architectures.values[column].tolist()
        )
        yield from read_column(architectures.file, target, texts, architectures.lines)[1]


def fill_from_architectures(cells: Cells, architectures: Table) -> None:
    """Fill the empty cells of models, in place.

    Args:
        cells: The texts of the models' columns, one a row.
        architectures: What each class of code has.
    """
    classes = cells.get(Models.arch)
    if classes is None:
        return
    known = _by_class(architectures)
    empty = ("",) * len(classes)
    longest = cells.get(Models.max_position, empty)
    for column, target in _TARGETS.items():
        own = cells.get(target, empty)
        cells[target] = tuple(
            text or _meant(known.get(name, {}).get(column, ""), positions)
            for text, name, positions in zip(own, classes, longest, strict=True)
        )


def _by_class(architectures: Table) -> Mapping[str, Mapping[Column, str]]:
    names = architectures.values[Architectures.arch].tolist()
    return {
        name: {column: architectures.values[column][position] for column in _TARGETS}
        for position, name in enumerate(names)
    }


def _meant(text: str, positions: str) -> str:
    """Return a text as it is, but for a number of positions beyond the model's longest sequence."""
    if not text.startswith("+"):
        return text
    return str(int(positions) + int(text)) if positions.isdecimal() else ""
