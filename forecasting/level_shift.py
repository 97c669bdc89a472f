"""Refusal of a series whose level shifted within the last days: too little of it is seen."""

from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.calendars import shared_event_columns
from forecasting.engine.shifts import BEHIND
from forecasting.history import History

REFERENCE_DAYS: Final = 42
"""Six weeks before: what each weekday was like (ours)."""
LEAST_WEEKS: Final = 3
"""A weekday with fewer values there is not judged (ours)."""
LEAST_CHANGE: Final = 0.25
"""Smaller changes are left to the forecast (ours)."""
DEVIATIONS: Final = 5.0
"""... and so are those below this many robust deviations of a day."""
LEAST_DAYS: Final = 2
"""Fewer days at an odd level are left out as a spike (ours)."""


def level_shift_refusal(history: History) -> str | None:
    """Return the refusal if the last ordinary days are far off to one side for no known change."""
    count = len(history.values)
    if count < REFERENCE_DAYS + BEHIND:
        return None
    first = history.days[-BEHIND]
    if any(np.datetime64(change, "D") >= first for change in history.known_changes):
        return None
    far = _far(history, count - BEHIND)
    run = 0
    for side in far[::-1]:
        if side != far[-1] or not side:
            break
        run += 1
    if not LEAST_DAYS <= run < len(far):
        return None
    days = history.days[count - BEHIND :][_ordinary(history)[count - BEHIND :]]
    return (
        f"the level changed on {days[-run]}: {BEHIND} days on the new one are needed, "
        "or the change among known_changes of the estate"
    )


def _far(history: History, start: int) -> FloatArray:
    """Sign (1, -1 or 0) of each ordinary day from ``start``: far above, far below, as before."""
    usual = history.values[start - REFERENCE_DAYS : start].reshape(-1, 7)
    seen = np.isfinite(usual).sum(axis=0) >= LEAST_WEEKS
    middle = np.array([np.nanmedian(usual[:, slot]) if seen[slot] else np.nan for slot in range(7)])
    spread = 1.4826 * np.nanmedian(np.abs(usual - middle)) if seen.any() else np.nan
    ordinary = np.flatnonzero(_ordinary(history)[start:])
    expected = middle[ordinary % 7]
    gap = history.values[start + ordinary] - expected
    least = np.maximum(DEVIATIONS * spread, LEAST_CHANGE * np.abs(expected))
    return np.where(np.abs(np.nan_to_num(gap)) > least, np.sign(np.nan_to_num(gap)), 0.0)


def _ordinary(history: History) -> FloatArray:
    events = shared_event_columns(
        history.first_day, len(history.values), history.country, history.site
    )
    return np.asarray(history.observed & ~np.any(list(events.values()), axis=0))
