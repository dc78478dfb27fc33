"""What a measured process does: one phase of the work, told by the name of its function.

python tests/benchmarks/phases.py reportgen plan.csv out.xlsx
"""

from __future__ import annotations

import sys
import time
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np
from peers import WRITERS, Writer
from readiness import ready
from same_cells import job_sheets

from reportgen import calculate, read_plan
from reportgen.calculation.ledger import JOB_SHEETS
from reportgen.files import data_folder
from reportgen.page.render import render_page
from reportgen.report import Report
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save

DAY: Final = date(2026, 1, 31)


def report_of(plan: Path) -> Report:
    """Return the report of a plan with all figures that its outputs show."""
    report = Report(calculate(read_plan(plan)), "Benchmark", DAY, "0")
    _ = report.analysis
    return report


def write_ours(plan: Path, target: Path) -> None:
    """Build our whole workbook and save it: the job sheets and all the others."""
    report = report_of(plan)
    ready()
    save(build_workbook(report), target, DAY)


def write_theirs(writer: Writer, plan: Path, target: Path) -> None:
    """Write the cells of our job sheets with another writer."""
    sheets = job_sheets(build_workbook(report_of(plan)))
    ready(cells=sum(one.cells for one in sheets), formulas=sum(one.cells for one in sheets if one.live))
    writer(sheets, target)


def read(plan: Path) -> None:
    """Read a plan and its catalogues."""
    ready()
    read_plan(plan)


def calculate_all(plan: Path) -> None:
    """Calculate the whole ledger, and say how long numpy takes to write as many arrays of that length."""
    inputs = read_plan(plan)
    arrays = sum(column.definition is not None for sheet in JOB_SHEETS for column in sheet.columns)
    began = time.process_time()
    written = [np.full(len(inputs.plan), 1.0) for _ in range(arrays)]
    yardstick = time.process_time() - began
    del written
    ready(arrays=arrays, yardstick=yardstick)
    calculate(inputs)


def page(plan: Path) -> None:
    """Render the page."""
    report = report_of(plan)
    ready()
    render_page(report, "plan.xlsx", [data_folder("templates")])


def main(name: str, plan: Path, *target: Path) -> None:
    """Do the phase of that name."""
    if name in WRITERS:
        write_theirs(WRITERS[name], plan, target[0])
    elif name == "reportgen":
        write_ours(plan, target[0])
    else:
        {"read": read, "calculate": calculate_all, "page": page}[name](plan)


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
