"""Candidates are mixed by weight, without the ends of what they say."""

import numpy as np
import pytest

from forecasting.interval import PredictionInterval
from forecasting.mix import CandidateInterval, middle_mean, mixed_intervals


def test_intervals_that_agree_on_the_middle_mix_to_the_weighted_mean_of_each_line() -> None:
    first, second = (
        PredictionInterval(*(np.full(2, 5.0 + half * line) for line in (-1, 0, 1)))
        for half in (1, 2)
    )
    candidates = [CandidateInterval(each, log_scale=True) for each in (first, second, first)]
    rows = mixed_intervals(candidates, [3.0, 1.0, 0.0], 0.8)
    assert [line.tolist() for line in rows] == [[3.75, 3.75], [5.0, 5.0], [6.25, 6.25]]


def test_intervals_that_disagree_mix_to_a_wider_one() -> None:
    first, second = (
        PredictionInterval(*(np.full(2, base + line) for line in (-1, 0, 1)))
        for base in (0.0, 10.0)
    )
    lower, expected, upper = mixed_intervals(
        [CandidateInterval(each, log_scale=False) for each in (first, second)], [0.5, 0.5], 0.8
    )
    assert expected.tolist() == [5.0, 5.0]
    assert lower.max() < 0
    assert upper.min() > 10


def _around_five(half: float) -> PredictionInterval:
    return PredictionInterval(*(np.full(1, 5.0 + half * line) for line in (-1, 0, 1)))


def _half_width(*candidates: tuple[float, float, bool]) -> float:
    """Half width of the mix of candidates that expect the same: half width, weight, log scale."""
    made = [CandidateInterval(_around_five(half), is_log) for half, _, is_log in candidates]
    mixed = mixed_intervals(made, [weight for _, weight, _ in candidates], 0.8)
    assert float(mixed.expected[0] - mixed.lower[0]) == pytest.approx(
        float(mixed.upper[0] - mixed.expected[0])
    )
    return float(mixed.upper[0] - mixed.expected[0])


def test_the_width_of_a_scale_that_misses_twice_as_much_counts_a_tenth() -> None:
    """A fifth by squared errors, of which an eighth of all is left out at both ends."""
    half = _half_width(
        (1.0, 1 / 3, True), (1.0, 1 / 3, True), (2.0, 1 / 6, False), (2.0, 1 / 6, False)
    )
    assert half == pytest.approx(1.0 + (0.2 - 0.125) / 0.75)


def test_a_scale_that_misses_three_times_as_much_has_no_part_in_the_width() -> None:
    half = _half_width(
        (1.0, 0.375, True), (1.0, 0.375, True), (3.0, 0.125, False), (3.0, 0.125, False)
    )
    assert half == pytest.approx(1.0)


def test_scales_that_fit_alike_keep_their_shares_in_the_width() -> None:
    half = _half_width((1.0, 0.3, True), (2.0, 0.2, True), (3.0, 0.3, False), (4.0, 0.2, False))
    assert half == pytest.approx(0.3 * 1.0 + 0.2 * 2.0 + 0.3 * 3.0 + 0.2 * 4.0)


def test_candidates_of_one_scale_keep_their_shares_in_the_width() -> None:
    assert _half_width((1.0, 0.9, False), (2.0, 0.1, False)) == pytest.approx(1.1)


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
    near, far = (PredictionInterval(*(np.full(400, base + line) for line in (-1, 0, 1)))
                 for base in (0.0, 10.0))  # fmt: skip
    mixed = mixed_intervals(
        [
            CandidateInterval(near, log_scale=False, near_weight=3.0),
            CandidateInterval(far, log_scale=False),
        ],
        [0.5, 0.5],
        0.8,
    )
    assert mixed.expected[0] == pytest.approx(10 * (0.25 - 0.125) / 0.75)
    assert mixed.expected[-1] == pytest.approx(5.0, abs=0.01)
