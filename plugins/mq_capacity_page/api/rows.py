"""Rows of series in the REST API: each states the unit of its figures.

Figures are as stored, in the units that each row states.
"""

from __future__ import annotations

from pydantic import AwareDatetime, BaseModel

from mqcap.domain.forecast import Forecast
from mqcap.store.models import Observation


class DayRow(Observation):
    """Measured site day of a series; a day not measured is absent."""

    unit: str


class HourRow(BaseModel):
    """Measured UTC hour of a series; an hour not measured is absent."""

    hour_utc: AwareDatetime
    value: float
    peak: float
    peak_interval_start_utc: AwareDatetime
    covered_seconds: float
    interval_count: int
    unit: str


class IntervalRow(BaseModel):
    """Measured interval of a series."""

    start_utc: AwareDatetime
    end_utc: AwareDatetime
    level: float
    unit: str


class ForecastInUnit(Forecast):
    """A forecast of a series with the unit of its points."""

    unit: str
