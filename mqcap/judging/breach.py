"""Since when a limit has been passed: the first day of the present episode."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from forecasting.crossing import is_in_breach
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.observations import read_figures
from sizing.rulebook.registry import all_rules


def with_first_day(engine: Store, crossing: Crossing, strict: bool, settings: Settings) -> Crossing:
    """Return the crossing with the first day of the episode that reaches into the rules' window.

    Days in breach that are at most a window (``rules.peak_days``) apart are one episode, so
    that a breach of every month-end counts as one. Looks back ``forecast.lookback_days``.
    """
    last = crossing.cutoff_date
    first = last - timedelta(days=settings.forecast.lookback_days)
    days = read_figures(engine, crossing.series_id, crossing.statistic, first, last)
    since = episode_start(_passed(days, crossing, strict=strict), last, settings.rules.peak_days)
    begins = bool(days) and since == days[0][0]
    reason = SINCE_DATA_BEGINS if begins else None
    return crossing.model_copy(update={"breached_since": since, "reason": reason})


def days_in_breach(engine: Store, crossing: Crossing, first: date, last: date) -> list[date]:
    """Return the measured days, first and last included, on which a limit was passed, in order."""
    rule = all_rules().get(crossing.rule_id)
    days = read_figures(engine, crossing.series_id, crossing.statistic, first, last)
    return _passed(days, crossing, strict=rule is None or rule.strict)


def _passed(days: Iterable[tuple[date, float]], crossing: Crossing, *, strict: bool) -> list[date]:
    return [
        day
        for day, figure in days
        if is_in_breach(
            figure,
            crossing.limit_value,
            direction=crossing.direction,
            strict=strict,
        )
    ]


def episode_start(days: Iterable[date], last: date, gap_days: int) -> date:
    """Return the earliest day reached from ``last`` backwards by steps of at most ``gap_days``."""
    start = last
    for day in sorted(days, reverse=True):
        if (start - day).days > gap_days:
            break
        start = day
    return start
