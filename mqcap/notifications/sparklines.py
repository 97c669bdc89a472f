"""Lines of the rows of an email: the worst day of each week, 180 days back and ahead."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from mqcap.domain.metric import Direction
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.spark_pictures import spark_png
from mqcap.store.database import Store
from mqcap.store.forecasts import find_forecast
from mqcap.store.observations import observations_of_series

SPARK_DAYS: Final = 180
"""Days back and ahead in a line (ours)."""
_WEEK: Final = 7


def sparklines(engine: Store, day: date, rows: Iterable[PlanSummary]) -> dict[str, bytes]:
    """Return a PNG by resource, of rows whose series was measured in these days."""
    with_series = [(row.resource, row.series) for row in rows if row.series is not None]
    first, last = day - timedelta(days=SPARK_DAYS), day + timedelta(days=SPARK_DAYS)
    measured = observations_of_series(
        engine, [series.series_id for _, series in with_series], first, day
    )
    found = {}
    for resource, series in with_series:
        days = measured.get(series.series_id, [])
        forecast = find_forecast(engine, series.series_id, series.statistic, day)
        history = [(each.site_date, float(getattr(each, series.statistic))) for each in days]
        ahead = [(each.site_date, each.expected) for each in forecast.points] if forecast else []
        if weekly(history, series.direction, day):
            found[resource] = spark_png(
                weekly(history, series.direction, day),
                weekly((each for each in ahead if each[0] <= last), series.direction, day),
                series.limit,
                (first.toordinal(), last.toordinal()),
            )
    return found


def weekly(
    days: Iterable[tuple[date, float]], direction: Direction, day: date
) -> list[tuple[float, float]]:
    """Return the worst value of each seven days, counted from ``day`` both ways, at their end.

    Ends with fewer than four days are left out: a Sunday alone is no week.
    """
    worst = min if direction is Direction.downward else max
    blocks: dict[int, list[tuple[date, float]]] = {}
    for each in sorted(days):
        blocks.setdefault(((each[0] - day).days - 1) // _WEEK, []).append(each)
    whole = (block for block in blocks.values() if len(block) > _WEEK // 2)
    return [(block[-1][0].toordinal(), worst(value for _, value in block)) for block in whole]
