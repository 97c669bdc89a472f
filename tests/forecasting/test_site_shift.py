"""The shift of log odds that a site's own outcomes ask for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting.site_shift import STEPS_MAX, STEPS_PER_UNIT, site_shift
from mqcap.domain.score import StatedOutcome

MAX = STEPS_MAX / STEPS_PER_UNIT


def outcomes(
    came: int, count: int, probability: float = 0.4, shift: float = 0.0
) -> list[StatedOutcome]:
    return [
        StatedOutcome(("R", f"S{number}"), probability, shift, number < came)
        for number in range(count)
    ]


@pytest.mark.parametrize(("came", "sign"), [(39, -1), (40, 0), (41, 1)])
def test_what_came_more_often_than_stated_raises_probabilities(came: int, sign: int) -> None:
    found = site_shift(outcomes(came, 100), 20)
    assert (found > 0) - (found < 0) == sign


@pytest.mark.parametrize(("came", "shift"), [(0, -MAX), (300, MAX)])
def test_the_shift_has_a_bound(came: int, shift: float) -> None:
    assert site_shift(outcomes(came, 300), 20) == shift


def test_without_further_cases_the_shift_is_that_of_the_frequency() -> None:
    expected = math.log(0.5 / 0.5) - math.log(0.4 / 0.6)
    assert site_shift(outcomes(50, 100), 0) == pytest.approx(expected, abs=0.5 / STEPS_PER_UNIT)


def test_further_cases_draw_the_shift_to_zero() -> None:
    found = [site_shift(outcomes(50, 100), cases) for cases in (0, 100, 1_000, 100_000)]
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0


@pytest.mark.parametrize("shift", [-0.3, 0.0, 0.3])
def test_the_shift_that_a_probability_was_stated_with_is_not_asked_for_again(shift: float) -> None:
    odds = math.log(0.4 / 0.6) + shift
    stated = 1 / (1 + math.exp(-odds))
    found = site_shift(outcomes(50, 100, stated, shift), 100)
    assert found == site_shift(outcomes(50, 100), 100)


@settings(max_examples=30)
@given(st.integers(0, 60), st.floats(0.0001, 0.9999), st.integers(0, 500))
def test_what_comes_is_opposite_for_opposite_outcomes(came: int, stated: float, prior: int) -> None:
    up = site_shift(outcomes(came, 60, stated), prior)
    down = site_shift(outcomes(60 - came, 60, 1 - stated), prior)
    assert up == pytest.approx(-down, abs=1.001 / STEPS_PER_UNIT)
    assert abs(up) <= MAX
