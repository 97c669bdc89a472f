"""The days of a forecast as arrays."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from mqcap.domain.forecast import Forecast, ForecastPoint

_KEPT: Final = 512
"""Forecasts whose arrays are kept: many limits and states are held against one (ours)."""


class ForecastLines(NamedTuple):
    """All days of a forecast in order, in the unit of the series."""

    days: tuple[date, ...]
    lower: FloatArray
    expected: FloatArray
    upper: FloatArray


class _Points:
    """The points of a forecast; equal to those of another one that has the same objects."""

    __slots__ = ("after_horizon", "lines", "points")

    def __init__(self, forecast: Forecast, lines: ForecastLines | None = None) -> None:
        self.points: Final = forecast.points
        self.after_horizon: Final = forecast.after_horizon
        self.lines: Final = lines
        """The arrays, where the points were made of them."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Points)
            and self.points is other.points
            and self.after_horizon is other.after_horizon
        )

    def __hash__(self) -> int:
        return hash((id(self.points), id(self.after_horizon)))


def lines_of(forecast: Forecast) -> ForecastLines:
    """Return the lines of a forecast, up to the horizon and after it."""
    return _lines(_Points(forecast))


@lru_cache(maxsize=_KEPT)
def _lines(of: _Points) -> ForecastLines:
    if of.lines is not None:
        return of.lines
    every = of.points + of.after_horizon
    lower, expected, upper = (
        np.array([(each.lower, each.expected, each.upper) for each in every], dtype=np.float64)
        .reshape(-1, 3)
        .T.copy()
    )
    return ForecastLines(tuple(each.site_date for each in every), lower, expected, upper)


def with_lines(forecast: Forecast, lines: ForecastLines) -> Forecast:
    """Return the forecast with other values on its days."""
    points = tuple(
        map(
            ForecastPoint,
            lines.days,
            lines.expected.tolist(),
            lines.lower.tolist(),
            lines.upper.tolist(),
        )
    )
    count = len(forecast.points)
    made = forecast.model_copy(update={"points": points[:count], "after_horizon": points[count:]})
    _lines(_Points(made, lines))
    return made
