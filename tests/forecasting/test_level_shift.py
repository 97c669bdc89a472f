"""Refusal after a level shift."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.level_shift import level_shift_refusal
from tests.forecasting.builders import CUTOFF, DAYS, history, noise, weekly

TIME = np.arange(DAYS)


@pytest.mark.parametrize("late", [2, 5, 8])
def test_a_level_that_changed_within_days_is_refused(late: int) -> None:
    values = 20 + weekly(size=3.0) + noise(scale=0.3) + np.where(DAYS - late <= TIME, 15.0, 0.0)
    refusal = level_shift_refusal(history(values, last=CUTOFF))
    assert refusal is not None
    assert refusal.startswith("the level changed on 2026-0")


@pytest.mark.parametrize("late", [0, 1, 30])
def test_one_odd_day_and_an_older_change_are_not(late: int) -> None:
    values = 20 + weekly(size=3.0) + noise(scale=0.3) + np.where(DAYS - late <= TIME, 15.0, 0.0)
    assert level_shift_refusal(history(values, last=CUTOFF)) is None
