"""The file system, alone: what is read, where our own files are, how outputs appear whole or not at all."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Final

from reportgen.errors import FileError, printable
from reportgen.replacing import Replacement, cannot_write, ensure_replaceable

LARGEST_SOURCE: Final = 1 << 29
"""Bytes of one input, so that a device or a file that grows ends in a message."""
_PIECE: Final = 1 << 20

_PACKAGE = Path(__file__).parent


def read_source(path: str | Path) -> tuple[str, bytes]:
    """Return a file's name and bytes; ``-`` is standard input.

    Raises:
        FileError: If it cannot be read.
    """
    if str(path) == "-" and sys.stdin is None:
        raise FileError("standard input: is closed")
    try:
        if str(path) == "-":
            return "stdin", _read_whole(sys.stdin.buffer, "standard input")
        with Path(path).open("rb") as file:
            return _shown_name(path), _read_whole(file, str(path))
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None


def _read_whole(file: IO[bytes], name: str) -> bytes:
    pieces: list[bytes] = []
    while piece := file.read(_PIECE):
        pieces.append(piece)
        if len(pieces) * _PIECE > LARGEST_SOURCE:
            raise FileError(f"{name}: is larger than {LARGEST_SOURCE >> 20} MiB; no input is")
    return b"".join(pieces)


def _shown_name(path: str | Path) -> str:
    """Return a file's name as text that both outputs can hold, whatever bytes it has."""
    return printable(Path(path).name.encode(errors="surrogateescape").decode(errors="replace"))


def data_folder(name: str) -> Path:
    """Return a folder that ships with the package, ``inputs`` or ``templates``; beside it in a checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def write_together(
    writers: Mapping[Path, Callable[[Path], None]], *, force: bool, keep_same: bool = False
) -> list[Path]:
    """Write several files, all or none, each through a temporary file in its own folder; return those replaced.

    Args:
        writers: For each target, a function that writes it to the path it is given.
        force: Replace a target even if somebody has edited it since we wrote it.
        keep_same: Leave a target as it stands, time of change included, where its content is the same already.

    Raises:
        FileError: If a target may not or cannot be replaced; then all of them are as they were.
    """
    ensure_replaceable(writers, force=force)
    with Replacement(force=force) as replacement:
        for target, write in writers.items():
            try:
                write(replacement.temporary(target))
            except OSError as error:
                raise cannot_write(target, error) from None
        return replacement.commit(keep_same=keep_same)


def text_writer(text: str) -> Callable[[Path], None]:
    """Return what writes a text as a file, the same bytes on every system."""

    def write(path: Path) -> None:
        path.write_text(text, encoding="utf-8", newline="\n")

    return write


def pieces_writer(pieces: Iterable[str]) -> Callable[[Path], None]:
    """Return what writes a text as it comes as a file, the same bytes on every system."""

    def write(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)

    return write


def bytes_writer(content: bytes) -> Callable[[Path], None]:
    """Return what writes bytes as a file."""

    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


def digest_of(path: Path) -> str:
    """Return a file's SHA-256; empty where there is no file.

    Raises:
        FileError: If it is there and cannot be read.
    """
    return hashlib.sha256(read_source(path)[1]).hexdigest() if path.is_file() else ""


def digest_of_folder(folder: Path) -> str:
    """Return a SHA-256 over the names and contents of all files under a folder."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    listing = "\n".join(f"{name} {digest_of(folder / name)}" for name in names)
    return hashlib.sha256(listing.encode(errors="surrogateescape")).hexdigest()


def copy_inputs(folder: Path, further: Mapping[str, Callable[[Path], None]]) -> list[Path]:
    """Copy the shipped inputs into a folder and return the new files.

    Args:
        folder: Where to; made if it is not there.
        further: What writes each further file, by the file's name.

    Raises:
        FileError: If one of the files is there already, or cannot be written; then nothing is.
    """
    return _copy(data_folder("inputs"), folder, "init", further)


def copy_templates(folder: Path) -> list[Path]:
    """Copy the shipped templates into a folder and return the new files.

    Raises:
        FileError: If one of them is there already, or cannot be written; then nothing is.
    """
    return _copy(data_folder("templates"), folder, "templates", {})


def _copy(shipped: Path, folder: Path, command: str, further: Mapping[str, Callable[[Path], None]]) -> list[Path]:
    copies = {path.name: _copier(path) for path in sorted(shipped.iterdir()) if path.is_file()}
    writers = {folder / name: write for name, write in sorted({**copies, **further}.items())}
    if standing := [target for target in writers if target.exists()]:
        raise FileError(f"{standing[0]}: is there already; reportgen {command} writes into a folder without it")
    write_together(writers, force=True)
    return list(writers)


def _copier(source: Path) -> Callable[[Path], None]:
    def copy(target: Path) -> None:
        shutil.copyfile(source, target)

    return copy
