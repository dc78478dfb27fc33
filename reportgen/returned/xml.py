"""XML of a workbook's parts, read in pieces: no document type, so no entities; no tag longer than any real one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final
from xml.parsers import expat

from reportgen.errors import FileError

Attributes = dict[str, str]

LONGEST_TAG: Final = 1 << 21
"""Bytes. The parser begins a tag anew with each piece until it has all of it."""
_NOT_WELL_FORMED: Final = "is no well-formed XML"


class ForbiddenError(Exception):
    """The document holds what none of ours does."""


def local(name: str) -> str:
    """Return a name without its prefix."""
    return name.rpartition(":")[2]


def attribute(attributes: Attributes, name: str) -> str:
    """Return an attribute whatever its prefix; the empty text where there is none."""
    return next((value for key, value in attributes.items() if local(key) == name), "")


def parsed(
    pieces: Iterable[bytes],
    place: str,
    start: Callable[[str, Attributes], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> Iterator[None]:
    """Parse a document; after each piece the caller has its turn.

    Args:
        pieces: The document, in UTF-8.
        place: What messages call it.
        start: Called with each element's name and attributes.
        end: Called with the name of each element that ends.
        text: Called with the text between them.

    Raises:
        FileError: If it is not well-formed, or holds what is forbidden.
    """
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_document_type
    fed = 0
    try:
        for piece in pieces:
            parser.Parse(piece, False)
            fed += len(piece)
            _refuse_long_tag(fed - parser.CurrentByteIndex)
            yield
        parser.Parse(b"", True)
    except (expat.ExpatError, UnicodeError) as error:
        raise FileError(f"{place}: {_NOT_WELL_FORMED}: {error}") from None
    except ForbiddenError as error:
        raise FileError(f"{place}: {error}; that is no workbook") from None
    yield


def _refuse_long_tag(waiting: int) -> None:
    if waiting > LONGEST_TAG:
        raise ForbiddenError(f"holds a tag of more than {LONGEST_TAG >> 20} MiB")


def _refuse_document_type(*_: object) -> None:
    raise ForbiddenError("declares a document type")
