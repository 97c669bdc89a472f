"""Columns of Prophet's additive linear-growth model on a regular grid.

``[t, 1, (t - c_j)+ ..., features ...]`` with t from 0 to 1 over the history: the trend ``k t + m +
sum delta_j (t - c_j)+`` is Prophet's own, changepoints included.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray

GROWTH_PRIOR_SD: Final = 5.0
"""Prior of Prophet's k and m."""
TREND_COLUMNS: Final = 2


@dataclass(frozen=True)
class Design:
    """Design matrix with a row per grid step: the history, then the horizon.

    ``precision`` is the ridge term of each column (0 for ramps); ramps are the columns
    ``TREND_COLUMNS`` to ``TREND_COLUMNS + ramp_count``.
    """

    columns: FloatArray
    precision: FloatArray
    ramp_count: int


def fourier(steps: FloatArray, period: float, order: int) -> FloatArray:
    """Sine and cosine of each of ``order`` harmonics, in Prophet's order."""
    angles = 2 * np.pi * np.outer(steps / period, np.arange(1, order + 1))
    result = np.empty((len(steps), 2 * order))
    result[:, 0::2] = np.sin(angles)
    result[:, 1::2] = np.cos(angles)
    return result


def changepoints(times: FloatArray, count: int, share: float) -> FloatArray:
    """Prophet's changepoint times: evenly by row over the first ``share`` of the history."""
    size = int(np.floor(len(times) * share))
    count = min(count, size - 1)
    if count <= 0:
        return np.empty(0)
    return times[np.linspace(0, size - 1, count + 1).round().astype(np.int64)[1:]]


def design(
    observed: FloatArray, total: int, bends: FloatArray, features: FloatArray, priors: FloatArray
) -> Design:
    """Assemble the columns.

    ``observed`` are ascending positions of observed steps, ``total`` the number of rows of history
    and horizon, ``bends`` the changepoints in scaled time (0 at the first observed step, 1 at the
    last); ``features`` has a row per grid step, ``priors`` the deviation of each coefficient.
    """
    span = max(float(observed[-1] - observed[0]), 1.0)
    times = (np.arange(total) - observed[0]) / span
    first_feature = TREND_COLUMNS + len(bends)
    columns = np.empty((total, first_feature + features.shape[1]))
    columns[:, 0] = times
    columns[:, 1] = 1.0
    ramps = columns[:, TREND_COLUMNS:first_feature]
    np.maximum(np.subtract(times[:, None], bends, out=ramps), 0.0, out=ramps)
    columns[:, first_feature:] = features[:total]
    precision = np.concatenate(
        [
            np.full(TREND_COLUMNS, GROWTH_PRIOR_SD**-2.0),
            np.zeros(len(bends)),
            np.asarray(priors, dtype=np.float64) ** -2.0,
        ]
    )
    return Design(columns, precision, len(bends))
