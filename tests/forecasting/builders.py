"""Synthetic daily series with known truth."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from forecasting import ForecastOptions, crossing_of, forecast_series
from forecasting.history import History
from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction, Statistic

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


def sawtooth(period: int = 28, rise: float = 1.0, floor: float = 30.0) -> NDArray[np.float64]:
    return floor + rise * (np.arange(DAYS) % period).astype(np.float64)


def history(values: ArrayLike, *, last: date | None = None, **changed: Any) -> History:
    """Return a series from ``FIRST`` on, or the one that ends on ``last``."""
    figures = np.asarray(values, dtype=np.float64)
    first = FIRST if last is None else last - timedelta(days=len(figures) - 1)
    return History("m/S", Statistic.peak, np.datetime64(first, "D"), figures, **changed)


def rows(
    values: ArrayLike,
    *,
    series_id: str = "cf_busy_pct/PLEX1/CF01",
    statistic: str = "peak",
    last: date = CUTOFF,
    country: str | None = None,
) -> pd.DataFrame:
    figures = np.asarray(values, dtype=np.float64)
    return pd.DataFrame(
        {
            "series_id": series_id,
            "statistic": statistic,
            "site_date": days(len(figures), last),
            "value": figures,
            "country": country,
        }
    )


def forecast(values: ArrayLike, **changed: object) -> Forecast:
    """The one forecast of one series; ``changed`` are options."""
    options = ForecastOptions.model_validate(changed)
    (predicted,) = forecast_series(rows(values), options, CUTOFF)
    return predicted


def forecast_of_rows(values: ArrayLike, **columns: Any) -> Forecast:
    """The one forecast of one series of which the rows have further columns."""
    (made,) = forecast_series(rows(values).assign(**columns), ForecastOptions(), CUTOFF)
    return made


def dated(
    of: Forecast, limit: float, recent: Sequence[tuple[date, float]] = (), **changed: Any
) -> Crossing:
    """The crossing of a limit, strict and upward unless ``changed``."""
    asked: dict[str, Any] = {"direction": Direction.upward, "strict": True} | changed
    return crossing_of(of, recent, limit=limit, rule_id="R", unit="%", **asked)
