"""Writes the report of a large plan in a process of its own, which a test may kill: python reports.py PLAN FOLDER.

The report is made once; then, for each line on standard input, a child writes it with that day as its date. The child's
number is printed when it begins, and ``done`` with its status when it has ended.
"""

from __future__ import annotations

import gc
import os
import sys
from datetime import date
from pathlib import Path

from reportgen.api import calculate, read_plan
from reportgen.files import text_writer, write_together
from reportgen.report import Report
from reportgen.seal import UNSEALED, sealed
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save


def main(plan: str, folder: str) -> None:
    """Serve one run after the other."""
    report = Report(calculate(read_plan(plan)), "Killed", date(2026, 1, 31), "0", ("H100",))
    workbook = build_workbook(report)
    gc.freeze()
    _say("ready")
    for line in sys.stdin:
        day = date.fromisoformat(line.strip())
        child = os.fork()
        if child == 0:
            writers = {
                Path(folder, "plan.xlsx"): lambda path: save(workbook, path, day),  # noqa: B023 - called at once
                Path(folder, "plan.html"): text_writer(sealed(f"{day} {UNSEALED}" * 1000)),
            }
            write_together(writers, force=False)
            os._exit(0)
        _say(f"{child}")
        _say(f"done {os.waitpid(child, 0)[1]}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
