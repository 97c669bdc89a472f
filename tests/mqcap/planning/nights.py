"""Nights in a row of one estate: measured days with noise, and forecasts that are fitted anew."""

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import series_id
from mqcap.domain.plan import Plan
from mqcap.domain.urgency import is_material_change
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.judging.observed import Observed
from mqcap.planning.make import plans_of_day
from mqcap.store.database import Store
from mqcap.store.models import WindowDay
from sizing.rulebook.registry import watched
from tests.mqcap.planning.estates import (
    FIXED,
    RATIOS,
    WINDOW_DAYS,
    Load,
    Measured,
    facts_under,
    measured,
)
from tests.mqcap.rulebook.builders import DAY

HORIZON_DAYS = 365
DAY_NOISE = 0.03
LEVEL_NOISE = 0.005
GROWTH_NOISE = 0.1
"""Standard deviations: of a daily peak, and of what each night's fit makes of level and growth."""
INTERVAL_RATIO = 0.08
"""Half of the prediction interval, as a share of the level."""


class Event(NamedTuple):
    """From a night on, the series of a metric are so many times their level."""

    night: int
    metric: str
    factor: float


class Change(NamedTuple):
    """A plan that differs materially from that of the night before, appears or disappears."""

    night: int
    resource: str
    old: Plan | None
    new: Plan | None


def night_facts(
    load: Load,
    night: int,
    engine: Store,
    event: Event | None = None,
    metrics: str = "",
    **qmgr: Any,
) -> DayFacts:
    """The facts of the day so many nights after ``DAY``, of metrics that begin so."""
    last = DAY + timedelta(days=night)
    days: list[WindowDay] = []
    forecasts = {}
    for series in measured(load):
        if not series[0].startswith(metrics):
            continue
        days += _window(series, load, night, event)
        for made in _forecasts(series, load, night, event):
            forecasts[made.series_id, made.statistic] = made
    facts = facts_under(load, engine, **qmgr)
    return facts._replace(observed=Observed(days, last, WINDOW_DAYS), forecasts=forecasts)


def changes_over(
    nights: Sequence[int], facts_of: Callable[[int], DayFacts], only: str = ""
) -> Iterator[Change]:
    """Yield what changes from night to night, of resources whose path ends so."""
    before: dict[str, Plan] | None = None
    for night in nights:
        facts = facts_of(night)
        verdicts = judge_facts(facts)
        plans = plans_of_day(facts, verdicts, before)
        now = {plan.resource: plan for plan in plans if plan.resource.endswith(only)}
        if before is not None:
            for resource in sorted(before.keys() | now.keys()):
                old, new = before.get(resource), now.get(resource)
                if old is None or new is None or is_material_change(old, new):
                    yield Change(night, resource, old, new)
        before = now


def _level(series: Measured, load: Load, night: int, event: Event | None) -> float:
    metric, _, _, _, peak = series
    if metric.endswith(FIXED):
        return peak
    factor = event.factor if event and metric == event.metric and night >= event.night else 1.0
    return peak * (1 + load.growth_per_day * night) * factor


def _drawn(name: str, night: int, deviation: float) -> float:
    return 1 + deviation * random.Random(f"{name} {night}").gauss()  # noqa: S311 - no secret


def _window(series: Measured, load: Load, night: int, event: Event | None) -> Iterator[WindowDay]:
    metric, subject, kind, unit, _ = series
    for back in range(WINDOW_DAYS - 1, -1, -1):
        day = night - back
        peak = _level(series, load, day, event)
        if not metric.endswith(FIXED):
            peak *= min(_drawn(f"{metric}/{subject}", day, DAY_NOISE), 1.0)
        site_date: date = DAY + timedelta(days=day)
        yield WindowDay(metric, subject, kind, unit, site_date, peak / 2, peak * 0.9, peak)


def _forecasts(series: Measured, load: Load, night: int, event: Event | None) -> Iterator[Forecast]:
    metric, subject, *_ = series
    level = _level(series, load, night, event)
    growth = 0.0 if metric.endswith(FIXED) else load.growth_per_day
    for statistic, ratio in RATIOS.items():
        if (metric, statistic) not in watched():
            continue
        name = f"{metric}/{subject}/{statistic}"
        start = level * ratio * _drawn(name, night, LEVEL_NOISE)
        slope = level * ratio * growth * _drawn(f"slope {name}", night, GROWTH_NOISE)
        width = start * INTERVAL_RATIO if growth else 0.001
        points = tuple(
            ForecastPoint(
                site_date=DAY + timedelta(days=night + ahead),
                expected=start + slope * ahead,
                lower=start + slope * ahead - width,
                upper=start + slope * ahead + width,
            )
            for ahead in range(1, HORIZON_DAYS + 1)
        )
        yield Forecast(
            series_id=series_id(metric, subject),
            statistic=statistic,
            cutoff_date=DAY + timedelta(days=night),
            model="prophet",
            horizon_days=180,
            trained_days=400,
            interval_width=0.8,
            points=points[:180],
            after_horizon=points[180:],
        )
