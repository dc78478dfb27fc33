"""Deflates a large part of a zip in several threads; however many there are, the bytes are the same.

The part is cut into blocks. Each is deflated for itself, with the end of the block before it as its dictionary, so that
nothing is lost at the cuts, and ends at a whole byte, so that the blocks may follow one another.
"""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO, Any, Final

LEVEL: Final = 5
"""A tenth larger than level 6 at most, in little more than half the time."""
_WINDOW: Final = 1 << 15
_MOST_THREADS: Final = 4
"""More would wait for rows: these are made no faster than four threads deflate them."""


@contextmanager
def deflating_in_threads(entry: IO[bytes]) -> Iterator[None]:
    """Deflate what is written to a new entry of a zip in threads; each write is a block."""
    count = min(os.cpu_count() or 1, _MOST_THREADS)
    with ThreadPoolExecutor(count) as threads:
        holder: Any = entry
        holder._compressor = _Blocks(threads, count + 1)
        yield


class _Blocks:
    """Stands in for the compressor of an entry; ``waiting`` blocks are under way at most, one alone takes no thread."""

    def __init__(self, threads: ThreadPoolExecutor, waiting: int) -> None:
        self._threads, self._waiting = threads, waiting
        self._under_way: deque[Future[bytes]] = deque()
        self._before = self._last = b""

    def compress(self, block: bytes) -> bytes:
        """Take a block; return what has been deflated meanwhile."""
        if self._last:
            self._under_way.append(self._threads.submit(_deflated, self._last, self._before))
            self._before = self._last[-_WINDOW:]
        self._last = bytes(block)
        done = len(self._under_way) - self._waiting
        return b"".join(self._under_way.popleft().result() for _ in range(done))

    def flush(self) -> bytes:
        """Return the rest, and the mark that ends it."""
        last = _deflated(self._last, self._before)
        ended = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS).flush()
        return b"".join([*(block.result() for block in self._under_way), last, ended])


def _deflated(block: bytes, before: bytes) -> bytes:
    deflater = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, zdict=before)
    return deflater.compress(block) + deflater.flush(zlib.Z_SYNC_FLUSH)
