"""Shares of a limit as shares of the limit of today, for findings and forecasts.

A limit that was raised makes the share of it fall, and the load has not fallen. What is stored and
shown as a series stays the share that was measured.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Final, TypeVar

from mqcap.domain.distributed.daily_limit import daily_limits
from mqcap.domain.metric import split_series_id
from mqcap.store.models import TrainingRow, WindowDay

LIMITS: Final[Mapping[str, tuple[str, ...]]] = {
    "mq_queue_depth_used_pct": ("mq_queue_depth_max_count",),
    "mq_queue_file_used_pct": ("mq_queue_file_max_mib",),
    "mq_log_primary_used_pct": ("mq_log_primary_files_count",),
    "mq_log_total_used_pct": ("mq_log_primary_files_count", "mq_log_secondary_files_count"),
}
"""Metrics of which the sum is the limit, by the metric that is a share of it."""
LIMIT_METRICS: Final = frozenset(metric for limits in LIMITS.values() for metric in limits)
Changed = Mapping[tuple[str, str], Mapping[date, float | None]]
"""Daily limits by metric and subject, in order of the days; ``None``: not known."""


def in_todays_limits(rows: Iterable[TrainingRow], changed: Changed) -> list[TrainingRow]:
    """Return the rows, shares of limits that have changed in per cent of the newest one.

    A day without a limit has that before, or the first one; one whose limit is not known is left
    out.
    """

    def scaled(row: TrainingRow, ratio: float) -> TrainingRow:
        return row._replace(value=row.value * ratio)

    return _in_todays(rows, lambda row: split_series_id(row.series_id), changed, scaled)


def window_in_todays_limits(days: Iterable[WindowDay]) -> list[WindowDay]:
    """Return the days with shares of the newest limit, and by how much these were scaled."""
    days = list(days)
    reported: dict[tuple[str, str], dict[date, tuple[float, float]]] = {}
    for day in days:
        if day.metric in LIMIT_METRICS:
            of_limit = reported.setdefault((day.metric, day.subject), {})
            of_limit[day.site_date] = (day.mean, day.peak)
    limits = {name: daily_limits(of_limit) for name, of_limit in reported.items()}

    def scaled(day: WindowDay, ratio: float) -> WindowDay:
        if ratio == 1:
            return day
        return day._replace(
            mean=day.mean * ratio, p95=day.p95 * ratio, peak=day.peak * ratio, limit_ratio=ratio
        )

    return _in_todays(days, lambda day: (day.metric, day.subject), limits, scaled)


RowT = TypeVar("RowT", TrainingRow, WindowDay)


def _in_todays(
    rows: Iterable[RowT],
    series_of: Callable[[RowT], tuple[str, str]],
    changed: Changed,
    scaled: Callable[[RowT, float], RowT],
) -> list[RowT]:
    courses: dict[tuple[str, str], _Course | None] = {}
    made = []
    for row in rows:
        series = series_of(row)
        if series not in courses:
            metric, subject = series
            limits = [changed.get((limit, subject), {}) for limit in LIMITS.get(metric, ())]
            courses[series] = _Course(limits) if limits and all(limits) else None
        course = courses[series]
        if course is None:
            made.append(row)
        elif course.is_known(row.site_date):
            made.append(scaled(row, course.ratio(row.site_date)))
    return made


class _Course:
    def __init__(self, limits: Sequence[Mapping[date, float | None]]) -> None:
        known = [{day: of for day, of in limit.items() if of is not None} for limit in limits]
        self._unknown = {day for limit in limits for day, of in limit.items() if of is None}
        self._limits = [(sorted(limit), limit) for limit in known]
        self._today = self._on(date.max)

    def is_known(self, day: date) -> bool:
        """Return whether the limit of a day is known."""
        return day not in self._unknown

    def ratio(self, day: date) -> float:
        """Return the limit of a day over that of today."""
        return self._on(day) / self._today

    def _on(self, day: date) -> float:
        return sum(limit[days[max(bisect_right(days, day) - 1, 0)]] for days, limit in self._limits)
