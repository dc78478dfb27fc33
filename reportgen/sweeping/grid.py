"""The file of a grid: TOML with the values of each column, a condition and a ranking; knows its shape, not its values.

where = "fits and min_cards <= 512"

[grid]
model = ["Llama-3 8B", "Llama-3 70B"]
hardware = "*"
tokens = "1T"

[best]
by = "rental_cost"
per = "model"
top = 3
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from reportgen.calculation.declare import Input
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError, Problem, kept, quoted
from reportgen.reading.csv_text import cell_problem, normalized
from reportgen.reading.tables import known_headers

MOST_COMBINATIONS: Final = 10**12
LARGEST_GRID: Final = 1 << 22
_KEYS: Final = ("where", "grid", "best")
_RANKING: Final = ("by", "per", "top")
_AT: Final = re.compile(r" ?\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


@dataclass(frozen=True)
class Ranking:
    """Which combinations are the best: the first ``top`` by ``by``, or by ``-by`` the last, for each of ``per``."""

    by: str
    per: tuple[Input, ...] = ()
    top: int = 1


@dataclass(frozen=True)
class Grid:
    """What a file of a grid holds: the texts of each column of the plan, in the file's order."""

    file: str
    texts: Mapping[Input, tuple[str, ...]]
    where: str = ""
    best: Ranking | None = None


def read_grid(file: str, data: bytes) -> tuple[Grid, list[Problem]]:
    """Return a grid as far as it can be read, and every problem of its shape.

    Raises:
        InputError: If the file is no TOML.
    """
    content = _toml(file, data)
    problems = list(_unknown(file, "", content, _KEYS))
    texts, found = _columns(file, content.get("grid"))
    problems += found
    where = content.get("where", "")
    if not isinstance(where, str):
        problems.append(Problem(file, 0, "where", _kind(where), "a condition in quotes"))
        where = ""
    best, found = _ranking(file, content["best"], texts) if "best" in content else (None, [])
    return Grid(file, texts, where, best), problems + found


def _toml(file: str, data: bytes) -> dict[str, Any]:
    if len(data) > LARGEST_GRID:
        raise InputError([Problem(file, 0, "", f"{len(data):,} bytes", f"a grid of at most {LARGEST_GRID:,}")])
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError([Problem(file, line, "", f"the byte 0x{data[error.start]:02X}", "UTF-8")]) from None
    except RecursionError:
        raise InputError([Problem(file, 0, "", "values in values without end", "a grid in TOML")]) from None
    except ValueError as error:
        at = _AT.search(str(error))
        found = _AT.sub("", str(error)) + (f" in column {at['column']}" if at and at["column"] else "")
        line = int(at["line"] or data.count(b"\n") + 1) if at else 0
        raise InputError([Problem(file, line, "", found, "a grid in TOML")]) from None


def _unknown(file: str, within: str, content: Iterable[str], known: Iterable[str]) -> Iterator[Problem]:
    names = tuple(known)
    for key in content:
        if key not in names:
            near = difflib.get_close_matches(key, names, 3) if len(key) <= max(map(len, names)) * 2 else []
            expected = f"{'nearest' if near else 'one of'}: {', '.join(near or names)}"
            yield Problem(file, 0, within, f"the key {quoted(key)}", expected)


def _columns(file: str, content: object) -> tuple[dict[Input, tuple[str, ...]], list[Problem]]:
    if not isinstance(content, dict) or not content:
        found = "no such table" if content is None else "nothing in it" if content == {} else _kind(content)
        return {}, [Problem(file, 0, "grid", found, "a table [grid] with the columns of the plan and their values")]
    known = known_headers(Plan)
    unknown = [key for key in content if normalized(key) not in known]
    names = [column.name for column in Plan.columns]
    problems = kept(_unknown(file, "grid", unknown, names))
    texts: dict[Input, tuple[str, ...]] = {}
    for key, values in content.items():
        column = known.get(normalized(key))
        if column is None:
            continue
        if column in texts:
            problems.append(Problem(file, 0, column.name, f"it twice, once as {quoted(key)}", "each column once"))
            continue
        if column is Plan.job:
            problems.append(Problem(file, 0, column.name, "names of jobs", "none: they are made from what varies"))
        texts[column], wrong = _texts(file, column, values)
        problems += wrong
    return texts, problems


def _texts(file: str, column: Input, values: object) -> tuple[tuple[str, ...], list[Problem]]:
    listed = values if isinstance(values, list) else [values]
    texts = [_text(value) for value in listed]
    if not texts:
        return (), [Problem(file, 0, column.name, "an empty list", "at least one value")]
    return tuple(text or "" for text in texts), kept(_wrong(file, column, listed, texts))


def _wrong(file: str, column: Input, values: list[Any], texts: list[str | None]) -> Iterator[Problem]:
    for value, text in zip(values, texts, strict=True):
        if text is None:
            yield Problem(file, 0, column.name, _kind(value), "a text, a number, a date, or a list of them")
        elif unfit := cell_problem(text):
            yield Problem(file, 0, column.name, *unfit)


def _text(value: object) -> str | None:
    """Return a value as the cell of a plan says it; nothing where none does."""
    match value:
        case str():
            return value.strip()
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value}" if abs(value) < 10**20 else f"{value:#x}"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 10**20 else repr(value)
        case date() if not isinstance(value, datetime):
            return value.isoformat()
    return None


def _kind(value: object) -> str:
    """Return what a value of TOML is, in words."""
    match value:
        case str():
            return quoted(value)
        case bool():
            return "true" if value else "false"
        case int() | float():
            return quoted(_text(value) or "")
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a time"


def _ranking(
    file: str, content: object, texts: Mapping[Input, tuple[str, ...]]
) -> tuple[Ranking | None, list[Problem]]:
    if not isinstance(content, dict):
        return None, [Problem(file, 0, "best", _kind(content), "a table [best] with by, and per and top if wanted")]
    problems = list(_unknown(file, "best", content, _RANKING))
    by, top = content.get("by"), content.get("top", 1)
    if not isinstance(by, str) or not by.strip():
        found = "no such key" if by is None else _kind(by)
        problems.append(Problem(file, 0, "best.by", found, "the name of a column, with - before it for the largest"))
    if not isinstance(top, int) or isinstance(top, bool) or top < 1:
        problems.append(Problem(file, 0, "best.top", _kind(top), "a whole number at least 1"))
    per, found_per = _per(file, content.get("per", []), texts)
    problems += found_per
    return (None if problems else Ranking(str(by).strip(), per, top)), problems


def _per(file: str, names: object, texts: Mapping[Input, tuple[str, ...]]) -> tuple[tuple[Input, ...], list[Problem]]:
    listed = names if isinstance(names, list) else [names]
    known, per, problems = known_headers(Plan), list[Input](), list[Problem]()
    expected = f"columns of the grid: {', '.join(column.name for column in texts)}"
    for name in listed:
        column = known.get(normalized(name)) if isinstance(name, str) else None
        if column is None or column not in texts:
            problems.append(Problem(file, 0, "best.per", _kind(name), expected))
        else:
            per.append(column)
    return tuple(per), problems
