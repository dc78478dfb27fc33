"""The file system, alone: what is read, where our own files are, how outputs appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from reportgen.errors import FileError
from reportgen.seal import is_untouched

_PACKAGE = Path(__file__).parent


def read_source(path: str | Path) -> tuple[str, bytes]:
    """Return a file's name and bytes; ``-`` is standard input.

    Raises:
        FileError: If it cannot be read.
    """
    if str(path) == "-":
        return "stdin", sys.stdin.buffer.read()
    try:
        return Path(path).name, Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None


def data_folder(name: str) -> Path:
    """Return a folder that ships with the package, ``inputs`` or ``templates``; beside it in a checkout."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def write_together(writers: Mapping[Path, Callable[[Path], None]], *, force: bool) -> None:
    """Write several files, all or none, each through a temporary file in its own folder.

    Args:
        writers: For each target, a function that writes it to the path it is given.
        force: Replace a target even if somebody has edited it since we wrote it.

    Raises:
        FileError: If a target may not or cannot be replaced; then all of them are as they were.
    """
    for target in writers:
        if target.is_dir():
            raise FileError(f"{target}: is a folder; a file is to be written there")
        if target.exists() and not force and not is_untouched(target):
            raise FileError(f"{target}: has been edited since reportgen wrote it; --force replaces it")
    temporary: dict[Path, Path] = {}
    target = next(iter(writers))
    try:
        for target, write in writers.items():
            _make_folder(target.parent)
            temporary[target] = _temporary_beside(target)
            write(temporary[target])
            temporary[target].chmod(0o666 & ~_umask())
        _replace_together(temporary)
    except OSError as error:
        raise FileError(f"{target}: cannot be written: {error.strerror}; is it open in another program?") from None
    finally:
        for written in temporary.values():
            written.unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: cannot be written: {error.strerror}") from None


def _temporary_beside(target: Path) -> Path:
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        return Path(file.name)


def _replace_together(written: Mapping[Path, Path]) -> None:
    """Put each written file in its target's place; if one cannot be, put the old ones back.

    Raises:
        FileError: Naming the target that cannot be replaced.
    """
    kept: dict[Path, Path | None] = {}
    replaced: list[Path] = []
    try:
        for target, source in written.items():
            try:
                kept[target] = _kept_aside(target)
                source.replace(target)
            except OSError as error:
                message = f"{target}: cannot be written: {error.strerror}; is it open in another program?"
                raise FileError(message) from None
            replaced.append(target)
    except FileError:
        for target in replaced:
            _put_back(kept[target], target)
        raise
    finally:
        for old in kept.values():
            if old is not None:
                old.unlink(missing_ok=True)


def _put_back(old: Path | None, target: Path) -> None:
    if old is None:
        target.unlink()
    else:
        old.replace(target)


def _kept_aside(target: Path) -> Path | None:
    """Return a second name for the target's present content, or None where there is no target."""
    if not target.exists():
        return None
    aside = _temporary_beside(target)
    aside.unlink()
    try:
        aside.hardlink_to(target)
    except OSError:
        shutil.copy2(target, aside)
    return aside


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def copy_inputs(folder: Path) -> list[Path]:
    """Copy the shipped inputs into a folder and return the new files.

    Raises:
        FileError: If one of them is there already, or cannot be written; then nothing is.
    """
    sources = sorted(data_folder("inputs").glob("*.csv"))
    if standing := [folder / source.name for source in sources if (folder / source.name).exists()]:
        raise FileError(f"{standing[0]}: is there already; reportgen init writes into a folder without it")
    write_together({folder / source.name: _copier(source) for source in sources}, force=True)
    return [folder / source.name for source in sources]


def _copier(source: Path) -> Callable[[Path], None]:
    def copy(target: Path) -> None:
        shutil.copyfile(source, target)

    return copy
