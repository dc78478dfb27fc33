"""On what the figures were measured."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from entries import PEERS

PACKAGES: Final = ("numpy", "lxml", *PEERS)
_CPU: Final = Path("/proc/cpuinfo")


def machine() -> str:
    """Return the day, the machine and the versions, in one sentence each."""
    day = datetime.now(UTC).date().isoformat()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{day}: {_cpu()}, {os.cpu_count()} cores, {memory:.0f} GB of memory, {_system()}, "
        f"Python {platform.python_version()}; {versions}."
    )


def _cpu() -> str:
    if _CPU.exists():
        for line in _CPU.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.platform()
