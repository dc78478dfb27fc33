"""From the bytes of all files to believed inputs, or every problem at once."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.catalogues import AssumptionRows, CloudPrices
from reportgen.calculation.declare import Input
from reportgen.calculation.ledger import INPUT_SHEETS, Inputs, Table
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError, Problem
from reportgen.expression import Column, Expression, Sheet
from reportgen.reading.assumptions import read_assumptions
from reportgen.reading.columns import default_of, empty_rows, fill_default, read_column
from reportgen.reading.csv_text import Records, normalized, read_records
from reportgen.reading.names import name_problems, resolve
from reportgen.reading.rules import model_problems, plan_problems
from reportgen.readings import evaluate

Source = tuple[str, bytes]
"""A file's name, as problems show it, and its bytes."""


def read_inputs(plan: Source, catalogues: Mapping[type[Sheet], Source]) -> Inputs:
    """Return the plan and its catalogues.

    Args:
        plan: The plan's CSV.
        catalogues: A CSV for each catalogue sheet and for the assumptions.

    Raises:
        InputError: With every problem of every file.
    """
    problems: list[Problem] = []
    tables: dict[type[Sheet], Table] = {}
    for sheet in INPUT_SHEETS:
        table, found = _read_table(sheet, plan if sheet is Plan else catalogues[sheet])
        problems += found
        if table is not None:
            tables[sheet] = table
    for sheet, table in tables.items():
        if sheet is not Plan:
            problems += name_problems(table)
    assumptions: dict[Column, float] = {}
    if AssumptionRows in tables:
        tables[AssumptionRows], assumptions, found = read_assumptions(tables[AssumptionRows])
        problems += found
    if Models in tables:
        problems += _of_sound_rows(model_problems(tables[Models]), problems)
    if Plan in tables:
        tables[Plan], found = resolve(tables[Plan], tables)
        problems += found
        if Models in tables and CloudPrices in tables:
            found = _of_sound_rows(plan_problems(tables[Plan], tables[Models], tables[CloudPrices]), problems)
            problems += found
        tables[Plan] = _with_names(tables[Plan])
    if problems:
        raise InputError(sorted(set(problems)))
    return Inputs(tables, assumptions)


def _of_sound_rows(found: Iterable[Problem], before: list[Problem]) -> list[Problem]:
    """Leave out what is said of a row in which a cell is wrong by itself: it would only follow from that."""
    unsound = {(problem.file, problem.line) for problem in before}
    return [problem for problem in found if (problem.file, problem.line) not in unsound]


def _read_table(sheet: type[Sheet], source: Source) -> tuple[Table | None, list[Problem]]:
    file, data = source
    columns = [column for column in sheet.columns if isinstance(column, Input)]
    headers = {normalized(name): column for column in columns for name in (column.name, *column.also)}
    records, problems = read_records(data, file, headers)
    if records is None:
        return None, problems
    meant = [headers.get(normalized(name)) for name in records.header]
    problems += _header_problems(file, columns, meant, records)
    cells: dict[Column, tuple[str, ...]] = {}
    further: dict[str, tuple[str, ...]] = {}
    for name, column, texts in zip(records.header, meant, zip(*records.rows, strict=True), strict=True):
        if column is None:
            further[name] = texts
        else:
            cells[column] = texts
    if sheet is Plan:
        _split_shares(cells)
    values: dict[Column, Array] = {}
    computed: dict[Column, frozenset[int]] = {}
    for column in columns:
        texts = cells.get(column, ("",) * len(records.rows))
        values[column], found = read_column(file, column, texts, records.lines)
        if column in meant or not column.required:
            problems += found
        if isinstance(column.default, Expression):
            computed[column] = frozenset(empty_rows(values[column]))
            values[column] = fill_default(values[column], evaluate(column.default, values))
    defaults: dict[Column, float | str] = {column: default_of(column) for column in columns}
    digest = hashlib.sha256(data).hexdigest()
    return Table(sheet, file, digest, records.lines, values, further, defaults, computed), problems


def _header_problems(file: str, columns: list[Input], meant: list[Input | None], records: Records) -> Iterator[Problem]:
    for column in columns:
        if meant.count(column) > 1:
            names = [name for name, known in zip(records.header, meant, strict=True) if known is column]
            yield Problem(file, 1, column.name, f"the headers {', '.join(names)}", "one of them")
        if column.required and column not in meant:
            near = difflib.get_close_matches(column.name, records.header, 1)
            yield Problem(file, 1, column.name, "no such column" + (f" (nearest: {near[0]})" if near else ""), "it")


def _split_shares(cells: dict[Column, tuple[str, ...]]) -> None:
    """Move shares such as ``5%`` from the trainable count to the trainable share, where that is empty."""
    counts = cells.get(Plan.trainable_parameters, ())
    if any(text.endswith("%") for text in counts):
        shares = cells.get(Plan.trainable_share, ("",) * len(counts))
        pairs = [
            ("", count) if count.endswith("%") and not share else (count, share)
            for count, share in zip(counts, shares, strict=True)
        ]
        cells[Plan.trainable_parameters], cells[Plan.trainable_share] = zip(*pairs, strict=True)


def _with_names(plan: Table) -> Table:
    """Name each job that has no name after its model, else after its position."""
    pairs = zip(plan.values[Plan.job].tolist(), plan.values[Plan.model].tolist(), strict=True)
    names = [job or model or f"job {position}" for position, (job, model) in enumerate(pairs, 1)]
    return replace(plan, values={**plan.values, Plan.job: np.array(names, dtype=object)})
