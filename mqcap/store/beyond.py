"""The days of a forecast after its horizon, packed into one column: only their figures are kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from mqcap.domain.forecast import Forecast, ForecastPoint


def packed(made: Forecast) -> list[list[float]]:
    """Expected, lower and upper value of each day, in order."""
    return [[day.expected, day.lower, day.upper] for day in made.beyond]


def unpacked(
    cutoff_date: date, horizon_days: int, figures: Sequence[Sequence[float]] | None
) -> tuple[ForecastPoint, ...]:
    """The days again; none for forecasts made before there were any."""
    first = cutoff_date + timedelta(days=horizon_days + 1)
    return tuple(
        ForecastPoint(
            site_date=first + timedelta(days=ahead), expected=expected, lower=lower, upper=upper
        )
        for ahead, (expected, lower, upper) in enumerate(figures or ())
    )
