"""Plans in any form, with their catalogues: CSV, Parquet, or a workbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeVar, Unpack

from reportgen.calculation.ledger import Inputs
from reportgen.errors import InputError, Problem
from reportgen.reading.inputs import read_inputs
from reportgen.sources import FilePath, Reading, all_catalogues, given_catalogues, is_workbook, plan_source

_Result = TypeVar("_Result")


def read_plan(
    plan: FilePath,
    *,
    models: FilePath | None = None,
    architectures: FilePath | None = None,
    optimizers: FilePath | None = None,
    recipes: FilePath | None = None,
    blocks: FilePath | None = None,
    hardware: FilePath | None = None,
    cloud_prices: FilePath | None = None,
    assumptions: FilePath | None = None,
    encoding: str = "",
    decimal: Literal["", "comma", "point"] = "",
) -> Inputs:
    """Return a plan with its catalogues; those not given are the ones that ship with reportgen.

    Args:
        plan: A CSV or Parquet file, or a workbook that ``build_report`` wrote, which holds its own catalogues; ``-``
            for standard input.
        models: A CSV in place of the shipped models.
        architectures: The same for the classes of models' code.
        optimizers: The same for the optimizers.
        recipes: The same for the recipes.
        blocks: The same for the laws of activations.
        hardware: The same for the cards.
        cloud_prices: The same for the dated prices of clouds.
        assumptions: The same for the assumptions.
        encoding: Encoding of the files given here; UTF-8, or what a byte order mark says, where empty.
        decimal: What stands before the decimals in them; told from each file where empty.

    Raises:
        InputError: If anything in the files is wrong; it lists every problem.
        FileError: If a file cannot be read.
    """
    reading = Reading(
        models=models,
        architectures=architectures,
        optimizers=optimizers,
        recipes=recipes,
        blocks=blocks,
        hardware=hardware,
        cloud_prices=cloud_prices,
        assumptions=assumptions,
        encoding=encoding,
        decimal=decimal,
    )
    given = given_catalogues(reading)
    source = plan_source(plan, reading)
    if is_workbook(source.data):
        from reportgen.returned.writing import read_workbook

        return read_workbook(source.data, source.file, given)
    return read_inputs(source, all_catalogues(given))


def read_plans(plans: Sequence[FilePath], **reading: Unpack[Reading]) -> list[Inputs]:
    """Return several plans, each read the same way.

    Raises:
        InputError: If anything in the files is wrong; it lists every problem of every plan.
        FileError: If a file cannot be read.
    """
    return all_or_problems([partial(read_plan, plan, **reading) for plan in plans])


def all_or_problems(calls: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """Return the results of all calls, or the problems of all."""
    results, problems = [], set[Problem]()
    for call in calls:
        try:
            results.append(call())
        except InputError as error:
            problems |= set(error.problems)
    if problems:
        raise InputError(sorted(problems))
    return results
