"""From observations to a series fit to model, or to the reason why it is not.

Outages written as zero, artefacts of counter resets and isolated spikes become missing days; peaks
that come back at the same place of most months stay.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import pandas as pd

from forecasting.arrays import BoolArray, FloatArray
from forecasting.calendars import event_columns
from forecasting.history import LARGEST, History
from forecasting.level_shift import level_shift_refusal
from forecasting.options import ForecastOptions
from forecasting.sawtooth import sawtooth_of
from mqcap.domain.numbers import figure, percent

POSITIVE_SHARE: Final = 0.9
"""Share of values above zero from which a metric counts as positive (ours)."""
WINDOW_DAYS: Final = 29
"""Length of the centred median, one lunar month: month-ends never hold half of it."""
MIN_WINDOW_VALUES: Final = 5
"""Fewer values in the window give no median (ours)."""
ROBUST_DEVIATIONS: Final = 5.0
"""Distance from the deseasonalised median above which a value is an outlier."""
MAD_TO_SIGMA: Final = 1.4826
"""Median absolute deviation to standard deviation, for normal noise."""
MIN_SPREAD_RATIO: Final = 0.02
"""Smallest robust spread assumed, as a share of the median: quiet series are not all outliers."""
WEEKS_AROUND: Final = 2
"""Weeks before and after an odd day in which the same weekday may show it too (ours)."""
WEEKS_ALIKE: Final = 3
"""Weeks that must show it, the day's own included, for a weekly pattern (ours): with two, Brier
score and F1 of crossing_dev become worse by 0.003."""
LONGEST_SPIKE_DAYS: Final = 3
"""A longer run of odd days is a change of level, not an artefact (ours)."""
RECURRING_SHARE: Final = 0.5
"""Share of months that must show the same odd day for it to be load, not an artefact (ours)."""
LEAST_RECURRING: Final = 2
"""Odd days at one place that make it recur: a single one is an artefact (ours)."""
RECURRING_MULTIPLE: Final = 10.0
"""Multiple of the usual distance of such days up to which one of them is load (ours)."""
UNDER_WAY_SHARE: Final = 0.5
"""Share of the last day's distance that the day before must have for a change under way (ours)."""
CONSTANT_RATIO: Final = 1e-9
"""Range per size of the value below which a series is constant."""
SMALLEST: Final = 1e-30
"""A series of which no value is so large has no measurements, nor variances that a float holds
(ours)."""


@dataclass(frozen=True)
class Prepared:
    """A cleaned history, or why there is no forecast; a ``sawtooth`` is left as it is."""

    history: History
    removed_count: int
    refusal: str | None = None
    sawtooth: bool = False


def prepare(history: History, options: ForecastOptions, cutoff_date: date) -> Prepared:
    """Clean one history and decide whether it supports a forecast made on ``cutoff_date``."""
    plain = without_outages(history)
    sawtooth = sawtooth_of(plain)
    cleaned = plain if sawtooth else clean(history)
    removed_count = history.observed_count - cleaned.observed_count + history.too_large_count
    return Prepared(
        history=cleaned,
        removed_count=removed_count,
        refusal=_refusal(cleaned, options, cutoff_date, removed_count)
        or _constant(cleaned)
        or (sawtooth.refusal(plain.last) if sawtooth else level_shift_refusal(plain)),
        sawtooth=sawtooth is not None,
    )


def clean(history: History) -> History:
    """The history with outages, artefacts and isolated outliers as missing days."""
    values = without_outages(history).values.copy()
    if np.isfinite(values).sum() >= WINDOW_DAYS:
        values[outliers(history.with_values(values))] = np.nan
    return history.with_values(values)


def without_outages(history: History) -> History:
    """The history with values that are not above zero as missing days, where most are above."""
    values = history.values.copy()
    observed = np.isfinite(values)
    if observed.any() and (values[observed] > 0).mean() >= POSITIVE_SHARE:
        values[observed & (np.nan_to_num(values) <= 0)] = np.nan
    return history.with_values(values)


def outliers(history: History) -> BoolArray:
    """Days more than five robust deviations from the deseasonalised 29-day median.

    Where all values are positive a day must be odd as a difference *and* as a ratio. Days that are
    odd at the same place of most months, or on the same weekday of most weeks around, are load, and
    runs of more than three odd days are a new level. The last day is none where the day before was
    already half as far off: that is a change under way.
    """
    observed = history.values[history.observed]
    level = float(np.median(np.abs(observed))) if observed.size else 0.0
    residual = _residual(history)
    odd = _far_off(residual, history.observed, level)
    if observed.size and (observed > 0).all():
        in_logs = _residual(history.with_values(np.log(history.values)))
        odd &= _far_off(in_logs, history.observed, 1.0)
    load = _recurring(odd, residual, history) | _weekly(odd, residual, history.observed)
    odd = odd & ~load & ~_long_runs(odd)
    for change in history.known_changes:  # its first days are the new level, not spikes
        place = (history.days - np.datetime64(change, "D")).astype(np.int64)
        odd &= (place < 0) | (place >= LONGEST_SPIKE_DAYS)
    if odd.any() and len(odd) > 1:
        before, last = residual[-2:] - np.nanmedian(residual)
        if before * last > 0 and abs(before) >= UNDER_WAY_SHARE * abs(last):
            odd[-1] = False
    return odd


def _far_off(residual: FloatArray, observed: BoolArray, level: float) -> BoolArray:
    """Days far from their deseasonalised median; ``level`` is the size of a usual value."""
    if not np.isfinite(residual).any():
        return np.zeros(len(residual), dtype=bool)
    middle = float(np.nanmedian(residual))
    spread = MAD_TO_SIGMA * float(np.nanmedian(np.abs(residual - middle)))
    far = ROBUST_DEVIATIONS * max(spread, MIN_SPREAD_RATIO * level)
    return observed & (np.abs(np.nan_to_num(residual)) > far) & (far > 0)


def _residual(history: History) -> FloatArray:
    """Distance of each day from its deseasonalised median; NaN where unknown."""
    values = history.values
    rolling = pd.Series(values).rolling(WINDOW_DAYS, center=True, min_periods=MIN_WINDOW_VALUES)
    level = rolling.median().to_numpy(dtype=np.float64)
    known = np.flatnonzero(np.isfinite(level))
    if not known.size:
        return np.full(len(values), np.nan)
    detrended = values - np.interp(np.arange(len(values)), known, level[known])
    residual = np.full(len(values), np.nan)
    for day in range(min(7, len(values))):
        seen = detrended[day::7]
        if np.isfinite(seen).any():
            residual[day::7] = seen - np.nanmedian(seen)
    return residual


def _recurring(odd: BoolArray, residual: FloatArray, history: History) -> BoolArray:
    """Odd days whose calendar event or day of the month is odd in most months, in like manner."""
    days = history.days
    is_recurring = np.zeros(len(odd), dtype=bool)
    if np.count_nonzero(odd) < LEAST_RECURRING:
        return is_recurring
    events = event_columns(days, history.country)
    months = days.astype("datetime64[M]")
    day_of_month = (days - months.astype(days.dtype)).astype(np.int64)
    places = [*events.values(), *(day_of_month == day for day in range(31))]
    for place in places:
        seen = place & history.observed
        count = np.count_nonzero(odd & seen)
        if count >= LEAST_RECURRING and count >= RECURRING_SHARE * np.count_nonzero(seen):
            usual = float(np.median(residual[odd & seen]))
            ratio = residual / usual if usual else np.zeros(len(odd))
            is_recurring |= odd & place & (ratio > 0) & (ratio <= RECURRING_MULTIPLE)
    return is_recurring


def _weekly(odd: BoolArray, residual: FloatArray, observed: BoolArray) -> BoolArray:
    """Odd days whose weekday is odd, in the same direction, in most of the weeks around."""
    sign = np.where(odd, np.sign(residual), 0.0)
    is_weekly = np.zeros(len(odd), dtype=bool)
    for day in np.flatnonzero(odd).tolist():
        first = day - 7 * min(WEEKS_AROUND, day // 7)
        around = np.arange(first, min(day + 7 * WEEKS_AROUND + 1, len(odd)), 7)
        alike = int((sign[around] == sign[day]).sum())
        seen = int(observed[around].sum())
        is_weekly[day] = alike >= WEEKS_ALIKE and alike >= RECURRING_SHARE * seen
    return is_weekly


def _long_runs(odd: BoolArray) -> BoolArray:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], odd.astype(np.int8), [0]))))
    result = np.zeros(len(odd), dtype=bool)
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        result[start:stop] = stop - start > LONGEST_SPIKE_DAYS
    return result


def _constant(history: History) -> str | None:
    values = history.values[history.observed]
    if np.ptp(values) > CONSTANT_RATIO * np.abs(values).max():
        return None if np.abs(values).max() >= SMALLEST else f"no value is as large as {SMALLEST:g}"
    return f"constant: all {values.size} days have the value {figure(values[0])}"


def _refusal(
    history: History, options: ForecastOptions, cutoff_date: date, removed_count: int
) -> str | None:
    needed = options.min_history_days
    count = history.observed_count
    removed = f" ({removed_count} left out as outliers)" if removed_count else ""
    if not count and history.too_large_count:
        return f"no data{removed}: values of {LARGEST:.0e} and more are no measurements"
    if not count:
        return f"no data{removed}"
    span = history.last - int(history.observed.argmax()) + 1
    stale = int((np.datetime64(cutoff_date, "D") - history.days[history.last]).astype(np.int64))
    if count < needed:
        return f"{count} {'day' if count == 1 else 'days'} of data{removed}, {needed} needed"
    if stale > options.max_stale_days:
        return f"no data in the last {stale} days, at most {options.max_stale_days} may be missing"
    if count < options.min_coverage_ratio * span:
        share = percent(options.min_coverage_ratio)
        return f"gaps: {count} of {span} days have data{removed}, {share} needed"
    return None
