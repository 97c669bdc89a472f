"""How far a series went in its past, for the probability of passing a limit."""

from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.history import History
from forecasting.lines import ForecastLines
from forecasting.prepare import without_outages
from mqcap.domain.forecast import LAST_YEAR_DAYS, Past, PastSide

RECENT_DAYS: Final = 35
"""Five weeks: each weekday five times, and a turn of a month (ours)."""
YEAR_DAYS: Final = 365
LEVEL_DAYS: Final = 28
ARTEFACT_MULTIPLE: Final = 3.0
"""Such values are of a counter that began anew, not of load (ours)."""
DIGITS: Final = 6
"""Significant digits that are kept: equal runs give equal bytes on any machine."""


def past_of(measured: History, cleaned: History, lines: ForecastLines) -> Past:
    """Return how far a history went, spikes included, artefacts not, beside the ``lines``."""
    values = without_outages(measured).values
    values = np.where(np.abs(values) > ARTEFACT_MULTIPLE * cleaned.largest_size, np.nan, values)
    return Past(
        days=len(values),
        base=_rounded(float(lines.expected[:LEVEL_DAYS].mean())),
        highest=_side(values, 1.0),
        lowest=_side(values, -1.0),
    )


def _side(values: FloatArray, sign: float) -> PastSide:
    ever = _furthest(values, sign)
    return PastSide(
        recent=_rounded(_furthest(values[-RECENT_DAYS:], sign, ever)),
        year=_rounded(_furthest(values[-YEAR_DAYS:], sign, ever)),
        ever=_rounded(ever),
        last_year=_last_year(values, sign),
    )


def _furthest(values: FloatArray, sign: float, default: float = np.nan) -> float:
    """Return the highest value, the lowest with a negative sign."""
    seen = values[np.isfinite(values)]
    return sign * float((sign * seen).max()) if seen.size else default


def _last_year(values: FloatArray, sign: float) -> tuple[float, ...]:
    """Return ratios of the furthest values of a year ago; empty without them or above zero."""
    origin = len(values) - YEAR_DAYS
    if origin < RECENT_DAYS:
        return ()
    before = _furthest(values[origin - RECENT_DAYS : origin], sign)
    then = [_furthest(values[origin : origin + days], sign) for days in LAST_YEAR_DAYS]
    if not before > 0 or not min(then) > 0:
        return ()
    return tuple(_rounded(value / before) for value in then)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
