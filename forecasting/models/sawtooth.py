"""Sawtooth: fills at the rates seen, is emptied as before, restarts from a floor that moves.

Emptied at a level or after a time, whichever was more regular. The floors carry the trend: Theil
and Sen's median of slopes.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.history import History
from forecasting.model import ForecastModel, Prediction
from forecasting.sawtooth import Sawtooth, sawtooth_of
from mqcap.domain.forecast import SAWTOOTH

PATHS: Final = 200
SEED: Final = 20_260_101
KEPT_PREDICTIONS: Final = 256
"""Predictions that a process keeps, some 10 KB each, for the origins of back-tests that it meets
again on the next day (ours)."""


@lru_cache(maxsize=KEPT_PREDICTIONS)
def predict(history: History, days: int) -> Prediction:
    """Median and variance of simulated fillings, all from the same draws."""
    sawtooth = sawtooth_of(history)
    if sawtooth is None:
        seen = history.values[history.observed]
        lines = np.full(days, seen[-1]), np.full(days, seen.var()), np.zeros(days)
    else:
        paths = _paths(history, sawtooth, days)
        lines = np.median(paths, axis=0), paths.var(axis=0), np.zeros(days)
    return Prediction(*lines, log_scale=False)


SAWTEETH: Final = ForecastModel(SAWTOOTH, lambda _: "sawtooth", predict)
"""For histories in which ``sawtooth_of`` finds one; any other repeats its last value."""


def _paths(history: History, seen: Sawtooth, days: int) -> FloatArray:
    """Return simulated paths, one per row."""
    rng = np.random.default_rng(SEED)
    last = history.last
    ahead = len(history.values) - last + np.arange(days)
    floor = _floor_line(seen, last + ahead)
    spread = float(np.median(np.abs(seen.floors - _floor_line(seen, seen.drops))))
    by_level = _variation(seen.tops) <= _variation(seen.lengths)
    level = np.full(PATHS, history.values[last])
    age = np.full(PATHS, float(last - seen.drops[-1]))
    rate, top, length = (
        rng.choice(values, PATHS) for values in (seen.rates, seen.tops, seen.lengths)
    )
    result = np.empty((PATHS, days))
    for step in range(days):
        level, age = level + rate, age + 1
        (full,) = (level > top if by_level else age > length).nonzero()
        level[full] = floor[step] + rng.normal(0, 1, PATHS)[full] * spread
        age[full] = 0.0
        for values, chosen in ((seen.rates, rate), (seen.tops, top), (seen.lengths, length)):
            chosen[full] = values[rng.integers(len(values), size=PATHS)[full]]
        result[:, step] = level
    return result


def _floor_line(seen: Sawtooth, places: FloatArray | np.ndarray) -> FloatArray:
    """Return the floor of those days."""
    days, floors = seen.drops.astype(np.float64), seen.floors
    earlier, later = np.triu_indices(len(days), 1)
    slope = float(np.median((floors[later] - floors[earlier]) / (days[later] - days[earlier])))
    base = float(np.median(floors - slope * days))
    return np.asarray(base + slope * places, dtype=np.float64)


def _variation(values: FloatArray) -> float:
    middle = float(np.median(np.abs(values)))
    return float(values.std()) / middle if middle > 0 else np.inf
