"""How the program ends when it is told to, or when nobody reads on: quietly, with the status that a shell expects."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

INTERRUPTED: Final = 130
TERMINATED: Final = 143
_STATUSES: Final = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


@contextmanager
def quiet_endings() -> Iterator[None]:
    """Leave at a signal through every ``finally``, so that nothing half-written stays; say nothing of a broken pipe."""
    for number in _STATUSES:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave)
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


def _leave(number: int, _: FrameType | None) -> NoReturn:
    for one in _STATUSES:
        signal.signal(one, signal.SIG_IGN)
    sys.exit(_STATUSES[signal.Signals(number)])


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _hush() -> None:
    """Let what is left in the standard output go nowhere, or the interpreter would complain of it at its end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
