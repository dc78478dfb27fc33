"""What a site remembers of itself: one JSON file in its folder, sealed, and believed only if sound.

docs/publishing.md describes each field.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from reportgen.seal import UNSEALED, sealed

FORM: Final = 1
"""The form of the file; a program that knows another one refuses it."""

NAME: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
"""What a plan's folder may be called: letters and digits, hyphens between."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_ID: Final = re.compile(r"urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_Record = TypeVar("_Record")


class UnsoundError(ValueError):
    """The file is not what reportgen writes; the message says what is wrong."""


@dataclass(frozen=True)
class Move:
    """A total before and after, in words."""

    label: str
    old: str
    new: str
    change: str
    share: str


@dataclass(frozen=True)
class Change:
    """What changed since the build before: ``since`` is its day, empty at the first one; the rest counts jobs."""

    since: str = ""
    added: int = 0
    removed: int = 0
    changed: int = 0
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Published:
    """One plan of the site.

    ``fingerprint`` is a digest of all that its files are made from, ``files`` the digest of each file by its ending,
    ``totals`` each total by its name, None where there is no figure, ``cards`` how many of which hardware.
    """

    name: str
    title: str
    date: str
    fingerprint: str
    files: Mapping[str, str]
    totals: Mapping[str, float | None]
    cards: Mapping[str, float]
    checks_hold: bool
    change: Change

    def __post_init__(self) -> None:
        _require(NAME.fullmatch(self.name) is not None, "a name that is no folder's")
        _require(_is_day(self.date), "a day that is none")
        _require(set(self.files) == set(ENDINGS), "other files than a page, a workbook and a ledger")
        digests = (self.fingerprint, *self.files.values())
        _require(all(_DIGEST.fullmatch(digest) for digest in digests), "a digest that is none")


ENDINGS: Final = ("html", "xlsx", "csv")
"""The files of a plan: page, workbook, ledger."""


@dataclass(frozen=True)
class News:
    """One entry of the feed."""

    id: str
    plan: str
    title: str
    date: str
    text: str

    def __post_init__(self) -> None:
        _require(_ID.fullmatch(self.id) is not None, "an id that is none")
        _require(NAME.fullmatch(self.plan) is not None, "a name that is no folder's")
        _require(_is_day(self.date), "a day that is none")


@dataclass(frozen=True)
class Site:
    """The whole site: ``files`` holds the digests of its own files, ``news`` begins with the newest."""

    id: str = ""
    title: str = ""
    url: str = ""
    plans: tuple[Published, ...] = ()
    news: tuple[News, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _require(not self.id or _ID.fullmatch(self.id) is not None, "an id that is none")
        _require(not self.url or self.url.startswith(("https://", "http://")), "an address that is none")
        _require(len({plan.name for plan in self.plans}) == len(self.plans), "a plan twice")


def as_json(site: Site) -> str:
    """Return the state as the text of its file."""
    record = {"reportgen": UNSEALED, "form": FORM, **asdict(site)}
    return sealed(json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def from_json(data: bytes, *, is_sealed: bool) -> Site:
    """Return the state that a file holds.

    Args:
        data: The file.
        is_sealed: Whether its seal is that of its content.

    Raises:
        UnsoundError: If anything in it is not as reportgen writes it.
    """
    try:
        record = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise UnsoundError("no JSON") from None
    _require(isinstance(record, dict), "no object")
    form = record.pop("form", None)
    _require(form == FORM, f"the form {form!r}, where this reportgen knows {FORM}")
    _require(is_sealed, "another text than reportgen wrote")
    record.pop("reportgen", None)
    return _read(Site, record)


def _read(kind: type[_Record], record: object) -> _Record:
    """Return a record of a kind, each field of the type it declares, none missing, none more."""
    types = get_type_hints(kind)
    if not isinstance(record, dict) or set(record) != set(types):
        raise UnsoundError(f"no {kind.__name__}")
    return kind(**{name: _value(types[name], record[name], name) for name in types})


def _value(kind: Any, value: object, name: str) -> Any:  # noqa: ANN401 - a type hint and whatever it says
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_read(get_args(kind)[0], item) for item in value)
    if get_origin(kind) is Mapping and isinstance(value, dict):
        return {key: _value(get_args(kind)[1], item, name) for key, item in value.items()}
    if isinstance(kind, type) and isinstance(value, dict):
        return _read(kind, value)
    allowed = get_args(kind) or (kind,)
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if (float in allowed and number) or type(value) in allowed:
        return value
    raise UnsoundError(f"{name} of another kind")


def _require(holds: bool, wrong: str) -> None:
    if not holds:
        raise UnsoundError(wrong)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
