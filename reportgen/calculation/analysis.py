"""What is computed from a ledger for its report: the bill, the comparison of cards, the what-if tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.bands import Calculation
from reportgen.calculation.bill import BillOfMaterials, GroupTotals
from reportgen.calculation.catalogues import Hardware
from reportgen.calculation.comparison import comparison
from reportgen.calculation.ledger import Ledger, add_derived
from reportgen.calculation.plan import Plan
from reportgen.calculation.whatif import STEPS, Degrees, Picked, PickedFigures, PriceSteps, Sensitivity
from reportgen.errors import InputError, Problem
from reportgen.expression import Column, Sheet

COMPARED_WITH_ALL, MOST_COMPARED = 500, 4
"""Up to so many jobs are compared on every card; more of them on so many cards."""
SPARE_LINES = 5
"""Lines of the bill beyond those in use, for cards and groups that a reader brings in."""


@dataclass(frozen=True)
class Analysis:
    """Every value of a report, the ledger's and its own, and the sheet that compares cards."""

    values: Mapping[Column, Array]
    comparison: type[Sheet]

    def rows(self, sheet: type[Sheet]) -> int:
        """Return the number of rows of a sheet."""
        return len(self.values[sheet.columns[0]])


@dataclass(frozen=True)
class AsBuilt:
    """What a workbook keeps from the day it was built, or holds from its reader since.

    ``compared`` is its sheet that compares cards, ``given`` its lines, its picked job and its steps, ``spare`` its rows
    that are still free.
    """

    compared: type[Sheet]
    given: Mapping[Column, Array]
    spare: Mapping[type[Sheet], int]


def analyse(ledger: Ledger, cards: Sequence[str] = (), as_built: AsBuilt | None = None) -> Analysis:
    """Return what a report shows beside the ledger.

    Args:
        ledger: What ``calculate`` returns.
        cards: Names of the cards to compare; where empty all of the hardware, of a plan with more than
            ``COMPARED_WITH_ALL`` jobs the ``MOST_COMPARED`` that most of its jobs use.
        as_built: What stands in a workbook already, where that is to be computed again.
    """
    values = dict(ledger.values)
    compared = as_built.compared if as_built is not None else _compared(values, cards)
    values[BillOfMaterials.line] = _lines(values[Calculation.card_first], SPARE_LINES)
    values[GroupTotals.group_line] = _lines(values[Calculation.group_first], SPARE_LINES)
    values[Picked.picked_job] = np.asarray(values[Plan.job][0], dtype=object)
    values |= {column: np.array(steps) for column, steps in STEPS.items()}
    values |= as_built.given if as_built is not None else {}
    for sheet in (BillOfMaterials, GroupTotals, compared, Picked, PickedFigures, Degrees, Sensitivity, PriceSteps):
        add_derived(sheet, values)
    return Analysis(values, compared)


def _compared(values: Mapping[Column, Array], cards: Sequence[str]) -> type[Sheet]:
    names: list[str] = values[Hardware.hardware].tolist()
    rows = [names.index(card) for card in cards] or _usual_rows(values[Calculation.hardware_row], len(names))
    return comparison([names[row] for row in rows], rows)


def _usual_rows(used: Array, count: int) -> list[int]:
    """Return which rows of the hardware are compared where nobody says it; ``used`` has a job's row, from 1."""
    if len(used) <= COMPARED_WITH_ALL:
        return list(range(count))
    jobs = np.bincount(used[~np.isnan(used)].astype(np.intp) - 1, minlength=count)
    most_used = np.argsort(-jobs, kind="stable")[:MOST_COMPARED]
    return sorted(row for row in most_used.tolist() if jobs[row])


def check_cards(ledger: Ledger, cards: Sequence[str]) -> None:
    """Make sure that the cards to compare are in the hardware.

    Raises:
        InputError: Naming those that are not.
    """
    names = ledger.values[Hardware.hardware].tolist()
    file = ledger.inputs.tables[Hardware].file
    problems = [
        Problem("--compare", 0, "", repr(card), f"a card of {file}, such as {', '.join(names[:8])}")
        for card in cards
        if card not in names
    ]
    if problems:
        raise InputError(problems)


def _lines(first_rows: Array, spare: int) -> Array:
    return np.arange(1.0, np.count_nonzero(~np.isnan(first_rows)) + spare + 1)
