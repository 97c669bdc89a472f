"""Level and slope of log odds that a site's own outcomes ask for."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting.probability import OutcomeFigures
from forecasting.site_outcomes import LEVELS, SLOPES, site_figures
from mqcap.domain.score import StatedOutcome


def outcomes(
    came: int, count: int, probability: float = 0.4, shift: float = 0.0, slope: float = 1.0
) -> list[StatedOutcome]:
    return [
        StatedOutcome(("R", f"S{number}"), probability, shift, number < came, slope)
        for number in range(count)
    ]


@pytest.mark.parametrize(("came", "sign"), [(10, -1), (40, 0), (70, 1)])
def test_what_came_more_often_than_stated_raises_probabilities(came: int, sign: int) -> None:
    found = site_figures(outcomes(came, 100), 100)
    at_what_was_stated = found.level + found.slope * math.log(0.4 / 0.6) - math.log(0.4 / 0.6)
    assert round(at_what_was_stated, 1) == 0 if not sign else at_what_was_stated * sign > 0


def test_as_stated_nothing_is_corrected() -> None:
    as_stated = [*outcomes(20, 100, 0.2), *outcomes(50, 100, 0.5), *outcomes(80, 100, 0.8)]
    assert site_figures(as_stated, 200) == OutcomeFigures(0.0, 1.0)


def test_too_extreme_probabilities_are_brought_nearer_to_even_odds() -> None:
    too_sure = [*outcomes(150, 500, 0.05), *outcomes(350, 500, 0.95)]
    found = site_figures(too_sure, 10)
    expected = math.log(0.3 / 0.7) / math.log(0.05 / 0.95)
    assert found.level == 0
    assert found.slope == pytest.approx(expected, abs=0.03)


def test_the_more_further_cases_the_less_is_corrected() -> None:
    found = [site_figures(outcomes(60, 100, 0.3), cases) for cases in (10, 200, 100_000)]
    assert np.diff([each.level for each in found]).max() < 0
    assert found[-1] == OutcomeFigures(0.0, 1.0)


@pytest.mark.parametrize(("shift", "slope"), [(-0.3, 1.0), (0.3, 0.8), (0.0, 1.2)])
def test_the_correction_that_a_probability_was_stated_with_is_not_asked_for_again(
    shift: float, slope: float
) -> None:
    stated = 1 / (1 + math.exp(-(shift + slope * math.log(0.4 / 0.6))))
    found = site_figures(outcomes(50, 100, stated, shift, slope), 100)
    assert found == site_figures(outcomes(50, 100), 100)


@settings(max_examples=30)
@given(st.integers(0, 60), st.floats(0.0001, 0.9999), st.integers(1, 500))
def test_level_and_slope_have_bounds(came: int, stated: float, prior: int) -> None:
    found = site_figures(outcomes(came, 60, stated), prior)
    assert LEVELS[0] <= found.level <= LEVELS[1]
    assert SLOPES[0] <= found.slope <= SLOPES[1]
