"""The seal of an output: a digest of its own content, by which a file that somebody edited since is told apart.

A page holds it in its text; a workbook in a part of its own, over the digests of all other parts.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SEAL: Final = "reportgen-seal:"
UNSEALED: Final = SEAL + "0" * 64
SEAL_PART: Final = "docProps/custom.xml"

_SEALED = re.compile(rb"reportgen-seal:[0-9a-f]{64}")


def sealed(text: str) -> str:
    """Return a text with its seal in the place of the blank one."""
    return text.replace(UNSEALED, SEAL + hashlib.sha256(text.encode()).hexdigest(), 1)


def parts_seal(digests: Mapping[str, str]) -> str:
    """Return the seal over the parts of a workbook, given the digest of each part but the one that holds the seal."""
    listing = "\n".join(f"{name} {digest}" for name, digest in sorted(digests.items()))
    return SEAL + hashlib.sha256(listing.encode()).hexdigest()


def is_untouched(path: Path) -> bool:
    """Return whether a file is to the byte what reportgen wrote: whether its seal is that of its content."""
    if zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                digests = {
                    name: hashlib.sha256(archive.read(name)).hexdigest()
                    for name in archive.namelist()
                    if name != SEAL_PART
                }
                return SEAL_PART in archive.namelist() and parts_seal(digests).encode() in archive.read(SEAL_PART)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):
            return False
    content = path.read_bytes()
    found = _SEALED.search(content)
    unsealed = _SEALED.sub(UNSEALED.encode(), content, count=1)
    return found is not None and found.group().decode() == SEAL + hashlib.sha256(unsealed).hexdigest()
