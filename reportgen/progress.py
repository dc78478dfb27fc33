"""How far a long piece of work is: one line on a terminal, once it has taken a second, and gone at its end."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TextIO

PATIENCE: Final = 1.0
"""Seconds of work before anything is said."""
INTERVAL: Final = 0.2
"""Seconds between two lines."""
_MINUTE, _HOUR = 60, 3600


class Progress:
    """Counts what is done of a piece of work and says so; says nothing where nobody watches."""

    def __init__(
        self,
        what: str,
        total: int,
        unit: str = "rows",
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        watched: bool = True,
    ) -> None:
        """Begin with nothing done.

        Args:
            what: The work, as the line names it.
            total: How much there is to do.
            unit: What is counted.
            stream: Where to say it, if it is a terminal; standard error where not given.
            clock: Seconds since some moment.
            watched: Whether to say it at all.
        """
        self.done = 0
        self._what, self._total, self._unit = what, total, unit
        self._stream = sys.stderr if stream is None else stream
        self._watched = watched and self._stream is not None and self._stream.isatty()
        self._clock = clock
        self._begun = clock()
        self._next = self._begun + PATIENCE
        self._shown = 0

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._begun

    def advance(self, count: int) -> None:
        """Take note that so many more are done."""
        self.done += count
        if self._watched and (now := self._clock()) >= self._next:
            self._next = now + INTERVAL
            self._show(self._line(now - self._begun))

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Take the line away."""
        if self._shown:
            self._show("")
            self._stream.write("\r")
            self._stream.flush()

    def _line(self, seconds: float) -> str:
        rate = self.done / seconds
        parts = [f"{self._what}: {self.done:,} of {self._total:,} {self._unit}", f"{rate:,.0f} a second"]
        if 0 < self.done <= self._total:
            parts.append(f"{duration((self._total - self.done) / rate)} left")
        return ", ".join(parts)

    def _show(self, line: str) -> None:
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + line.ljust(self._shown))
        self._stream.flush()
        self._shown = len(line)


def duration(seconds: float) -> str:
    """Return a time in the two units that tell most."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"
