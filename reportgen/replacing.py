"""Replaces files so that each is whole at every moment, and all of a set together: temporary names, locks, last steps.

A run writes beside its targets under a name that no target has, and holds a lock on it. A name without a lock is left
over from a run that was killed: the next run in that folder removes it. Where there are no locks, age decides.
"""

from __future__ import annotations

import errno
import filecmp
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from reportgen.errors import FileError
from reportgen.seal import is_untouched

ENDING: Final = ".reportgen-tmp"
"""How the names of temporary files end; they begin with a point, their target's name and the run's own mark."""
LEFT_OVER_AFTER: Final = 24 * 3600.0
"""Seconds after which a temporary file is left over where locks do not say so."""
PATIENCE: Final = 60.0
"""Seconds that a run waits for another to finish in the same folder."""
_LONGEST_PREFIX: Final = 40
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED: Final = {errno.EACCES, errno.EPERM, errno.ETXTBSY, errno.EBUSY}
_BUSY: Final = {errno.EACCES, errno.EAGAIN}


def cannot_write(target: Path, error: OSError) -> FileError:
    """Return what to tell a user when a target cannot be written."""
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return FileError(f"{target}: cannot be written: {why}; free some space, nothing was replaced")
    if error.errno in _DENIED:
        return FileError(f"{target}: cannot be written: {why}; is it open in another program, such as Excel?")
    return FileError(f"{target}: cannot be written: {why}")


def ensure_replaceable(targets: Iterable[Path], *, force: bool) -> None:
    """Make sure that targets are free, or our own and unedited; ``force`` lets edited ones go.

    Raises:
        FileError: Naming the first that is not.
    """
    for target in targets:
        try:
            _ensure_one(target, force=force)
        except OSError as error:
            raise FileError(f"{target}: cannot be read: {error.strerror}") from None


def _ensure_one(target: Path, *, force: bool) -> None:
    if not target.exists():
        return
    if target.is_dir():
        raise FileError(f"{target}: is a folder; a file is to be written there")
    if not target.is_file():
        raise FileError(f"{target}: is no file; a file is to be written there")
    if not target.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise FileError(f"{target}: is read-only, so it stays; make it writable, or write elsewhere")
    if not force and not is_untouched(target):
        raise FileError(f"{target}: has been edited since reportgen wrote it; --force replaces it")


class Replacement:
    """One set of targets that are replaced together or not at all; leaves nothing behind when it fails."""

    def __init__(self, *, force: bool) -> None:
        """Replace targets even if somebody has edited them since, where ``force`` is set."""
        self._force = force
        self._mark = secrets.token_hex(4)
        self._written: dict[Path, Path] = {}
        self._made: list[Path] = []
        self._folders: set[Path] = set()
        self._seen: dict[Path, tuple[int, ...]] = {}
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Remove what was written and not put in place, and the folders made for it."""
        for path in self._written.values():
            with suppress(OSError):
                path.unlink(missing_ok=True)
        self._held.close()
        for folder in reversed(self._made) if kind is not None else ():
            with suppress(OSError):
                folder.rmdir()

    def temporary(self, target: Path) -> Path:
        """Return a new file beside a target, to be written; its folder is made if it is not there.

        Raises:
            FileError: If that cannot be.
        """
        try:
            return self._begin(target)
        except PermissionError as error:
            message = f"{target}: cannot be written: {error.strerror}; may you make files in {target.parent}?"
            raise FileError(message) from None
        except OSError as error:
            raise cannot_write(target, error) from None

    def _begin(self, target: Path) -> Path:
        folder = target.parent
        self._make(folder)
        self._seen[target] = _signature(target)
        path = folder / f".{target.name[:_LONGEST_PREFIX]}.{secrets.token_hex(3)}.{self._mark}{ENDING}"
        with _locked([folder]):
            if folder not in self._folders:
                _sweep(folder)
            path.touch(0o600, exist_ok=False)
            self._written[target] = path
            if folder not in self._folders:
                self._folders.add(folder)
                self._held.enter_context(_lock_on(path))
        return path

    def commit(self, *, keep_same: bool = False) -> list[Path]:
        """Put every written file in its target's place, or none; return the targets replaced.

        Args:
            keep_same: Leave a target as it stands where its content is the same already.

        Raises:
            FileError: If a target has been edited meanwhile or cannot be replaced; then all are as they were.
        """
        for target, path in self._written.items():
            try:
                _to_disk(path)
                path.chmod(_mode_for(target))
            except OSError as error:
                raise cannot_write(target, error) from None
        try:
            with _locked(sorted(self._folders)):
                changed = [target for target in self._written if _signature(target) != self._seen[target]]
                ensure_replaceable(changed, force=self._force)
                written = {to: new for to, new in self._written.items() if not (keep_same and _is_same(new, to))}
                self._replace(written)
        except OSError as error:
            raise cannot_write(next(iter(self._written)), error) from None
        for folder in self._folders:
            with suppress(OSError):
                _to_disk(folder)
        return list(written)

    def _make(self, folder: Path) -> None:
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            with suppress(FileExistsError):
                one.mkdir()
                self._made.append(one)

    def _replace(self, written: dict[Path, Path]) -> None:
        """Do the last step, as short as it can be; if it fails in between, undo it."""
        kept: dict[Path, Path | None] = {}
        replaced: list[Path] = []
        target = Path()
        try:
            for target in written:
                kept[target] = self._aside(target)
            for target, path in written.items():
                path.replace(target)
                replaced.append(target)
        except OSError as error:
            raise cannot_write(target, error) from None
        finally:
            if len(replaced) < len(written):
                for done in reversed(replaced):
                    _put_back(kept[done], done)
            for old in kept.values():
                if old is not None:
                    old.unlink(missing_ok=True)

    def _aside(self, target: Path) -> Path | None:
        """Return a second name for the target's present content, or None where there is no target."""
        if not target.exists():
            return None
        aside = target.parent / f".{target.name[:_LONGEST_PREFIX]}.{secrets.token_hex(3)}.{self._mark}{ENDING}"
        try:
            aside.hardlink_to(target)
        except OSError:
            shutil.copy2(target, aside)
        return aside


def _put_back(old: Path | None, target: Path) -> None:
    if old is None:
        target.unlink()
    else:
        old.replace(target)


def _is_same(one: Path, other: Path) -> bool:
    return other.is_file() and filecmp.cmp(one, other, shallow=False)


def _signature(target: Path) -> tuple[int, ...]:
    try:
        found = target.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _mode_for(target: Path) -> int:
    """Return the mode of the file that is replaced, or that of any new file."""
    if target.is_file():
        return stat.S_IMODE(target.stat().st_mode) & 0o777
    current = os.umask(0)
    os.umask(current)
    return 0o666 & ~current


def _to_disk(path: Path) -> None:
    """Have the system write a file, or the names in a folder, to the disk."""
    if path.is_dir() and sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(folder: Path) -> None:
    """Remove temporary files of runs that are no more: none of a run's files is locked, or all are old."""
    runs: dict[str, list[Path]] = {}
    for path in folder.glob(f".*{ENDING}"):
        runs.setdefault(path.name.removesuffix(ENDING)[-8:], []).append(path)
    for paths in runs.values():
        with suppress(OSError):
            if all(map(_is_left_over, paths)):
                for path in paths:
                    path.unlink(missing_ok=True)


def _is_left_over(path: Path) -> bool:
    with path.open("rb") as file:
        taken = _take(file.fileno())
    if taken is None:
        return time.time() - path.stat().st_mtime > LEFT_OVER_AFTER
    return taken


@contextmanager
def _lock_on(path: Path) -> Iterator[None]:
    with path.open("rb") as file:
        _take(file.fileno())
        yield


@contextmanager
def _locked(folders: list[Path]) -> Iterator[None]:
    """Let no other run make, remove or replace files of ours in these folders meanwhile."""
    with ExitStack() as stack:
        for folder in folders if sys.platform != "win32" else ():
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            until = time.monotonic() + PATIENCE
            while _take(descriptor) is False:
                if time.monotonic() > until:
                    raise FileError(f"{folder}: another reportgen has been writing there for {PATIENCE:.0f} seconds")
                time.sleep(0.02)
        yield


def _take(descriptor: int) -> bool | None:
    """Take the lock on an open file; no if somebody has it, nothing where the system has no locks."""
    if sys.platform == "win32":
        return None
    import fcntl  # noqa: PLC0415 - not on every system

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in _BUSY else None
    return True
