"""The choice among methods."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.engine.candidates import REFERENCE
from forecasting.engine.kinds import DAILY, HOURLY, SHORT_HOURLY
from forecasting.engine.selection import Choice, Origin, choose, scores


def test_the_best_few_are_mixed_by_their_scores() -> None:
    choice = choose(np.array([1.0, 0.5, np.inf, 2.0, 1.0, 4.0]), 5, DAILY)
    assert np.flatnonzero(choice.weights).tolist() == [0, 1, 3, 4]
    assert choice.weights.sum() == pytest.approx(1)
    assert choice.weights[1] == pytest.approx(8 * choice.weights[0])


def test_few_origins_take_the_median_of_three() -> None:
    choice = choose(np.array([1.0, 0.5, 0.7, 0.6]), 1, DAILY)
    assert choice.mix(np.array([[9.0], [1.0], [2.0], [30.0]])).tolist() == [2.0]


def test_scores_are_relative_to_the_naive_method() -> None:
    paths = np.array([[2.0, 2.0], [1.0, 1.0], [1.5, 1.5]])
    assert scores([Origin(paths, np.array([1.0, np.nan]))]).tolist() == pytest.approx(
        [1.0, 0.0, np.sqrt(0.5 * 0.6)]
    )


def test_weights_fall_with_the_power_of_the_kind() -> None:
    choice = choose(np.array([1.0, 0.5]), 5, HOURLY)
    assert choice.weights[1] == pytest.approx(2**HOURLY.power * choice.weights[0])


@pytest.mark.parametrize(("origins", "median"), [(2, True), (3, False), (4, False)])
def test_a_median_is_taken_of_few_origins(origins: int, median: bool) -> None:
    assert choose(np.array([1.0, 0.5, 0.7, 0.6]), origins, DAILY).median is median


def test_a_median_is_taken_where_series_or_kind_want_it() -> None:
    method_scores = np.array([1.0, 0.5, 0.7, 0.6])
    assert choose(method_scores, 5, SHORT_HOURLY).median
    assert choose(method_scores, 5, DAILY, median=True).median


@pytest.mark.parametrize(
    ("others", "expected"),
    [([7.0, 8.0, 9.0], 7.0), ([1.0, 2.0, 3.0], 3.0), ([3.0, 8.0, 9.0], 5.0)],
    ids=["all above", "all below", "both sides"],
)
def test_a_cautious_mix_leaves_the_reference_where_all_methods_do(
    others: list[float], expected: float
) -> None:
    paths = np.full((REFERENCE + 4, 1), np.nan)
    paths[REFERENCE] = 5.0
    paths[REFERENCE + 1 :, 0] = others
    weights = np.where(np.arange(len(paths)) > REFERENCE, 1 / 3, 0.0)
    assert Choice(weights, median=True).cautious_mix(paths).tolist() == [expected]
