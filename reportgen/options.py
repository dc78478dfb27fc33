"""What several commands take and how they take it: the plan, the catalogues in place of the shipped ones, the day."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reportgen.errors import FileError, listed

if TYPE_CHECKING:
    from reportgen.calculation.ledger import Inputs

Plan = Annotated[str, typer.Argument(help="The plan as CSV, one job a row; - reads standard input.", metavar="PLAN")]
Models = Annotated[Path | None, typer.Option(help="Models in place of the shipped ones.", metavar="CSV")]
Optimizers = Annotated[Path | None, typer.Option(help="Optimizers in place of the shipped ones.", metavar="CSV")]
Recipes = Annotated[Path | None, typer.Option(help="Recipes in place of the shipped ones.", metavar="CSV")]
Blocks = Annotated[Path | None, typer.Option(help="Laws of activations in place of the shipped ones.", metavar="CSV")]
Hardware = Annotated[Path | None, typer.Option(help="Hardware in place of the shipped cards.", metavar="CSV")]
CloudPrices = Annotated[Path | None, typer.Option(help="Cloud prices in place of the shipped ones.", metavar="CSV")]
Assumptions = Annotated[Path | None, typer.Option(help="Assumptions in place of the shipped ones.", metavar="CSV")]


class Decimal(StrEnum):
    """What stands before the decimals."""

    COMMA = "comma"
    POINT = "point"


def _encoding(name: str) -> str:
    from reportgen.reading.decoding import is_encoding

    if name and not is_encoding(name):
        raise typer.BadParameter(f"no encoding {name!r}; cp1252, gb18030, shift_jis and utf-16-le are some")
    return name


Encoding = Annotated[
    str, typer.Option(callback=_encoding, help="Encoding of the files, where it is not UTF-8.", metavar="NAME")
]
DecimalMark = Annotated[
    Decimal | None, typer.Option("--decimal", help="Decimal mark of the files, where they do not tell it.")
]


def read(
    plan: str,
    models: Path | None,
    optimizers: Path | None,
    recipes: Path | None,
    blocks: Path | None,
    hardware: Path | None,
    cloud_prices: Path | None,
    assumptions: Path | None,
    encoding: str = "",
    decimal: Decimal | None = None,
    *,
    quiet: bool = False,
) -> Inputs:
    """Return a plan with its catalogues, and say what is doubtful about them."""
    from reportgen import read_plan

    inputs = read_plan(
        plan,
        models=models,
        optimizers=optimizers,
        recipes=recipes,
        blocks=blocks,
        hardware=hardware,
        cloud_prices=cloud_prices,
        assumptions=assumptions,
        encoding=encoding,
        decimal=decimal.value if decimal else "",
    )
    if inputs.warnings and not quiet:
        typer.echo(listed(inputs.warnings), err=True)
    return inputs


def counted(inputs: Inputs) -> str:
    """Return how many jobs a plan has."""
    return f"{len(inputs.plan):,} job" + ("s" if len(inputs.plan) != 1 else "")


def today() -> date:
    """Return the day of SOURCE_DATE_EPOCH where it is set, else today."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now().astimezone().date()
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC).date()
    except (ValueError, OverflowError, OSError):
        raise FileError(f"SOURCE_DATE_EPOCH: found {epoch!r}, expected seconds since 1970") from None
