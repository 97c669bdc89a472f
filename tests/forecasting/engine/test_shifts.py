"""Level shifts in a history."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.engine.shifts import level_shifts, step_columns

RNG = np.random.default_rng(11)


TIME = np.arange(300.0)


NOISE = RNG.normal(0, 0.05, 300)


@pytest.mark.parametrize("position", [40, 150, 285])
@pytest.mark.parametrize("size", [-0.5, 0.4])
def test_a_sharp_step_is_found_on_its_day(position: int, size: float) -> None:
    values = 3 + size * (position <= TIME) + 0.2 * (TIME % 7 < 5) + NOISE
    assert level_shifts(values, 7) == [position]


@pytest.mark.parametrize(
    "values",
    [
        3 + NOISE,
        3 + 0.005 * TIME + NOISE,
        3 + 0.3 * (TIME % 30 < 2) + NOISE,
        3 + 0.4 * (TIME >= 296) + NOISE,
        np.full(300, np.nan),
    ],
    ids=["flat", "growing", "month ends", "the last four days", "nothing"],
)
def test_what_is_no_step_is_left_alone(values: FloatArray) -> None:
    assert level_shifts(values, 7) == []


def test_a_step_column_is_one_from_the_step_on() -> None:
    assert step_columns([2], 4)[:, 0].tolist() == [0, 0, 1, 1]
