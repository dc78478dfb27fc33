"""From bytes to text: the encoding that a mark or the user names, else UTF-8; never a guess, never mojibake."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from reportgen.errors import printable

_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks; the longer ones first, since one begins with another."""

_SIGNATURES: Final = {
    b"PK\x03\x04": "a zip file",
    b"PK\x05\x06": "an empty zip file",
    b"\xd0\xcf\x11\xe0": "a workbook of an old Excel, or one with a password",
    b"%PDF-": "a PDF",
    b"\x1f\x8b": "a gzip file",
    b"7z\xbc\xaf": "a 7z file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"PAR1": "a Parquet file",
    b"SQLite format 3\0": "a database",
    b"{\\rtf": "an RTF document",
}
_INSIDE_ZIP: Final = {
    b"xl/workbook": "an xlsx workbook",
    b"opendocument.spreadsheet": "an ods spreadsheet",
    b"word/document": "a Word document",
}
_OPENINGS: Final = {
    "<!doctype": "an HTML page",
    "<html": "an HTML page",
    "<table": "an HTML page",
    "<?xml": "an XML file",
    '{"': "a JSON file",
    "[{": "a JSON file",
}
"""How texts begin that are no CSV."""

_NO_TEXT: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"})
"""Codecs of Python that turn bytes into text and are no encoding of a file."""

_LINE_END: Final = re.compile("\r\n|\r|\n")
_SUCH_AS: Final = "such as cp1252 (Western Europe), gb18030 (Chinese), shift_jis (Japanese) or utf-16-le"


class UnreadableError(Exception):
    """The file is no text that can be believed."""

    def __init__(self, line: int, found: str, expected: str, record: int = 0) -> None:
        super().__init__(found)
        self.line, self.found, self.expected, self.record = line, found, expected, record


@dataclass(frozen=True)
class Doubt:
    """What was read and may still not be what was meant."""

    line: int
    found: str
    expected: str


def is_encoding(name: str) -> bool:
    """Return whether a name is that of an encoding of text."""
    try:
        known = codecs.lookup(name).name
        "a".encode(known)
    except (LookupError, ValueError, UnicodeError):
        return False
    return known.replace("_", "-") not in _NO_TEXT


def decoded(data: bytes, encoding: str = "") -> tuple[str, list[Doubt]]:
    """Return a file's text and what is doubtful about it.

    Args:
        data: The file. A byte order mark says what it is, whatever else is asked for.
        encoding: What it is without one; UTF-8 where empty.

    Raises:
        UnreadableError: If the bytes are no text in that encoding, or another kind of file.
    """
    _refuse_signatures(data)
    if encoding and not is_encoding(encoding):
        raise UnreadableError(0, f"the encoding {encoding!r}", f"the name of an encoding, {_SUCH_AS}")
    marked = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "")
    name = marked or encoding or "utf-8"
    if not marked and not encoding and _is_wide(data[:4]):
        raise UnreadableError(0, "text in UTF-16 without its mark", "text in UTF-8, or --encoding utf-16-le")
    try:
        text = data.decode(name)
    except UnicodeError as error:
        raise _undecodable(data, name, error, asked=bool(encoding and not marked)) from None
    opening = text[:100].lstrip().lower()
    if kind := next((kind for start, kind in _OPENINGS.items() if opening.startswith(start)), ""):
        raise UnreadableError(0, kind, "a CSV file")
    return text, _doubts(data, text, encoding if not marked else "")


def line_of(text: str, position: int) -> int:
    """Return the line of a position in a text."""
    return len(_LINE_END.findall(text, 0, position)) + 1


def _refuse_signatures(data: bytes) -> None:
    kind = next((kind for mark, kind in _SIGNATURES.items() if data.startswith(mark)), "")
    if kind == "a zip file":
        kind = next((inside for part, inside in _INSIDE_ZIP.items() if part in data), "a zip file such as an xlsx")
    if kind:
        raise UnreadableError(0, kind, "a CSV file, such as a spreadsheet saves as CSV UTF-8")


def _undecodable(data: bytes, name: str, error: UnicodeError, *, asked: bool) -> UnreadableError:
    start = error.start if isinstance(error, UnicodeDecodeError) else 0
    line = line_of(data[:start].decode(name, "replace"), len(data))
    found = f"the byte 0x{data[start]:02x} at offset {start}" if start < len(data) else "half a character at its end"
    if asked:
        return UnreadableError(line, found, f"text in {printable(name)}, as --encoding says")
    if name == "utf-8":
        return UnreadableError(line, found, f"text in UTF-8, or --encoding with the name of another one {_SUCH_AS}")
    return UnreadableError(line, found, f"text in {name.upper().removesuffix('-SIG')}, as the file's first bytes say")


def _doubts(data: bytes, text: str, encoding: str) -> list[Doubt]:
    doubts = []
    if (lost := text.find("\ufffd")) >= 0:
        found = f"{text.count(chr(0xFFFD)):,} times the character U+FFFD, which stands for one lost before"
        doubts.append(Doubt(line_of(text, lost), found, "the file as it was before it was converted"))
    if encoding and not data.isascii() and codecs.lookup(encoding).name != "utf-8" and _is_utf_8(data):
        doubts.append(Doubt(0, "text that is UTF-8 as well", f"{printable(encoding)}, as --encoding says"))
    return doubts


def _is_wide(start: bytes) -> bool:
    """Return whether every second byte is 0, as where text without accents takes two bytes a character."""
    return len(start) > 1 and (not any(start[::2]) or not any(start[1::2]))


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
