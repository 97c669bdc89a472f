"""Conversion of a prediction on the model's scale to expected, lower and upper values."""

from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.history import History
from forecasting.model import Prediction

PLAUSIBLE_MULTIPLE: Final = 20.0
"""Nothing is forecast above this multiple of the largest value seen (ours)."""


class PredictionInterval(NamedTuple):
    """Lower, expected and upper value per day, in the unit of the series."""

    lower: FloatArray
    expected: FloatArray
    upper: FloatArray


def trend_cumulants(
    ahead: FloatArray, rate: float, laplace: float, noise: float
) -> tuple[FloatArray, FloatArray]:
    """Variance and fourth cumulant of Prophet's error, in closed form.

    Its trend goes on by slope changes that arrive as a Poisson process with ``rate`` per unit of
    history and have a Laplace distribution of scale ``laplace``; ``noise`` is normal.
    """
    variance = rate * 2 * laplace**2 * ahead**3 / 3 + noise**2
    return variance, rate * 24 * laplace**4 * ahead**5 / 5


def half_widths(prediction: Prediction, width: float) -> FloatArray:
    """Half the central interval of probability ``width``, on the model's scale (Cornish-Fisher)."""
    z = NormalDist().inv_cdf(0.5 + width / 2)
    square = np.square(prediction.variance)
    kurtosis = np.divide(
        prediction.excess, square, out=np.zeros_like(square), where=square > 0
    ).clip(0, 6)
    factor = z + (z**3 - 3 * z) / 24 * kurtosis
    return np.asarray(np.sqrt(prediction.variance) * factor.clip(z / 2))


def prediction_interval(
    prediction: Prediction, history: History, width: float, widening: float = 1.0
) -> PredictionInterval:
    """The interval in the unit of the series, inside what is plausible.

    A share of a capacity is not cut at 100 %: changes are sized from what is above. ``widening``
    multiplies the half widths.
    """
    half = half_widths(prediction, width) * widening
    expected = prediction.expected
    low, high = plausible_range(history)
    lines = (expected - half, expected, expected + half)
    if prediction.log_scale:
        top = np.log(high)
        lower, middle, upper = (np.exp(np.minimum(line, top)) for line in lines)
    else:
        lower, middle, upper = lines
    return PredictionInterval(*(np.clip(line, low, high) for line in (lower, middle, upper)))


def plausible_range(history: History) -> tuple[float, float]:
    """Smallest and largest value that the forecast may take."""
    high = PLAUSIBLE_MULTIPLE * history.largest_size
    low = history.floor if history.floor is not None else -high
    return low, max(low, high)
