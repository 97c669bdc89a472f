"""Forecasts of sawtooths."""

import numpy as np
import pytest

from forecasting.models.sawtooth import predict
from tests.forecasting.builders import DAYS, dated, forecast, history, sawtooth

pytestmark = pytest.mark.thorough


TIME = np.arange(DAYS)


def test_a_sawtooth_below_its_limit_is_never_dated_by_its_rise() -> None:
    made = forecast(sawtooth())
    assert made.model == "sawtooth"
    assert max(point.expected for point in made.points) < 60
    assert dated(made, 80.0).expected_date is None


def test_a_growing_floor_carries_a_sawtooth_over_its_limit() -> None:
    values = sawtooth() + 2.0 * (TIME // 28)
    scaled = values * (70 / values.max())
    made = forecast(scaled)
    assert made.model == "sawtooth"
    assert max(point.expected for point in made.points[:120]) > 75


def test_a_sawtooth_that_is_no_longer_emptied_is_refused() -> None:
    values = np.where(TIME < 200, 30.0 + TIME % 20, 30.0 + (TIME - 200) * 0.5)
    refusal = forecast(values).refusal
    assert refusal is not None
    assert refusal.startswith("sawtooth: ")


def test_one_day_of_a_restart_is_no_emptying_and_dates_nothing() -> None:
    values = sawtooth(period=7, rise=0.1, floor=42.0)
    place = DAYS - 20
    values[place] = 19.3
    made = forecast(values)
    assert made.model == "sawtooth"
    usual = forecast(sawtooth(period=7, rise=0.1, floor=42.0))
    width = [max(item.upper - item.lower for item in some.every_day) for some in (made, usual)]
    assert width[0] < 2 * max(width[1], 0.5)
    assert dated(made, 80.0).probability_365_days == 0.0


def test_a_prediction_that_was_made_before_is_found_again_and_not_written_to() -> None:
    first = predict(history(sawtooth()), 30)
    assert predict(history(sawtooth()), 30) is first
    with pytest.raises(ValueError, match="read-only"):
        first.expected[0] = 0.0
