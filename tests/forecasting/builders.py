"""Synthetic daily series with known truth."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.forecast import Forecast

FIRST = date(2025, 1, 1)
CUTOFF = date(2026, 2, 4)
DAYS = 400
"""From ``FIRST`` to ``CUTOFF``, both included."""


def days(count: int = DAYS, last: date = CUTOFF) -> list[date]:
    return [last - timedelta(days=count - 1 - index) for index in range(count)]


def noise(count: int = DAYS, scale: float = 1.0, seed: int = 1) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(0.0, scale, count)


def weekly(count: int = DAYS, size: float = 1.0, last: date = CUTOFF) -> NDArray[np.float64]:
    weekdays = np.array([day.weekday() for day in days(count, last)])
    return np.where(weekdays < 5, size, 0.0)


def month_end(count: int = DAYS, size: float = 1.0, last: date = CUTOFF) -> NDArray[np.float64]:
    """``size`` on the last Monday-to-Friday day of each month."""
    stamps = pd.DatetimeIndex(days(count, last))
    return np.where(stamps.isin(pd.bdate_range("2020-01-01", "2030-01-01", freq="BME")), size, 0.0)


def rows(
    values: ArrayLike,
    *,
    series_id: str = "cf_busy_pct/PLEX1/CF01",
    statistic: str = "peak",
    last: date = CUTOFF,
    ceiling: float | None = None,
    country: str | None = None,
) -> pd.DataFrame:
    figures = np.asarray(values, dtype=np.float64)
    return pd.DataFrame(
        {
            "series_id": series_id,
            "statistic": statistic,
            "site_date": days(len(figures), last),
            "value": figures,
            "ceiling": np.nan if ceiling is None else ceiling,
            "country": country,
        }
    )


def forecast(values: ArrayLike, *, ceiling: float | None = None, **changed: object) -> Forecast:
    """The one forecast of one series; ``changed`` are options."""
    options = ForecastOptions.model_validate(changed)
    (predicted,) = forecast_series(rows(values, ceiling=ceiling), options, CUTOFF)
    return predicted
