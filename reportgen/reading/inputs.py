"""From the bytes of all files to believed inputs, or every problem at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from reportgen.calculation.catalogues import AssumptionRows, CloudPrices, Hardware
from reportgen.calculation.ledger import INPUT_SHEETS, Inputs, Table
from reportgen.calculation.models import Architectures, Models
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError, Problem, Severity
from reportgen.expression import Column, Sheet
from reportgen.reading.architectures import architecture_problems
from reportgen.reading.assumptions import DECLARED, read_assumptions
from reportgen.reading.canonical import digest
from reportgen.reading.columns import empty_rows
from reportgen.reading.doubts import doubts_of
from reportgen.reading.names import name_problems, resolve
from reportgen.reading.rules import hardware_problems, model_problems, plan_problems
from reportgen.reading.tables import Source, read_table

File: TypeAlias = Source | tuple[str, bytes]


def read_inputs(plan: File, catalogues: Mapping[type[Sheet], File]) -> Inputs:
    """Return the plan and its catalogues.

    Args:
        plan: The plan's CSV.
        catalogues: A CSV for each catalogue sheet and for the assumptions, and for the architectures that models name.

    Raises:
        InputError: With every problem of every file.
    """
    tables, assumptions, problems = read_catalogues(catalogues)
    jobs, found = read_table(Plan, Source(*plan))
    problems += found
    if jobs is not None:
        tables = {Plan: jobs, **tables}
    if Plan in tables:
        problems += _check_plan(tables, problems)
        if not any(problem.severity is Severity.ERROR for problem in problems):
            problems += doubts_of(tables)
    records = {table.file: table.lines for table in tables.values()}
    ordered = [_with_record(problem, records) for problem in sorted(set(problems))]
    warnings = tuple(problem for problem in ordered if problem.severity is Severity.WARNING)
    if len(warnings) < len(ordered):
        raise InputError([problem for problem in ordered if problem.severity is Severity.ERROR], warnings)
    read = {sheet: replace(table, digest=digest(table)) for sheet, table in tables.items()}
    return Inputs(read, assumptions, warnings)


def read_catalogues(
    catalogues: Mapping[type[Sheet], File],
) -> tuple[dict[type[Sheet], Table], dict[Column, float], list[Problem]]:
    """Return the tables of the catalogues, as far as they can be read, the assumptions, and every problem."""
    problems: list[Problem] = []
    tables: dict[type[Sheet], Table] = {}
    architectures = None
    if Architectures in catalogues:
        architectures, problems = read_table(Architectures, Source(*catalogues[Architectures]))
        if architectures is not None:
            problems += [*name_problems(architectures), *architecture_problems(architectures)]
    for sheet in INPUT_SHEETS:
        if sheet is not Plan:
            table, found = read_table(sheet, Source(*catalogues[sheet]), architectures)
            problems += found
            if table is not None:
                tables[sheet] = table
    assumptions, found = _check_catalogues(tables, problems)
    return tables, assumptions, problems + found


def _check_catalogues(
    tables: dict[type[Sheet], Table], before: list[Problem]
) -> tuple[dict[Column, float], list[Problem]]:
    """Check what only whole catalogues show; return the assumptions and the problems."""
    problems = [problem for table in tables.values() for problem in name_problems(table)]
    assumptions: dict[Column, float] = {}
    if AssumptionRows in tables:
        tables[AssumptionRows], assumptions, found = read_assumptions(tables[AssumptionRows])
        problems += found
    if Models in tables:
        problems += _of_sound_rows(model_problems(tables[Models]), [*before, *problems])
    if Hardware in tables and set(assumptions) == set(DECLARED.values()):
        problems += _of_sound_rows(hardware_problems(tables[Hardware], assumptions), [*before, *problems])
    return assumptions, problems


def _check_plan(tables: dict[type[Sheet], Table], before: list[Problem]) -> list[Problem]:
    """Put the catalogues' names into the plan and return what is wrong between them."""
    tables[Plan], problems = resolve(tables[Plan], tables)
    if Models in tables and CloudPrices in tables:
        found = plan_problems(tables[Plan], tables[Models], tables[CloudPrices])
        problems += _of_sound_rows(found, [*before, *problems])
    tables[Plan] = _with_names(tables[Plan])
    return problems


def _of_sound_rows(found: Iterable[Problem], before: list[Problem]) -> list[Problem]:
    """Leave out what is said of a row in which a cell is wrong by itself: it would only follow from that."""
    unsound = {(problem.file, problem.line) for problem in before if problem.severity is Severity.ERROR}
    return [problem for problem in found if (problem.file, problem.line) not in unsound]


def _with_record(problem: Problem, lines_of: Mapping[str, tuple[int, ...]]) -> Problem:
    """Add the number of the record, which is not that of its line after a cell of several lines."""
    lines = lines_of.get(problem.file, ())
    position = bisect_left(lines, problem.line)
    known = position < len(lines) and lines[position] == problem.line and not problem.record
    return replace(problem, record=position + 2) if known else problem


def _with_names(plan: Table) -> Table:
    """Name each job that has no name after its model, else after its position."""
    jobs, models = plan.values[Plan.job].copy(), plan.values[Plan.model]
    for place in empty_rows(jobs):
        jobs[place] = models[place] or f"job {place + 1}"
    return replace(plan, values={**plan.values, Plan.job: jobs})
