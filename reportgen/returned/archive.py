"""The zip of a workbook, opened as if a stranger had sent it: sizes are judged before anything is unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from reportgen.errors import FileError
from reportgen.seal import LARGEST_RATIO

CHUNK: Final = 1 << 16
MOST_PARTS: Final = 5_000
LARGEST_PART: Final = 1 << 32
MOST_UNPACKED: Final = 1 << 34
"""Bytes of one part and of all. They bound the time, not the memory: parts are read in pieces."""
JUDGED_FROM: Final = 1 << 20
"""A part larger than this unpacks to at most ``LARGEST_RATIO`` times its packed size."""

_METHODS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    IndexError,
)
"""What the standard library raises on a zip that is none."""


class Archive:
    """The parts of a workbook by name."""

    def __init__(self, data: bytes, file: str) -> None:
        """Open a workbook.

        Args:
            data: The file.
            file: Its name, for messages only.

        Raises:
            FileError: If it is no zip, or one that no spreadsheet program would have made.
        """
        self.file = file
        with self._judging("the zip"):
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            entries = self._zip.infolist()
        if len(entries) > MOST_PARTS:
            raise FileError(f"{file}: has {len(entries):,} parts; a workbook has at most {MOST_PARTS:,}")
        if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
            raise FileError(f"{file}: would unpack to more than {MOST_UNPACKED >> 30} GiB")
        self._entries = {entry.filename: entry for entry in entries}
        for entry in self._entries.values():
            self._judge(entry)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a part piece by piece; never more of it than its entry declares.

        Raises:
            FileError: If it is not there, or damaged.
        """
        if name not in self._entries:
            raise FileError(f"{self.file}: has no part {name!r}; expected a workbook that reportgen build wrote")
        with self._judging(name):
            stream = self._zip.open(self._entries[name])
        while True:
            with self._judging(name):
                piece = stream.read(CHUNK)
            if not piece:
                return
            yield piece

    def _judge(self, entry: zipfile.ZipInfo) -> None:
        unpacked, packed = entry.file_size, max(entry.compress_size, 1)
        if entry.compress_type not in _METHODS or entry.flag_bits & 1:
            raise FileError(f"{self.file}: {entry.filename!r} is packed or locked as no workbook is")
        if unpacked > LARGEST_PART or (unpacked > JUDGED_FROM and unpacked > LARGEST_RATIO * packed):
            sizes = f"{packed:,} to {unpacked:,} bytes"
            raise FileError(f"{self.file}: {entry.filename!r} would unpack from {sizes}; that is no workbook")

    @contextmanager
    def _judging(self, name: str) -> Iterator[None]:
        try:
            yield
        except _DAMAGE as error:
            found = str(error).splitlines()
            raise FileError(f"{self.file}: is no whole workbook: {name}: {found[0] if found else 'damaged'}") from None
