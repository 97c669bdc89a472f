"""Probabilities corrected by what became of stated ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting.engine.passage import Passage
from forecasting.engine.recalibration import Recalibration, recalibrated, shipped

UNCHANGED = Recalibration(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STATED = Passage(np.linspace(0.1, 0.9, 365))
SHARP = Passage(np.linspace(0.05, 0.7, 365))


def at_ninety(figures: Recalibration, distance: float = 0.0, history_days: int = 540) -> float:
    return recalibrated(STATED, SHARP, distance, history_days, figures).within(90)


def test_figures_of_no_correction_change_nothing() -> None:
    corrected = recalibrated(STATED, SHARP, 0.2, 300, UNCHANGED)
    assert corrected.probability == pytest.approx(STATED.probability)


def test_the_level_is_added_to_the_log_odds() -> None:
    before = STATED.within(90)
    odds = before / (1 - before) * 2
    assert at_ninety(UNCHANGED._replace(level=np.log(2))) == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize(("days", "sign"), [(30, -1), (90, 0), (180, 1)])
def test_days_ahead_count_from_ninety(days: int, sign: int) -> None:
    corrected = recalibrated(STATED, SHARP, 0.0, 540, UNCHANGED._replace(per_log_days=1.0))
    assert np.sign(round(corrected.within(days) - STATED.within(days), 9)) == sign


@pytest.mark.parametrize(("distance", "same_as"), [(0.49, 0.49), (0.5, 0.5), (0.51, 0.5)])
def test_limits_far_away_are_corrected_like_the_farthest_that_were_fitted(
    distance: float, same_as: float
) -> None:
    figures = UNCHANGED._replace(per_distance=-5.0)
    assert at_ninety(figures, distance) == at_ninety(figures, same_as)
    assert at_ninety(figures, 0.1) < at_ninety(figures, 0.0)


@pytest.mark.parametrize(("days", "same_as"), [(239, 240), (240, 240), (241, 241), (901, 900)])
def test_histories_are_corrected_like_the_nearest_length_that_was_fitted(
    days: int, same_as: int
) -> None:
    figures = UNCHANGED._replace(per_log_history=0.4)
    assert at_ninety(figures, 0.0, days) == at_ninety(figures, 0.0, same_as)
    assert at_ninety(figures, 0.0, 700) > at_ninety(figures, 0.0, 300)


@settings(max_examples=20)
@given(st.integers(0, 2**16), st.floats(-1, 3), st.integers(20, 3_000))
def test_a_corrected_curve_never_falls_and_stays_a_probability(
    seed: int, distance: float, history_days: int
) -> None:
    steps = np.random.default_rng(seed).dirichlet(np.full(366, 0.1), 2)[:, :365]
    stated, sharp = (Passage(np.minimum(row.cumsum(), 1.0)) for row in steps)
    corrected = recalibrated(stated, sharp, distance, history_days).probability
    assert (np.diff(corrected) >= 0).all()
    assert (corrected > 0).all()
    assert (corrected < 1).all()


def test_half_of_each_slope_is_the_geometric_mean_of_both_odds() -> None:
    figures = UNCHANGED._replace(slope=0.5, sharp_slope=0.5)
    odds = [p.within(90) / (1 - p.within(90)) for p in (STATED, SHARP)]
    corrected = at_ninety(figures)
    assert corrected / (1 - corrected) == pytest.approx(np.sqrt(odds[0] * odds[1]))


def test_the_shipped_figures_widen_sharp_probabilities_and_trust_far_limits_less() -> None:
    assert 0.3 < shipped().slope < 1.0
    assert 0.1 < shipped().sharp_slope < shipped().slope
    assert min(shipped().slope, shipped().sharp_slope, shipped().per_log_days) > 0
    assert shipped().per_distance < 0
