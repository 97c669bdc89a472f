"""Seasonal naive: each day repeats the last value of its weekday. The reference to beat."""

from typing import Final

import numpy as np

from forecasting.history import History
from forecasting.model import ForecastModel, Prediction

PERIOD_DAYS: Final = 7


def predict(history: History, days: int) -> Prediction:
    """The last week, or its median, again; the error grows as that of a random walk of weeks."""
    values = history.values
    week = np.full(PERIOD_DAYS, np.nanmedian(values))
    for slot in range(PERIOD_DAYS):
        of_slot = values[slot::PERIOD_DAYS]
        seen = of_slot[np.isfinite(of_slot)]
        if seen.size:
            week[slot] = seen[-1]
    changes = values[PERIOD_DAYS:] - values[:-PERIOD_DAYS]
    changes = changes[np.isfinite(changes)]
    weekly = float(np.mean(changes**2)) if changes.size else 0.0
    return Prediction(
        expected=week[np.arange(len(values), len(values) + days) % PERIOD_DAYS],
        variance=weekly * (np.arange(days) // PERIOD_DAYS + 1).astype(np.float64),
        excess=np.zeros(days),
        log_scale=False,
    )


SEASONAL_NAIVE: Final = ForecastModel("seasonal_naive", lambda _: "last week again", predict)
"""Forecasts any history with at least one value."""
