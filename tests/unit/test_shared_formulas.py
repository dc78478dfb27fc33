"""A shared formula means in each cell what openpyxl moves it to."""

from __future__ import annotations

import pytest
from openpyxl.formula.translate import Translator

from reportgen.returned.shared_formulas import SharedFormula

FORMULAS = (
    'IF($A6="","",B6+C6)',
    'IF($A6="","",IF(G6,Memory!H6,"never"))',
    "SUM('Cloud prices'!$E$6:$E$112,J6)*rate_2026+AB6:AC6",
    'INDEX($CW$4:$ER$4,D6)&"A6 stays ""A6"""',
    "B6+c6",
    "SUM(6:7)+SUM(A:B)",
    "TRUE+1E5+E5",
    "LOG10(B6)",
    "Table1[x]+A6",
    "A2",
)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("place", ["D6", "D7", "D1048", "F9", "D5"])
def test_a_shared_formula_is_moved_as_openpyxl_moves_it(formula: str, place: str) -> None:
    moved = str(Translator("=" + formula, "D6").translate_formula(place))[1:]
    column, row = place[0], int(place[1:])
    assert SharedFormula(formula, 6, "D").at(row, column) == moved


def test_a_text_that_is_no_formula_means_nothing() -> None:
    assert SharedFormula('"', 6, "D").at(7, "D") == ""
    assert SharedFormula("A1", 6, "D").at(5, "D") == ""
