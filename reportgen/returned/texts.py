"""The texts of a workbook's parts: collected from pieces, shared between cells, with their coded characters."""

from __future__ import annotations

import re
from typing import Final

from reportgen.returned.xml import Attributes, ForbiddenError, local

LONGEST_TEXT: Final = 32_767
MOST_SHARED: Final = 1 << 26
"""Characters in all shared texts of a workbook."""
_CODED = re.compile("_x([Dd][89ABab][0-9A-Fa-f]{2})__x([Dd][C-Fc-f][0-9A-Fa-f]{2})_|_x([0-9A-Fa-f]{4})_")
"""A character by its code in UTF-16, which of one beyond the first 65,536 has two halves."""
_ALLOWED_LENGTH: Final = 8 * LONGEST_TEXT
"""A text may be written with codes of seven characters each."""


def text_meant(text: str) -> str:
    """Return a text with its coded characters in clear; half a character stays the code that it is."""
    return _CODED.sub(_character, text) if "_x" in text else text


def _character(coded: re.Match[str]) -> str:
    codes = bytes.fromhex((coded[1] or "") + (coded[2] or "") + (coded[3] or ""))
    try:
        return codes.decode("utf-16-be")
    except UnicodeDecodeError:
        return coded[0]


class Collector:
    """Collects the text of an element from its pieces."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._wanted = False

    def text(self, piece: str) -> None:
        """Take a piece of text."""
        if self._wanted:
            self._length += len(piece)
            if self._length > _ALLOWED_LENGTH:
                raise ForbiddenError(f"holds a text of more than {_ALLOWED_LENGTH:,} characters")
            self._pieces.append(piece)

    def _begin(self) -> None:
        self._pieces.clear()
        self._length = 0

    def _collected(self) -> str:
        return "".join(self._pieces)


class SharedReader(Collector):
    """The shared texts; a text in several styles is one text, and its reading aid is none."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._aside = False
        self._total = 0

    def start(self, name: str, _: Attributes) -> None:
        """Take the beginning of an element."""
        name = local(name)
        if name == "si":
            self._begin()
        elif name == "rPh":
            self._aside = True
        self._wanted = name == "t" and not self._aside

    def end(self, name: str) -> None:
        """Take the end of an element."""
        name = local(name)
        self._wanted = False
        if name == "rPh":
            self._aside = False
        elif name == "si":
            self.texts.append(text_meant(self._collected()))
            self._total += len(self.texts[-1]) + 64
            if self._total > MOST_SHARED:
                raise ForbiddenError(f"holds more than {MOST_SHARED:,} characters of text")
