"""What both outputs show: the ledger with its title, its date and its origin. Decides nothing about layout."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from reportgen.calculation.analysis import Analysis, AsBuilt, analyse
from reportgen.calculation.checks import CHECKS, HOLDS
from reportgen.calculation.ledger import Ledger
from reportgen.calculation.totals import Totals
from reportgen.expression import Column
from reportgen.readings import evaluate

VERDICT_OK = "All checks hold"
VERDICT_EDITED = "Edited since the report was made"
VERDICT_FAILED = "A check fails: see Checks"

NOT_MODELLED = (
    "Speed: hours follow from tokens and an assumed utilization, or are given.",
    "Network, storage, staff and software beyond the shares under Assumptions.",
    "Later stages of a pipeline: the first one holds the most activations and is the one counted.",
    "Memory that kernels take for a moment beyond the measured laws; leave headroom.",
    "Purchase prices of cards, until the hardware names them.",
)

CARDS_NEEDED_LINES = (
    "Cards by an even split hold the training state alone, on the memory of the label.",
    "The plan counts more: activations, gathered layers, and what driver, context, buffers and fragmentation keep.",
)
CARDS_NEEDED_NOTE = " ".join(CARDS_NEEDED_LINES)


@dataclass(frozen=True)
class CheckResult:
    """A check with the figures it has now."""

    name: str
    live: float
    expected: float
    difference: float
    verdict: str


@dataclass(frozen=True)
class Report:
    """A ledger ready to be shown; date and version come from outside, so that one input gives one report."""

    ledger: Ledger
    title: str
    date: date
    version: str
    cards: tuple[str, ...] = ()
    as_built: AsBuilt | None = None

    @cached_property
    def analysis(self) -> Analysis:
        """What is computed from the ledger for the report alone; ``cards`` are those to compare."""
        return analyse(self.ledger, self.cards, self.as_built)

    @property
    def totals(self) -> list[tuple[Column, float]]:
        """The totals over all jobs."""
        return [(total, self.ledger.values[total].item()) for total in Totals.columns]

    @property
    def checks(self) -> list[CheckResult]:
        """Every check, with its figures."""
        return [
            CheckResult(
                check.name,
                *(
                    evaluate(figure, self.analysis.values).item()
                    for figure in (check.live, check.expected, check.difference, check.verdict)
                ),
            )
            for check in CHECKS
        ]

    @property
    def answer(self) -> str:
        """What the plan comes to, in one sentence; the workbook says the same with a formula."""
        jobs, fit, not_fit, cards, nodes = (
            f"{self.ledger.values[total].item():.0f}"
            for total in (
                Totals.jobs,
                Totals.jobs_that_fit,
                Totals.jobs_that_do_not_fit,
                Totals.total_planned_cards,
                Totals.total_nodes,
            )
        )
        counted = f"{jobs} job: " if jobs == "1" else f"{jobs} jobs: "
        return f"{counted}{fit} fit, {not_fit} do not; {cards} cards in {nodes} nodes"

    @property
    def verdict(self) -> str:
        """One sentence over all checks."""
        return VERDICT_OK if all(check.verdict == HOLDS for check in self.checks) else VERDICT_FAILED
