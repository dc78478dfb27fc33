"""How a measured process says that what it is measured for begins now."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Final

_STATUS: Final = Path("/proc/self/status")
_CLEAR: Final = Path("/proc/self/clear_refs")
_FORGET_PEAK: Final = "5"


def ready(**further: float) -> None:
    """Say what was taken so far, and let the peak of memory begin anew where the system can do that."""
    said = {
        "cpu": time.process_time(),
        "clock": time.monotonic(),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "resident": _resident(),
    }
    sys.stdout.write(json.dumps(said | further) + "\n")


def _resident() -> int:
    """Return the bytes held now, from which the peak counts anew; 0 where the system does not tell."""
    if not _CLEAR.exists():
        return 0
    _CLEAR.write_text(_FORGET_PEAK, encoding="ascii")
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))
