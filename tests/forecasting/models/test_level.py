"""The last level, without a trend."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.models.level import LevelModel
from tests.forecasting.builders import CUTOFF, DAYS, history, noise, weekly


def test_a_random_walk_goes_on_at_its_last_value_with_an_error_that_grows() -> None:
    walk = 500 + noise().cumsum()
    predicted = LevelModel().predict(history(walk), 28)
    assert predicted.expected == pytest.approx(np.full(28, walk[-1]), abs=3)
    assert predicted.variance[27] > 4 * predicted.variance[0]


def test_noise_around_a_level_goes_on_at_the_level_with_the_error_of_a_day() -> None:
    predicted = LevelModel().predict(history(50 + noise()), 28)
    assert predicted.expected == pytest.approx(np.full(28, 50.0), abs=1)
    assert np.sqrt(predicted.variance) == pytest.approx(np.full(28, 1.0), rel=0.2)


def test_what_the_week_does_stays() -> None:
    week = weekly(DAYS + 14, size=10.0, last=CUTOFF)
    predicted = LevelModel().predict(history(50 + week[:DAYS] + noise()), 14)
    assert predicted.expected == pytest.approx(50 + week[DAYS:], abs=1.5)


def test_missing_days_change_no_level() -> None:
    values = 50 + noise()
    values[[0, 200, DAYS - 1]] = np.nan
    predicted = LevelModel().predict(history(values), 3)
    assert predicted.expected == pytest.approx(np.full(3, 50.0), abs=1)
