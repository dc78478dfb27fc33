"""Rows that are calculated together do not matter: neither how many, nor which."""

from __future__ import annotations

import numpy as np
import pytest
from books import SMALL_PLAN, read_texts, shipped_catalogues

from reportgen.calculation import by_rows
from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import JOB_SHEETS, calculate
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding


@pytest.mark.parametrize("rows_at_once", [1, 2, 3])
def test_figures_are_the_same_however_many_rows_are_calculated_together(
    monkeypatch: pytest.MonkeyPatch, rows_at_once: int
) -> None:
    inputs = read_texts(SMALL_PLAN, shipped_catalogues())
    together = calculate(inputs).values
    monkeypatch.setattr(by_rows, "ROWS_AT_ONCE", rows_at_once)
    apart = calculate(inputs).values
    assert together.keys() == apart.keys()
    for column, figures in together.items():
        assert figures.dtype == apart[column].dtype
        np.testing.assert_array_equal(figures, apart[column])


def test_only_columns_that_look_at_their_own_row_are_calculated_by_rows() -> None:
    values = dict(calculate(read_texts(SMALL_PLAN, shipped_catalogues())).values)
    every = {column for sheet in JOB_SHEETS for column, _ in sheet.derived()}
    for column in every:
        del values[column]
    by_rows.add_by_rows(JOB_SHEETS, values)
    assert {column.name for column in every - values.keys()} == {"card_first", "group_row", "group_first"}
    assert values[Calculation.training_footprint_gb][0] == 480
    assert values[Sharding.fits].shape == values[Plan.job].shape
