"""How the program ends when it is told to, or when nobody reads on: quietly, with the status that a shell expects."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

INTERRUPTED: Final = 130
TERMINATED: Final = 143
_STATUSES: Final = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


class _Told(SystemExit):
    """A signal told the program to end."""


@contextmanager
def quiet_endings() -> Iterator[None]:
    """Leave at a signal through every ``finally``, so that nothing half-written stays; say nothing of a broken pipe."""
    sys.unraisablehook = _unraisable
    _listen(signal.SIG_DFL, signal.default_int_handler)
    try:
        try:
            yield
        except SystemExit as leaving:
            if isinstance(leaving.__context__, BrokenPipeError):
                raise leaving.__context__ from None
            _flush()
            raise
        _flush()
    except BrokenPipeError:
        _hush()
        sys.exit(0)
    except OSError as error:
        _hush()
        sys.exit(f"{error.filename or 'standard output'}: cannot be written: {error.strerror}")


def _listen(*where: object) -> None:
    """Handle the signals that are handled as named; not those that whoever started us wants ignored."""
    for number in _STATUSES:
        if signal.getsignal(number) in where:
            signal.signal(number, _leave)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    for one in _STATUSES:
        signal.signal(one, _ignore)
    raise _Told(_STATUSES[signal.Signals(number)])


def _ignore(_: int, __: FrameType | None) -> None:
    """Do nothing: the program is about to end."""


def _unraisable(found: UnraisableHookArgs) -> None:
    """Say nothing where a signal came while the interpreter could not end: the work goes on, and may be told again."""
    if isinstance(found.exc_value, _Told):
        _listen(_ignore)
    else:
        sys.__unraisablehook__(found)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _hush() -> None:
    """Let what is left in the standard output go nowhere, or the interpreter would complain of it at its end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
