"""Deflates a large part of a zip in several threads; however many there are, the bytes are the same.

The part is cut into blocks. Each is deflated for itself, with the end of the block before it as its dictionary, so that
nothing is lost at the cuts, and ends at a whole byte, so that the blocks may follow one another.
"""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from concurrent.futures import Future

LEVEL: Final = 5
"""A tenth larger than level 6 at most, in little more than half the time."""
_WINDOW: Final = 1 << 15
_MOST_THREADS: Final = 4
"""More would wait for rows: these are made no faster than four threads deflate them."""


@contextmanager
def deflating_in_threads(entry: IO[bytes]) -> Iterator[None]:
    """Deflate what is written to a new entry of a zip in threads; each write is a block."""
    holder: Any = entry
    blocks = holder._compressor = _Blocks(min(os.cpu_count() or 1, _MOST_THREADS))
    with blocks.threads:
        yield


class _Blocks:
    """Stands in for the compressor of an entry; one block more than threads is under way at most."""

    def __init__(self, count: int) -> None:
        self.threads = ExitStack()
        """Ends the threads; there are none for a single block, which does not even load what makes them."""
        self._count = count
        self._submit: Callable[[Callable[[bytes, bytes], bytes], bytes, bytes], Future[bytes]] | None = None
        self._under_way: deque[Future[bytes]] = deque()
        self._before = self._last = b""

    def compress(self, block: bytes) -> bytes:
        """Take a block; return what has been deflated meanwhile."""
        if self._last:
            self._under_way.append(self._start()(_deflated, self._last, self._before))
            self._before = self._last[-_WINDOW:]
        self._last = bytes(block)
        done = len(self._under_way) - self._count - 1
        return b"".join(self._under_way.popleft().result() for _ in range(done))

    def flush(self) -> bytes:
        """Return the rest, and the mark that ends it."""
        last = _deflated(self._last, self._before)
        ended = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS).flush()
        return b"".join([*(block.result() for block in self._under_way), last, ended])

    def _start(self) -> Callable[[Callable[[bytes, bytes], bytes], bytes, bytes], Future[bytes]]:
        if self._submit is None:
            from concurrent.futures import ThreadPoolExecutor

            self._submit = self.threads.enter_context(ThreadPoolExecutor(self._count)).submit
        return self._submit


def _deflated(block: bytes, before: bytes) -> bytes:
    deflater = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, zdict=before)
    return deflater.compress(block) + deflater.flush(zlib.Z_SYNC_FLUSH)
