"""Measures whole processes from outside: seconds of CPU and of the clock, the peak of memory.

This process imports nothing large: a child begins as its image, and the image counts as the child's memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PHASES: Final = Path(__file__).with_name("phases.py")
_MAXRSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Measured:
    """One process: what it took as a whole, and what of it came after it said that it was ready.

    ``said`` holds the further figures that it said by itself.
    """

    whole_cpu: float
    whole_wall: float
    peak: float
    cpu: float
    wall: float
    added: float
    said: dict[str, float] = field(default_factory=dict)


def measure(command: list[str]) -> Measured:
    """Run a command to its end and return what it took.

    Raises:
        RuntimeError: If it fails, with what it said.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output, tempfile.TemporaryFile("w+") as errors:
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=errors)  # noqa: S603 - our own commands
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}\n{errors.read()}")
        lines = [line for line in output if line.startswith("{")]
    said: dict[str, float] = json.loads(lines[-1]) if lines else {}
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _MAXRSS_UNIT
    return Measured(
        whole_cpu=cpu,
        whole_wall=wall,
        peak=max(peak, said.get("peak", 0)),
        cpu=cpu - said.get("cpu", 0),
        wall=began + wall - said.get("clock", began),
        added=peak - said.get("resident", 0),
        said=said,
    )


def phase(name: str, *arguments: str | Path) -> Measured:
    """Measure one of the phases."""
    return measure([sys.executable, str(PHASES), name, *map(str, arguments)])
