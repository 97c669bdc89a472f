"""Seasonal naive: each day repeats the last value of its weekday. The reference to beat."""

from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.history import History
from forecasting.model import Prediction

PERIOD_DAYS: Final = 7


class SeasonalNaive:
    """Forecasts any history with at least one value."""

    name = "seasonal_naive"

    def candidate(self, history: History) -> str:  # noqa: ARG002 - the same for every history
        """Return its name in words."""
        return "last week again"

    def predict(self, history: History, days: int) -> Prediction:
        """The last week again; the error grows as that of a random walk of weeks."""
        values = history.values
        week = _last_week(values)
        steps = np.arange(len(values), len(values) + days)
        weeks_ahead = (np.arange(days) // PERIOD_DAYS + 1).astype(np.float64)
        return Prediction(
            expected=week[steps % PERIOD_DAYS],
            variance=_weekly_variance(values) * weeks_ahead,
            excess=np.zeros(days),
            log_scale=False,
        )


def _last_week(values: FloatArray) -> FloatArray:
    """Latest value by position modulo seven; a weekday never seen takes the median."""
    week = np.full(PERIOD_DAYS, np.nanmedian(values))
    for slot in range(PERIOD_DAYS):
        of_slot = values[slot::PERIOD_DAYS]
        seen = of_slot[np.isfinite(of_slot)]
        if seen.size:
            week[slot] = seen[-1]
    return week


def _weekly_variance(values: FloatArray) -> float:
    changes = values[PERIOD_DAYS:] - values[:-PERIOD_DAYS]
    changes = changes[np.isfinite(changes)]
    return float(np.mean(changes**2)) if changes.size else 0.0
