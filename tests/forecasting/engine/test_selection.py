"""The choice among methods."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.engine.selection import Origin, choose, scores


def test_the_best_few_are_mixed_by_their_scores() -> None:
    choice = choose(np.array([1.0, 0.5, np.inf, 2.0, 1.0, 4.0]), 5)
    assert np.flatnonzero(choice.weights).tolist() == [0, 1, 3, 4]
    assert choice.weights.sum() == pytest.approx(1)
    assert choice.weights[1] == pytest.approx(8 * choice.weights[0])


def test_few_origins_take_the_median_of_three() -> None:
    choice = choose(np.array([1.0, 0.5, 0.7, 0.6]), 1)
    assert choice.mix(np.array([[9.0], [1.0], [2.0], [30.0]])).tolist() == [2.0]


def test_scores_are_relative_to_the_naive_method() -> None:
    paths = np.array([[2.0, 2.0], [1.0, 1.0], [1.5, 1.5]])
    assert scores([Origin(paths, np.array([1.0, np.nan]))]).tolist() == pytest.approx(
        [1.0, 0.0, np.sqrt(0.5 * 0.6)]
    )
