"""What several commands take and how they take it: the plan, the catalogues in place of the shipped ones, the day."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, get_type_hints

import typer
from typer.models import ArgumentInfo

from reportgen.errors import FileError, listed

if TYPE_CHECKING:
    from reportgen.calculation.ledger import Inputs

Plan = Annotated[
    str, typer.Argument(help="The plan as CSV or Parquet, one job a row; - reads standard input.", metavar="PLAN")
]
Models = Annotated[Path | None, typer.Option(help="Models in place of the shipped ones.", metavar="CSV")]
Optimizers = Annotated[Path | None, typer.Option(help="Optimizers in place of the shipped ones.", metavar="CSV")]
Recipes = Annotated[Path | None, typer.Option(help="Recipes in place of the shipped ones.", metavar="CSV")]
Blocks = Annotated[Path | None, typer.Option(help="Laws of activations in place of the shipped ones.", metavar="CSV")]
Hardware = Annotated[Path | None, typer.Option(help="Hardware in place of the shipped cards.", metavar="CSV")]
Architectures = Annotated[
    Path | None, typer.Option(help="Classes of models' code in place of the shipped ones.", metavar="CSV")
]
CloudPrices = Annotated[Path | None, typer.Option(help="Cloud prices in place of the shipped ones.", metavar="CSV")]
Assumptions = Annotated[Path | None, typer.Option(help="Assumptions in place of the shipped ones.", metavar="CSV")]

Compare = Annotated[
    str,
    typer.Option(
        help="Cards of the hardware comparison; where empty all, or the most used of a large plan.", metavar="a,b,c"
    ),
]


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


Reading: TypeAlias = dict[str, Any]
"""How plans are to be read, as ``read_plan`` takes it."""

_READING: Final[Mapping[str, tuple[Any, Any]]] = {
    "models": (Models, None),
    "architectures": (Architectures, None),
    "optimizers": (Optimizers, None),
    "recipes": (Recipes, None),
    "blocks": (Blocks, None),
    "hardware": (Hardware, None),
    "cloud_prices": (CloudPrices, None),
    "assumptions": (Assumptions, None),
    "encoding": (Encoding, ""),
    "decimal": (DecimalMark, None),
}


def with_reading(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of reading, after its arguments; it takes them together as ``reading``."""
    hints = get_type_hints(command, include_extras=True)
    own = [
        one.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
        for name, one in signature(command).parameters.items()
        if name != "reading"
    ]
    shared = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for name, (annotation, default) in _READING.items()
    ]
    arguments = [one for one in own if isinstance(hints[one.name].__metadata__[0], ArgumentInfo)]
    parameters = [*arguments, *shared, *(one for one in own if one not in arguments)]

    @wraps(command)
    def with_shared(**given: Any) -> None:  # noqa: ANN401 - what the options of the command are
        reading = {name: given.pop(name) for name in _READING}
        command(reading=reading | {"decimal": reading["decimal"] or ""}, **given)

    with_shared.__annotations__ = {one.name: one.annotation for one in parameters}
    vars(with_shared)["__signature__"] = Signature(parameters)
    return with_shared


def read(plan: str, reading: Reading, *, quiet: bool = False) -> Inputs:
    """Return a plan with its catalogues, and say what is doubtful about them."""
    from reportgen import read_plan

    inputs = read_plan(plan, **reading)
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
