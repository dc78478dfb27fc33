"""The seal of an output: a digest of its own content, by which a file that somebody edited since is told apart.

A page holds it in its text; a workbook in a part of its own, over the digests of all other parts.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

SEAL: Final = "reportgen-seal:"
UNSEALED: Final = SEAL + "0" * 64
SEAL_PART: Final = "docProps/custom.xml"

LARGEST_RATIO: Final = 100
"""A part of a workbook larger than a MiB unpacks to at most this many times its packed size; ours reach fifteen."""
LARGEST_PAGE: Final = 1 << 30

ZIP_SIGNATURE: Final = b"PK\x03\x04"
_SEALED = re.compile(rb"reportgen-seal:[0-9a-f]{64}")


def sealed(text: str) -> str:
    """Return a text with its seal in the place of the blank one."""
    return text.replace(UNSEALED, SEAL + hashlib.sha256(text.encode()).hexdigest(), 1)


def parts_seal(digests: Mapping[str, str]) -> str:
    """Return the seal over the parts of a workbook, given the digest of each part but the one that holds the seal."""
    listing = "\n".join(f"{name} {digest}" for name, digest in sorted(digests.items()))
    return SEAL + hashlib.sha256(listing.encode()).hexdigest()


def is_untouched(path: Path) -> bool:
    """Return whether a file is to the byte what reportgen wrote: whether its seal is that of its content.

    Raises:
        OSError: If it cannot be read.
    """
    with path.open("rb") as file:
        if file.read(len(ZIP_SIGNATURE)) == ZIP_SIGNATURE:
            return is_untouched_book(file)
        if file.seek(0, io.SEEK_END) > LARGEST_PAGE:
            return False
        file.seek(0)
        content = file.read()
    found = _SEALED.search(content)
    unsealed = _SEALED.sub(UNSEALED.encode(), content, count=1)
    return found is not None and found.group().decode() == SEAL + hashlib.sha256(unsealed).hexdigest()


def is_untouched_book(file: IO[bytes]) -> bool:
    """Return whether a workbook is sealed as reportgen seals it; one that is damaged is not."""
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            if SEAL_PART not in names or len(set(names)) < len(names) or any(map(_is_inflated, entries)):
                return False
            digests = {name: _digest(archive, name) for name in names if name != SEAL_PART}
            return parts_seal(digests).encode() in archive.read(SEAL_PART)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, IndexError):
        return False


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as part:
        while piece := part.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _is_inflated(entry: zipfile.ZipInfo) -> bool:
    """Whether a part unpacks to more than any of ours would."""
    return entry.file_size > 1 << 20 and entry.file_size > LARGEST_RATIO * entry.compress_size
