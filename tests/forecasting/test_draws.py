"""The shared draws of errors: equal for all series, of unit variance."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.draws import CYCLE_DAYS, PATHS, calendar_draws


def test_errors_have_unit_variance_and_the_noise_of_days_is_independent() -> None:
    lasting, noise = calendar_draws(738_000, 30, 0.7)
    assert lasting.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert noise.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert abs(np.corrcoef(noise[:, 0], noise[:, 1])[0, 1]) < 0.1
    assert np.corrcoef(lasting[:, 28], lasting[:, 29])[0, 1] > 0.9


def test_the_second_half_mirrors_the_first_so_that_no_median_moves() -> None:
    for paths in calendar_draws(738_000, 30, 0.7):
        assert np.array_equal(paths[: PATHS // 2], -paths[PATHS // 2 :])


def test_a_calendar_day_has_the_same_noise_on_every_night() -> None:
    (_, tonight), (_, tomorrow) = calendar_draws(738_000, 30, 0.7), calendar_draws(738_001, 29, 0.7)
    assert np.array_equal(tonight[:, 1:], tomorrow)


@pytest.mark.parametrize("first_day", [CYCLE_DAYS - 2, CYCLE_DAYS - 1, CYCLE_DAYS])
def test_the_calendar_begins_anew_after_its_cycle(first_day: int) -> None:
    lasting, noise = calendar_draws(first_day, 30, 0.7)
    assert lasting.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert np.array_equal(noise[:, 2:], calendar_draws(first_day + 2, 28, 0.7)[1])
