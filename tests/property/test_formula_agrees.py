"""A number and its formula are one: in every primitive that takes numbers, in every column over realistic rows.

``pytest --log-cli-level=INFO tests/property`` shows how many cells each planted fault gets wrong.
"""

from __future__ import annotations

import csv
import logging
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from bench import Question, Wrong, answers, write_bench, wrong_answers
from books import read_texts, save_report, shipped_catalogues
from engines import Book, LibreOffice, differences
from strategies import (
    NEVER,
    ROWS,
    SCALARS,
    drawn,
    primitives_in,
    realistic_plan,
    rebuilt,
    trees,
    trial_values,
)

from reportgen.arrays import Array
from reportgen.calculation.ledger import CATALOGUES
from reportgen.expression import Column, Expression, Sheet
from reportgen.functions import ceil_div
from reportgen.primitives import PRIMITIVES, Primitive
from reportgen.readings import evaluate

LOGGER = logging.getLogger(__name__)
TREES: Final = 3000
CELLS_A_TREE: Final = 2
JOBS: Final = 600
PAIRS: Final = 2000
TEXT_PRIMITIVES: Final = frozenset(
    {"find", "match", "pick", "pick_text", "is_text", "literal", "joined", "name_across"}
)
"""These have their own tables in test_texts_agree.py."""

# --- faults to plant -------------------------------------------------------------------------------------------------


def _printed(name: str, **changes: Any) -> Primitive:  # noqa: ANN401 - whatever Printed has
    return replace(PRIMITIVES[name], excel=replace(PRIMITIVES[name].excel, **changes))


def _without_right_parentheses(name: str) -> Primitive:
    strength = PRIMITIVES[name].excel.strength
    return _printed(name, asks=(strength, strength))


SOUND: Final = "no fault"
FAULTS: Final[dict[str, dict[str, Primitive]]] = {
    SOUND: {},
    "CEILING printed as ROUNDUP": {"ceil_div": _printed("ceil_div", template="ROUNDUP({0}/{1},0)")},
    "right-hand parentheses dropped": {
        name: _without_right_parentheses(name) for name in ("add", "subtract", "multiply", "divide")
    },
    "MIN printed as MAX": {"minimum": _printed("minimum", template="MAX({0},{1})")},
}
EAGER_WHERE: Final = replace(PRIMITIVES["where"], numpy=lambda yes, then, other: yes * then + (1 - yes) * other)

# --- random trees ----------------------------------------------------------------------------------------------------


class Pairs(Sheet):
    """Whole bytes within a few bytes of exact multiples: where rounding up goes wrong first."""

    title = "Pairs"
    dividend = Column("1", "Bytes to hold.")
    divisor = Column("1", "Bytes of one part.")


PARTS: Final = ceil_div(Pairs.dividend, Pairs.divisor)


def _pairs() -> list[tuple[int, int]]:
    dice = random.Random(20260131)  # noqa: S311 - no secret
    pairs = [(1329124092052, 3), (480 * 10**9, 80 * 10**9), (480 * 10**9 + 1, 80 * 10**9), (399 * 10**12 + 1, 7)]
    while len(pairs) < PAIRS:
        divisor = dice.choice((3, 7, 61, 80 * 10**9, 85520809984, dice.randint(2, 10**11)))
        multiple = int(10 ** dice.uniform(9, 14.5)) // divisor * divisor
        pairs.append((multiple + dice.choice((0, 1, 2, divisor - 1)), divisor))
    return pairs


@dataclass(frozen=True)
class Asked:
    """What was asked under each fault, and the recalculated books."""

    values: dict[Column, Array]
    questions: dict[str, list[Question]]
    books: dict[str, Book]

    def wrong(self, fault: str) -> list[Wrong]:
        """Return the cells that differ under a fault."""
        wrong = wrong_answers(self.books[fault], self.values, self.questions[fault])
        in_trees = sum("Pairs!" not in one.formula for one in wrong)
        LOGGER.info(
            "%s: of %d cells of trees %d differ, of %d pairs %d",
            *(fault, TREES * CELLS_A_TREE, in_trees, PAIRS, len(wrong) - in_trees),
        )
        return wrong


@pytest.fixture(scope="module")
def sound_trees() -> list[Expression]:
    return drawn(trees(), TREES)


@pytest.fixture(scope="module")
def asked(sound_trees: list[Expression], libreoffice: LibreOffice, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    dividends, divisors = (np.array(numbers, dtype=np.float64) for numbers in zip(*_pairs(), strict=True))
    values = {**trial_values(), Pairs.dividend: dividends, Pairs.divisor: divisors}
    values |= {scalar: np.asarray(number) for scalar, number in SCALARS.items()}
    sound = [
        (tree, number % ROWS) for number, tree in enumerate(tree for tree in sound_trees for _ in range(CELLS_A_TREE))
    ]
    sound += [(PARTS, row) for row in range(PAIRS)]
    folder = tmp_path_factory.mktemp("trees")
    questions: dict[str, list[Question]] = {}
    paths: list[Path] = []
    for fault, planted in FAULTS.items():
        with pytest.MonkeyPatch.context() as patch:
            for name, primitive in planted.items():
                patch.setitem(PRIMITIVES, name, primitive)
            again = {tree: rebuilt(tree) for tree, _ in sound}
            questions[fault] = [(again[tree], row) for tree, row in sound]
            paths.append(write_bench(folder / f"{len(paths)}.xlsx", values, questions[fault]))
    return Asked(values, questions, dict(zip(FAULTS, libreoffice.recalculate(paths), strict=True)))


def test_the_trees_hold_every_primitive_there_is(sound_trees: list[Expression]) -> None:
    held = {name for tree in sound_trees for name in primitives_in(tree)}
    assert held | TEXT_PRIMITIVES == set(PRIMITIVES)


def test_every_random_tree_is_the_same_number_in_a_spreadsheet(asked: Asked) -> None:
    assert asked.wrong(SOUND) == []


def test_rounding_up_is_integer_arithmetic_around_every_exact_multiple(asked: Asked) -> None:
    by_integers = [-(-dividend // divisor) for dividend, divisor in _pairs()]
    assert evaluate(PARTS, asked.values).tolist() == by_integers
    assert answers(asked.books[SOUND], len(asked.questions[SOUND]))[-PAIRS:] == by_integers


def test_the_trees_hold_errors_and_words_but_mostly_numbers(asked: Asked) -> None:
    found = answers(asked.books[SOUND], TREES * CELLS_A_TREE)
    errors, words = found.count(""), found.count(NEVER.word)
    LOGGER.info("of %d cells of trees %d hold an error, %d a word", len(found), errors, words)
    assert 0.02 < errors / len(found) < 0.4
    assert words > 10


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != SOUND])
def test_a_planted_fault_is_caught(asked: Asked, fault: str) -> None:
    assert len(asked.wrong(fault)) > 10


def test_a_choice_that_computes_both_branches_is_caught(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRIMITIVES, "where", EAGER_WHERE)
    eager = [(rebuilt(tree), row) for tree, row in asked.questions[SOUND][:-PAIRS]]
    wrong = wrong_answers(asked.books[SOUND], asked.values, eager)
    LOGGER.info("both branches computed: %d of %d cells differ", len(wrong), len(eager))
    assert len(wrong) > 10


# --- every column ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def realistic_workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    catalogues = shipped_catalogues()
    rows = {sheet.title: list(csv.DictReader(catalogues[sheet].splitlines())) for sheet in CATALOGUES}
    names = {title: [next(iter(row.values())) for row in listed] for title, listed in rows.items()}
    names["Sized models"] = [row["model"] for row in rows["Models"] if row["layers"] and row["hidden_size"]]
    inputs = read_texts(realistic_plan(names, JOBS), catalogues)
    return save_report(inputs, tmp_path_factory.mktemp("realistic") / "realistic.xlsx")


def test_every_formula_cell_of_a_realistic_plan_has_the_value_stored_in_it(
    realistic_workbook: Path, libreoffice: LibreOffice
) -> None:
    stored = Book(realistic_workbook)
    (live,) = libreoffice.recalculate([realistic_workbook])
    wrong = differences(stored, live)
    LOGGER.info("realistic plan: %d of %d formula cells differ", len(wrong), sum(map(len, stored.formulas.values())))
    assert wrong == []
