"""Series that only rise until something empties them: storage that is freed by a recycle.

What grows is the floor to which such a series falls. Buffers of stopped and idle channels stay
counted until the channel initiator is restarted or its scavenger runs.
"""

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import BoolArray, FloatArray, IndexArray
from forecasting.history import History

DROP_SHARE: Final = 0.1
"""Least fall of a drop, as a share of the range of the series (ours)."""
FALL_SHARE: Final = 0.01
"""Falls below this share of the range are rounding (ours)."""
MOST_FALLS: Final = 0.05
"""Share of days outside drops that may fall (ours)."""
LEAST_FLOORS: Final = 2
"""With fewer drops it is growth and one restart (ours)."""
BROKEN_HABIT: Final = 2.0
"""Not emptied for this multiple of the longest time before, nothing is known (ours)."""
USUAL: Final = (0.05, 0.95)
"""Quantiles that bound the range: an artefact must not widen it (ours)."""
BACK_SHARE: Final = 0.5
"""A fall of which less than this share is left on the next day was no emptying (ours)."""
LEAST_STEADY_DAYS: Final = 28
"""Fewer days show no habit (ours)."""


@dataclass(frozen=True)
class Sawtooth:
    """Positions are those of the history's days.

    ``drops`` are the first days after each emptying, ``floors`` their values, ``tops`` the last
    values before, ``rates`` the rise per day between two drops, ``lengths`` the days between.
    """

    drops: IndexArray
    floors: FloatArray
    tops: FloatArray
    rates: FloatArray
    lengths: FloatArray

    def refusal(self, last: int) -> str | None:
        """Return why the pattern seen so far does not carry on after position ``last``, if so."""
        age, longest = last - int(self.drops[-1]), int(self.lengths.max())
        if age <= BROKEN_HABIT * longest:
            return None
        return (
            f"sawtooth: it rises until it is emptied, {len(self.drops)} times so far and after "
            f"{longest} days at most, but not in the last {age} days"
        )


def sawtooth_of(history: History) -> Sawtooth | None:
    """Return the sawtooth behind a history, or ``None`` if it is none."""
    places = np.flatnonzero(history.observed)
    values = history.values[places]
    if values.size < LEAST_STEADY_DAYS:
        return None
    low, high = np.quantile(values, USUAL)
    span = float(high - low)
    if span <= 0:
        return None
    lasting = _lasting(values, DROP_SHARE * span)
    places, values = places[lasting], values[lasting]
    change = np.diff(values)
    dropped = change < -DROP_SHARE * span
    falls = (change < -FALL_SHARE * span) & ~dropped
    steady = int((~dropped).sum())
    if dropped.sum() < LEAST_FLOORS or falls.sum() > MOST_FALLS * steady:
        return None
    starts = np.flatnonzero(dropped) + 1
    edges = np.concatenate(([0], starts, [len(values)]))
    rises = [
        (values[stop - 1] - values[start], float(places[stop - 1] - places[start]))
        for start, stop in itertools.pairwise(edges)
        if stop - start > 1
    ]
    rates = np.array([rise / days for rise, days in rises])
    if not rates.size or np.median(rates) * np.median(np.diff(edges)) < DROP_SHARE * span:
        return None
    return Sawtooth(
        drops=places[starts],
        floors=values[starts],
        tops=values[starts - 1],
        rates=rates,
        lengths=np.diff(np.concatenate(([places[0]], places[starts]))).astype(np.float64),
    )


def _lasting(values: FloatArray, least: float) -> BoolArray:
    """Mask that is false for single days that fall by ``least`` and are back the next day."""
    before, day, after = values[:-2], values[1:-1], values[2:]
    depth = np.minimum(before, after) - day
    dips = (depth > least) & (np.abs(after - before) < BACK_SHARE * depth)
    return np.concatenate(([True], ~dips, [True]))
