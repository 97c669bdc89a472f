"""Candidates are mixed by weight, without the ends of what they say."""

import numpy as np
import pytest

from forecasting.interval import PredictionInterval
from forecasting.mix import CandidateInterval, middle_mean, mixed_intervals


def around(middle: float, half: float, days: int = 2) -> PredictionInterval:
    return PredictionInterval(*(np.full(days, middle + half * line) for line in (-1, 0, 1)))


def test_intervals_that_agree_on_the_middle_mix_to_the_weighted_mean_of_each_line() -> None:
    first, second = around(5.0, 1.0), around(5.0, 2.0)
    candidates = [CandidateInterval(each, log_scale=True) for each in (first, second, first)]
    rows = mixed_intervals(candidates, [3.0, 1.0, 0.0], 0.8)
    assert [line.tolist() for line in rows] == [[3.75, 3.75], [5.0, 5.0], [6.25, 6.25]]


def test_intervals_that_disagree_mix_to_a_wider_one() -> None:
    candidates = [CandidateInterval(around(middle, 1.0), log_scale=False) for middle in (0.0, 10.0)]
    lower, expected, upper = mixed_intervals(candidates, [0.5, 0.5], 0.8)
    assert expected.tolist() == [5.0, 5.0]
    assert lower.max() < 0
    assert upper.min() > 10


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([(1, 1 / 3, True)] * 2 + [(2, 1 / 6, False)] * 2, 1.0 + (0.2 - 0.125) / 0.75),
        ([(1, 0.375, True)] * 2 + [(3, 0.125, False)] * 2, 1.0),
        ([(1, 0.3, True), (2, 0.2, True), (3, 0.3, False), (4, 0.2, False)], 2.4),
        ([(1, 0.9, False), (2, 0.1, False)], 1.1),
    ],
    ids=[
        # a fifth by squared errors, of which an eighth of all is left out at both ends
        "a scale that misses twice as much counts a tenth",
        "a scale that misses three times as much has no part",
        "scales that fit alike keep their shares",
        "candidates of one scale keep their shares",
    ],
)
def test_the_width_is_that_of_the_scales_by_their_squared_errors(
    candidates: list[tuple[float, float, bool]], expected: float
) -> None:
    """Half widths, weights and scales of candidates that expect the same."""
    made = [CandidateInterval(around(5.0, half), is_log) for half, _, is_log in candidates]
    mixed = mixed_intervals(made, [weight for _, weight, _ in candidates], 0.8)
    assert mixed.expected - mixed.lower == pytest.approx([expected] * 2)
    assert mixed.upper - mixed.expected == pytest.approx([expected] * 2)


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


def test_what_weighs_more_in_the_near_days_weighs_as_before_in_the_far_ones() -> None:
    near = CandidateInterval(around(0.0, 1.0, 400), log_scale=False, near_weight=3.0)
    far = CandidateInterval(around(10.0, 1.0, 400), log_scale=False)
    mixed = mixed_intervals([near, far], [0.5, 0.5], 0.8)
    assert mixed.expected[0] == pytest.approx(10 * (0.25 - 0.125) / 0.75)
    assert mixed.expected[-1] == pytest.approx(5.0, abs=0.01)
