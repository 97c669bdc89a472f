"""Recognition of series that rise until they are emptied."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from forecasting.sawtooth import sawtooth_of
from tests.forecasting.builders import CUTOFF, DAYS, history, noise, sawtooth

pytestmark = pytest.mark.thorough


TIME = np.arange(DAYS)


def test_a_series_that_only_rises_until_it_is_emptied_is_a_sawtooth() -> None:
    shape = sawtooth_of(history(sawtooth(), last=CUTOFF))
    assert shape is not None
    assert np.allclose(shape.rates, 1.0)
    assert set(shape.floors) == {30.0}
    assert set(shape.tops) == {57.0}


@pytest.mark.parametrize(
    "values",
    [
        20 + noise(),
        20 + 0.1 * TIME,
        np.where(TIME > 200, 0.1 * TIME - 15, 0.1 * TIME),
        np.ones(DAYS),
    ],
)
def test_noise_growth_and_one_restart_are_none(values: NDArray[np.float64]) -> None:
    assert sawtooth_of(history(values, last=CUTOFF)) is None
