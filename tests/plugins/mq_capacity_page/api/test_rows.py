"""Rows of the REST API: figures with their units."""

from __future__ import annotations

from mq_capacity_page.api.routes import DayRow, ForecastInUnit
from tests import factories


def test_days_and_forecasts_state_their_unit() -> None:
    day = DayRow(**factories.observation().model_dump(), unit="MiB/s")
    assert list(day.model_dump())[-1] == "unit"
    forecast = ForecastInUnit(**dict(factories.forecast()), unit="MiB/s")
    assert (forecast.unit, len(forecast.points)) == ("MiB/s", 2)
