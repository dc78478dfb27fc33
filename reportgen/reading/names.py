"""The names of catalogue rows: what they may be, and which of them a plan's cell means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

import numpy as np

from reportgen.arrays import Array, coded
from reportgen.calculation.catalogues import Hardware
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import Table
from reportgen.errors import LISTED, Problem, kept, quoted
from reportgen.expression import Column, Sheet
from reportgen.reading.csv_text import normalized

WILDCARDS = "*?~"
LONGEST_KEY = 255


def key_column(sheet: type[Sheet]) -> Column:
    """Return the column that names the rows of a catalogue."""
    return sheet.columns[0]


def name_problems(table: Table) -> Iterator[Problem]:
    """Yield what is wrong with a catalogue's names: a spreadsheet finds them without case and knows wildcards."""
    key = key_column(table.sheet)
    seen: dict[str, int] = {}
    for line, name in zip(table.lines, table.values[key].tolist(), strict=True):
        if any(mark in name for mark in WILDCARDS):
            yield Problem(table.file, line, key.name, quoted(name), f"a name without {' '.join(WILDCARDS)}")
        if len(name) > LONGEST_KEY:
            yield Problem(table.file, line, key.name, f"{len(name)} characters", f"at most {LONGEST_KEY}")
    for line, name in _names_and_aliases(table):
        if name and loose(name) in seen:
            found = f"{quoted(name)}, which line {seen[loose(name)]} has already"
            yield Problem(table.file, line, key.name, found, "each name once, whatever its case")
        seen.setdefault(loose(name), line)


def resolve(plan: Table, catalogues: Mapping[type[Sheet], Table]) -> tuple[Table, list[Problem]]:
    """Return a table with the catalogues' own spelling in place of its names, and a problem for each unknown name."""
    problems: list[Problem] = []
    values = dict(plan.values)
    for column in plan.values:
        sheet = column.names.sheet if isinstance(column, Input) and column.names is not None else None
        if isinstance(column, Input) and sheet is not None and sheet in catalogues:
            values[column], found = _resolved(plan, column, catalogues[sheet])
            problems += found
    return replace(plan, values=values), problems


def _resolved(plan: Table, column: Input, catalogue: Table) -> tuple[Array, list[Problem]]:
    key = catalogue.values[key_column(catalogue.sheet)].tolist()
    by_line = dict(zip(catalogue.lines, key, strict=True))
    known = {loose(name): by_line[line] for line, name in _names_and_aliases(catalogue)}
    places, texts = coded(plan.values[column])
    names = [known.get(loose(text)) for text in texts]
    unknown = [text for text, name in zip(texts, names, strict=True) if text and name is None and not column.free]
    problems = unknown_names(plan, column, plan.values[column], unknown, catalogue)
    spelt = [name or text for text, name in zip(texts, names, strict=True)]
    values: Array = np.array(spelt, dtype=object)[places]
    coded.keep(values, (places, spelt))
    return values, problems


def unknown_names(
    table: Table, column: Column, texts: Array, unknown: Iterable[str], catalogue: Table
) -> list[Problem]:
    """Return a problem for each cell with an unknown name; the first of these names get the nearest known ones."""
    key = catalogue.values[key_column(catalogue.sheet)].tolist()
    expected = dict.fromkeys(unknown, "one of its names")
    expected |= {text: nearest(text, key) for text in islice(expected, LISTED)}
    cells = zip(table.lines, texts.tolist(), strict=True) if expected else ()
    return kept(
        Problem(table.file, line, column.name, f"{quoted(text)}, which {catalogue.file} does not have", expected[text])
        for line, text in cells
        if text in expected
    )


def _names_and_aliases(table: Table) -> Iterator[tuple[int, str]]:
    names = zip(table.lines, table.values[key_column(table.sheet)].tolist(), strict=True)
    yield from names
    if table.sheet is Hardware:
        for line, aliases in zip(table.lines, table.values[Hardware.aliases].tolist(), strict=True):
            yield from ((line, alias.strip()) for alias in aliases.split(";") if alias.strip())


def loose(name: str) -> str:
    """Return a name as it is compared: without regard to case, and with spaces, hyphens and underscores alike."""
    return normalized(name)


def nearest(text: str, names: Iterable[str]) -> str:
    """Return what is expected in place of an unknown name, nearest names first."""
    by_case = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(text.casefold(), by_case, 3, 0.5) if len(text) <= LONGEST_KEY else []
    listed = ", ".join(by_case[name] for name in near or list(by_case)[:8])
    return f"one of its names; nearest: {listed}" if near else f"one of its names, such as {listed}"
