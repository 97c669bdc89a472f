"""Candidates are mixed by weight, without the ends of what they say."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.interval import PredictionInterval
from forecasting.mix import middle_mean, mixed_intervals


def test_intervals_that_agree_on_the_middle_mix_to_the_weighted_mean_of_each_line() -> None:
    first, second = (
        PredictionInterval(*(np.full(2, 5.0 + half * line) for line in (-1, 0, 1)))
        for half in (1, 2)
    )
    rows = mixed_intervals([first, second, first], [0.75, 0.25, 0.0], 0.8)
    assert [line.tolist() for line in rows] == [[3.75, 3.75], [5.0, 5.0], [6.25, 6.25]]


def test_intervals_that_disagree_mix_to_a_wider_one() -> None:
    first, second = (
        PredictionInterval(*(np.full(2, base + line) for line in (-1, 0, 1)))
        for base in (0.0, 10.0)
    )
    lower, expected, upper = mixed_intervals([first, second], [0.5, 0.5], 0.8)
    assert expected.tolist() == [5.0, 5.0]
    assert lower.max() < 0
    assert upper.min() > 10


@pytest.mark.parametrize(
    ("weight", "mean"), [(0.1, 5.0), (0.125, 5.0), (0.2, 5.0 + 95 * 0.075 / 0.75)]
)
def test_of_the_farthest_line_the_weight_above_an_eighth_counts(weight: float, mean: float) -> None:
    lines = np.array([[5.0], [100.0], [5.0]])
    share = np.array([[0.5], [weight], [0.5 - weight]])
    assert middle_mean(lines, share).tolist() == [pytest.approx(mean)]


def test_each_day_leaves_out_its_own_ends() -> None:
    lines = np.array([[0.0, 90.0], [6.0, 6.0], [6.0, 6.0], [6.0, 6.0], [90.0, 0.0]])
    share = np.array([[0.125], [0.25], [0.25], [0.25], [0.125]])
    assert middle_mean(lines, share).tolist() == [6.0, 6.0]


def test_one_line_is_its_own_mean() -> None:
    assert middle_mean(np.array([[3.0, 4.0]]), np.array([[1.0]])).tolist() == [3.0, 4.0]
