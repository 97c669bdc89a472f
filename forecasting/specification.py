"""Specification of one daily series, for Prophet and the exact solver of the same model."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.calendars import frequent_events, shared_event_columns
from forecasting.engine.shifts import level_shifts, step_columns, with_known
from forecasting.history import History
from forecasting.model import ModelFailure, with_usual_scale
from mqcap.domain.estate.calendar import SiteCalendar

CHANGEPOINT_COUNT: Final = 25
WEEKLY_ORDER: Final = 3
YEARLY_ORDER: Final = 2
YEARLY_PERIOD_DAYS: Final = 365.25
SEASON_PRIOR: Final = 10.0
YEARLY_PRIOR: Final = 0.1
SHIFT_PRIOR: Final = 10.0
EVENT_PRIOR: Final = 0.03
"""A wide prior gives a restless series a height for each day of the turn of a month, out of a dozen
values that are noise (ours, from real futures)."""
YEARLY_FROM_DAYS: Final = 438
"""Span from which two harmonics of the year are separable from growth, under their tight prior."""
RESIDUAL_LAGS: Final = (1, 2, 3, 7, 14)
"""Lags of the autoregression that carries the last level into the forecast."""
STRAIGHT_PRIOR: Final = 0.001
"""Prior of slope changes up to which a trend hardly bends: the low end of the range that
Prophet's documentation recommends to try."""
KEPT_DESCRIPTIONS: Final = 4_096
"""Descriptions of a series that a process keeps, the last ones asked for: some 30 MB. Each is of
the history up to one night or origin, and is met again on the next nights (ours)."""


Place = tuple[np.datetime64, str | None, SiteCalendar | None]
"""First day, country and calendar of a site."""


@dataclass(frozen=True)
class Configuration:
    """The properties in which the candidates of one series differ.

    ``changepoint_prior`` and ``changepoint_range`` are Prophet's own. ``usual_scale`` takes the
    scale that ``log_scale_fits`` proposes for the whole history, otherwise the other one.
    """

    usual_scale: bool = True
    changepoint_prior: float = 0.05
    changepoint_range: float = 0.9

    def trend(self, history: History) -> str:
        """Return the trend and its scale for a history, in words."""
        is_log = with_usual_scale(history).usual_scale_is_log is self.usual_scale
        bends = "straight" if self.changepoint_prior <= STRAIGHT_PRIOR else "bending"
        return f"{bends} {'logarithmic' if is_log else 'linear'} trend"


CONFIGURATIONS: Final = (
    Configuration(),
    Configuration(changepoint_prior=0.001, changepoint_range=0.8),
    Configuration(usual_scale=False),
    Configuration(usual_scale=False, changepoint_prior=0.001, changepoint_range=0.8),
)
"""Prophet's candidates. A range of 0.9 lets the trend bend up to the last tenth of the history;
Prophet's 0.8 allows none in the last 146 of 730 days; with a small prior it extrapolates better."""


@dataclass(frozen=True)
class Regressors:
    """What the regressors follow from: alike for most series of a site."""

    place: Place
    events: tuple[str, ...]
    """Names of calendar events."""
    shifts: tuple[int, ...]
    """Numbers of the first days on a new level."""

    @property
    def names(self) -> tuple[str, ...]:
        """One per column."""
        return (*self.events, *(f"level_shift_{index + 1}" for index in range(len(self.shifts))))

    @property
    def priors(self) -> tuple[float, ...]:
        """Prior deviation of each column."""
        return (EVENT_PRIOR,) * len(self.events) + (SHIFT_PRIOR,) * len(self.shifts)


@dataclass(frozen=True)
class Specification:
    """A series ready to be fitted: ``values`` on the model's scale, not to be written to."""

    values: FloatArray
    log_scale: bool
    regressors: Regressors
    yearly: bool


@lru_cache(maxsize=KEPT_DESCRIPTIONS)
def specification(history: History, days: int, usual_scale: bool = True) -> Specification:
    """Describe ``history`` and ``days`` behind it; ModelFailure if a value has no logarithm."""
    log_scale = with_usual_scale(history).usual_scale_is_log is usual_scale
    observed = history.observed
    if log_scale and np.nanmin(history.values) <= 0:
        raise ModelFailure("no logarithm of values that are not above zero")
    values = np.log(history.values) if log_scale else history.values.copy()
    values.setflags(write=False)
    total = len(values) + days
    place = (history.first_day, history.country, history.site)
    changes = np.array(history.known_changes, dtype="datetime64[D]") - history.first_day
    known_changes = tuple(changes.astype(np.int64).tolist())
    event_names = frequent_events(shared_event_columns(place[0], total, *place[1:]), observed)
    shifts = with_known(level_shifts(values, 7), known_changes, observed)
    return Specification(
        values=values,
        log_scale=log_scale,
        regressors=Regressors(place, event_names, tuple(shifts)),
        yearly=history.last - int(observed.argmax()) + 1 >= YEARLY_FROM_DAYS,
    )


@lru_cache(maxsize=64)
def regressor_columns(regressors: Regressors, total: int) -> FloatArray:
    """Return the columns of the regressors, for all series that have the same."""
    events = shared_event_columns(regressors.place[0], total, *regressors.place[1:])
    named = [events[name].astype(np.float64)[:, None] for name in regressors.events]
    columns = np.hstack([*named, step_columns(list(regressors.shifts), total)])
    columns.setflags(write=False)
    return columns
