"""Slopes and ratios with the confidence interval of a circular block bootstrap.

Neighbouring days resemble each other, so blocks of consecutive ones are drawn, not single ones
(Politis and Romano 1992). The draws are the same in every run.
"""

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 500
_SEED: Final = 20_250_101

Vector = NDArray[np.float64]


class Fitted(NamedTuple):
    """A cost with its interval; ``base`` and ``correlation`` only of a slope."""

    value: float
    lower: float
    upper: float
    base: float | None = None
    correlation: float | None = None

    def times(self, factor: float, rounding: float = 0.0) -> Self:
        """Return value and interval in another unit, each end wider by ``rounding``."""
        lower, upper = self.lower * factor - rounding, self.upper * factor + rounding
        return self._replace(value=self.value * factor, lower=lower, upper=upper)


def slope(units: Vector, costs: Vector, block: int, confidence: float) -> Fitted | None:
    """Return the least-squares line of costs over units of work; ``None`` without a spread of both.

    Both are by day, in order, of which ``block`` consecutive ones are drawn together. The interval
    has ``confidence``, 0 to 1, of the resampled slopes.
    """
    if len(units) < 2 or np.ptp(units) == 0 or np.ptp(costs) == 0:
        return None
    value = float(_slopes(units[None], costs[None])[0])
    drawn = _draws(len(units), block)
    slopes = _slopes(units[drawn], costs[drawn])
    correlation = float(np.corrcoef(units, costs)[0, 1])
    base = float(costs.mean() - value * units.mean())
    return _with_interval(value, slopes, confidence)._replace(base=base, correlation=correlation)


def slopes(units: Vector, costs: Vector, block: int, confidence: float) -> list[Fitted] | None:
    """Return the slope of each column of units of work that cost together; ``None`` as above."""
    if len(units) <= units.shape[1] or np.ptp(costs) == 0 or (np.ptp(units, axis=0) == 0).any():
        return None
    model = np.column_stack([np.ones(len(units)), units])
    found = np.linalg.lstsq(model, costs)[0]
    resampled = np.array(
        [np.linalg.lstsq(model[places], costs[places])[0] for places in _draws(len(units), block)]
    )
    return [
        _with_interval(float(found[place]), resampled[:, place], confidence)._replace(
            base=float(found[0]), correlation=float(np.corrcoef(units[:, place - 1], costs)[0, 1])
        )
        for place in range(1, model.shape[1])
    ]


def ratio(units: Vector, costs: Vector, block: int, confidence: float) -> Fitted | None:
    """Return all costs over all units of work; ``None`` without a unit of work."""
    if not len(units) or units.sum() <= 0:
        return None
    drawn = _draws(len(units), block)
    totals = units[drawn].sum(axis=1)
    ratios = costs[drawn].sum(axis=1)[totals > 0] / totals[totals > 0]
    return _with_interval(float(costs.sum() / units.sum()), ratios, confidence)


def _with_interval(value: float, resampled: Vector, confidence: float) -> Fitted:
    tail = (1 - confidence) / 2
    lower, upper = np.nanquantile(resampled, [tail, 1 - tail])
    return Fitted(value, min(value, float(lower)), max(value, float(upper)))


def _slopes(units: Vector, costs: Vector) -> Vector:
    """Return the slope of each row; NaN where the units of a row are all the same."""
    centred = units - units.mean(axis=1, keepdims=True)
    spread = (centred**2).sum(axis=1)
    together = (centred * costs).sum(axis=1)
    slopes_of_rows: Vector = np.full(len(units), np.nan)
    np.divide(together, spread, out=slopes_of_rows, where=spread > 0)
    return slopes_of_rows


def _draws(count: int, block: int) -> NDArray[np.intp]:
    """Return the places of each resample: blocks that begin anywhere and go on at the start."""
    generator = np.random.default_rng(_SEED)
    blocks = -(-count // block)
    starts = generator.integers(0, count, (RESAMPLES, blocks, 1))
    places = (starts + np.arange(block)) % count
    return places.reshape(RESAMPLES, -1)[:, :count]
