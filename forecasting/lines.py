"""The days of a forecast as arrays."""

import weakref
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from mqcap.domain.forecast import Forecast, ForecastPoint


class ForecastLines(NamedTuple):
    """All days of a forecast in order, in the unit of the series."""

    days: tuple[date, ...]
    lower: FloatArray
    expected: FloatArray
    upper: FloatArray


_known: Final[dict[int, ForecastLines]] = {}
"""Lines by the identity of their forecast, as long as it is there: many limits and states are held
against one."""


def lines_of(forecast: Forecast) -> ForecastLines:
    """Return the lines of a forecast, up to the horizon and after it."""
    if (lines := _known.get(id(forecast))) is not None:
        return lines
    every = forecast.every_day
    values = [(point.lower, point.expected, point.upper) for point in every]
    figures = np.array(values, dtype=np.float64).reshape(-1, 3).T.copy()
    return _kept(forecast, ForecastLines(tuple(point.site_date for point in every), *figures))


def _kept(forecast: Forecast, lines: ForecastLines) -> ForecastLines:
    _known[id(forecast)] = lines
    weakref.finalize(forecast, _known.pop, id(forecast), None).atexit = False
    return lines


def with_lines(forecast: Forecast, lines: ForecastLines) -> Forecast:
    """Return the forecast with other values on its days."""
    figures = (line.tolist() for line in (lines.expected, lines.lower, lines.upper))
    points = tuple(map(ForecastPoint, lines.days, *figures))
    count = len(forecast.points)
    made = forecast.model_copy(update={"points": points[:count], "after_horizon": points[count:]})
    _kept(made, lines)
    return made
