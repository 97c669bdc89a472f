"""Moments that the observed rows of a design have in common."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.engine.design import Design
from forecasting.engine.gram import gram_of

COLUMNS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
PLAN = Design(COLUMNS, np.ones(2), 3, 0)
"""Three steps of history and one of horizon."""


def test_only_observed_rows_of_the_history_count() -> None:
    moments = gram_of(PLAN, np.array([True, False, True])).moments(np.array([10.0, 20.0]))
    assert moments.gram.tolist() == [[1 + 25, 2 + 30], [2 + 30, 4 + 36]]
    assert moments.cross.tolist() == [10 + 100, 20 + 120]
    assert (moments.square, moments.count) == (500.0, 2.0)


def test_a_row_of_one_half_life_before_the_last_step_counts_half() -> None:
    gram = gram_of(PLAN, np.array([True, False, True]), half_life=2.0)
    moments = gram.moments(np.array([10.0, 20.0]))
    assert moments.gram == pytest.approx(np.array([[0.5 + 25, 1 + 30], [1 + 30, 2 + 36]]))
    assert moments.cross == pytest.approx([5 + 100, 10 + 120])
    assert moments.square == pytest.approx(0.5 * 10**2 + 20**2)
    assert moments.count == pytest.approx(0.5 + 1)
