"""From records to believed tables: types, bounds, defaults and names, as the columns declare them."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from reportgen.calculation.catalogues import Assumption, AssumptionRows, Assumptions, Bounds, Input
from reportgen.calculation.ledger import CATALOGUES, Inputs, Table
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError, Problem
from reportgen.expression import Column, Sheet
from reportgen.primitives import Array
from reportgen.reading.csv_text import Records, normalized, read_records
from reportgen.reading.quantities import (
    QuantityError,
    parse_count,
    parse_date,
    parse_memory,
    parse_number,
    parse_share,
)
from reportgen.units import BYTES_IN, DATE, TEXT, YES_NO

Source = tuple[str, bytes]
"""A file's name, as problems show it, and its bytes."""

_WILDCARDS = "*?~"
_LONGEST_KEY = 255


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
    for sheet in (*CATALOGUES, AssumptionRows):
        table, found = _read_table(sheet, catalogues[sheet])
        problems += found
        if table is not None:
            found = list(_name_problems(table))
            problems += found
            tables[sheet] = table
    assumptions: dict[Column, float] = {}
    if AssumptionRows in tables:
        tables[AssumptionRows], assumptions, found = _assumed(tables[AssumptionRows])
        problems += found
    table, found = _read_table(Plan, plan)
    problems += found
    if table is not None:
        table, found = _resolved(table, tables)
        problems += found
        tables = {Plan: table, **tables}
    if problems:
        raise InputError(sorted(problems))
    return Inputs(tables, assumptions)


# --- one table ---------------------------------------------------------------------------------------------------


def _read_table(sheet: type[Sheet], source: Source) -> tuple[Table | None, list[Problem]]:
    file, data = source
    columns = [column for column in sheet.columns if isinstance(column, Input)]
    headers = {normalized(name): column for column in columns for name in (column.name, *column.also)}
    records, problems = read_records(data, file, headers)
    if records is None:
        return None, problems
    found_columns = [headers.get(normalized(name)) for name in records.header]
    problems += _column_problems(file, columns, found_columns, records)
    cells: dict[Column, tuple[str, ...]] = {}
    further: dict[str, tuple[str, ...]] = {}
    for name, column, values in zip(records.header, found_columns, zip(*records.rows, strict=True), strict=True):
        if column is None:
            further[name] = values
        else:
            cells[column] = values
    if sheet is Plan:
        _split_shares(cells)
    arrays: dict[Column, Array] = {}
    for column in columns:
        texts = cells.get(column, ("",) * len(records.rows))
        arrays[column], found = _column(file, column, texts, records.lines)
        problems += found
    return Table(sheet, file, hashlib.sha256(data).hexdigest(), records.lines, arrays, further), problems


def _column_problems(file: str, columns: list[Input], found: list[Input | None], records: Records) -> Iterator[Problem]:
    for column in columns:
        if found.count(column) > 1:
            names = [name for name, known in zip(records.header, found, strict=True) if known is column]
            yield Problem(file, 1, column.name, f"the headers {', '.join(names)}", "one of them")
        if column.required and column not in found:
            near = difflib.get_close_matches(column.name, records.header, 1)
            yield Problem(
                file, 1, column.name, "no such column" + (f" (nearest: {near[0]})" if near else ""), "this column"
            )


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


def _column(file: str, column: Input, texts: tuple[str, ...], lines: tuple[int, ...]) -> tuple[Array, list[Problem]]:
    """Return one column's values and its problems; each distinct text is parsed once."""
    is_text = column.unit in (TEXT, YES_NO, DATE) or column.sheet is AssumptionRows
    parse = _parser(column)
    absent: Any = "" if is_text else np.nan
    parsed: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        meant = text or column.default
        try:
            parsed[text] = parse(meant) if meant else absent
            if not meant and column.required:
                wrong[text] = _expected(column)
        except QuantityError as error:
            parsed[text], wrong[text] = absent, str(error)
    problems = [
        Problem(file, line, column.name, repr(text) if text else "an empty cell", wrong[text])
        for text, line in zip(texts, lines, strict=True)
        if wrong and text in wrong
    ]
    return np.array([parsed[text] for text in texts], dtype=object if is_text else np.float64), problems


def _parser(column: Input) -> Callable[[str], Any]:
    if column.choices:
        return _choice(column.choices)
    if column.unit == DATE:
        return parse_date
    if column.unit in (TEXT, YES_NO) or column.sheet is AssumptionRows:
        return lambda text: text
    return _bounded(_number_parser(column.unit, column.percent), column.bounds)


def _number_parser(unit: str, percent: bool) -> Callable[[str], float]:
    if unit in ("parameter", "token"):
        return parse_count
    if unit in BYTES_IN:
        return parse_memory(unit)
    return parse_share if percent else parse_number


def _bounded(parse: Callable[[str], float], bounds: Bounds) -> Callable[[str], float]:
    def parse_within(text: str) -> float:
        value = parse(text)
        if not bounds.admits(value):
            raise QuantityError(str(bounds))
        return value

    return parse_within


def _choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.casefold() not in choices:
            raise QuantityError("one of " + ", ".join(choices))
        return text.casefold()

    return parse


def _expected(column: Input) -> str:
    return "a name" if column.unit == TEXT else str(column.bounds)


# --- names that other tables refer to ----------------------------------------------------------------------------


def _key_column(sheet: type[Sheet]) -> Column:
    return sheet.columns[0]


def _name_problems(table: Table) -> Iterator[Problem]:
    """Names are found without regard to case and by spreadsheet functions that know wildcards."""
    key = _key_column(table.sheet)
    seen: dict[str, int] = {}
    for line, name in zip(table.lines, table.values[key].tolist(), strict=True):
        if any(mark in name for mark in _WILDCARDS):
            yield Problem(table.file, line, key.name, repr(name), f"a name without {' '.join(_WILDCARDS)}")
        if len(name) > _LONGEST_KEY:
            yield Problem(table.file, line, key.name, f"{len(name)} characters", f"at most {_LONGEST_KEY}")
        if name and _loose(name) in seen:
            found = f"{name!r}, which line {seen[_loose(name)]} has already"
            yield Problem(table.file, line, key.name, found, "each name once, whatever its case")
        seen.setdefault(_loose(name), line)


def _loose(name: str) -> str:
    return normalized(name).replace("_", "")


def _resolved(plan: Table, tables: Mapping[type[Sheet], Table]) -> tuple[Table, list[Problem]]:
    """Put the catalogues' own spelling in place of the plan's names, and name the jobs that have none."""
    problems: list[Problem] = []
    values = dict(plan.values)
    has_count = ~np.isnan(values[Plan.parameters])
    for column in (Plan.model, Plan.optimizer, Plan.recipe, Plan.hardware):
        sheet = column.names.sheet if column.names is not None else None
        if sheet is None or sheet not in tables:
            continue
        catalogue = tables[sheet]
        names = {_loose(name): name for name in catalogue.values[_key_column(sheet)].tolist()}
        resolved = []
        for line, text, free in zip(plan.lines, values[column].tolist(), has_count.tolist(), strict=True):
            name = names.get(_loose(text))
            if name is None and text and not (column is Plan.model and free):
                found = f"{text!r}, which {catalogue.file} does not have"
                problems.append(Problem(plan.file, line, column.name, found, _nearest(text, names.values())))
            resolved.append(text if name is None else name)
        values[column] = np.array(resolved, dtype=object)
    jobs = []
    for position, (line, job, model) in enumerate(
        zip(plan.lines, values[Plan.job].tolist(), values[Plan.model].tolist(), strict=True)
    ):
        if not model and not has_count[position]:
            problems.append(Problem(plan.file, line, "model", "neither model nor parameters", "one of the two"))
        jobs.append(job or model or f"job {position + 1}")
    values[Plan.job] = np.array(jobs, dtype=object)
    return replace(plan, values=values), problems


def _nearest(text: str, names: Iterable[str]) -> str:
    by_case = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(text.casefold(), by_case, 3, 0.5)
    listed = near or list(by_case)[:8]
    return ("one of its names; nearest: " if near else "one of its names, such as ") + ", ".join(
        by_case[name] for name in listed
    )


def _assumed(table: Table) -> tuple[Table, dict[Column, float], list[Problem]]:
    """Return the table with its values as numbers, the assumptions by name, and the problems."""
    declared = {column.name: column for column in Assumptions.columns if isinstance(column, Assumption)}
    problems: list[Problem] = []
    assumptions: dict[Column, float] = {}
    numbers: dict[Column, list[float]] = {
        column: [] for column in (AssumptionRows.value, AssumptionRows.low, AssumptionRows.high)
    }
    rows = zip(
        table.lines,
        *(table.values[column].tolist() for column in (AssumptionRows.name, AssumptionRows.unit, *numbers)),
        strict=True,
    )
    for line, name, unit, *texts in rows:
        column = declared.get(name)
        if column is None:
            expected = _nearest(name, [known.name for known in Assumptions.columns])
            problems.append(Problem(table.file, line, "name", repr(name), expected))
        elif unit != column.unit:
            problems.append(Problem(table.file, line, "unit", repr(unit), f"{column.unit}, the unit of {name}"))
        for kept, text in zip(numbers, texts, strict=True):
            parse = (
                _bounded(_number_parser(column.unit, column.percent), column.bounds)
                if column is not None
                else parse_number
            )
            try:
                numbers[kept].append(parse(text) if text else np.nan)
            except QuantityError as error:
                numbers[kept].append(np.nan)
                problems.append(Problem(table.file, line, kept.name, repr(text), str(error)))
        if column is not None:
            assumptions[column] = numbers[AssumptionRows.value][-1]
    problems += [
        Problem(table.file, 0, "name", f"no row {name}", f"a value for it in {column.unit}")
        for name, column in declared.items()
        if column not in assumptions
    ]
    arrays = {column: np.array(values, dtype=np.float64) for column, values in numbers.items()}
    return replace(table, values={**table.values, **arrays}), assumptions, problems
