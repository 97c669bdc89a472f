"""The hours of two weeks or the intervals of three days of a series, read from the lake."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from mq_capacity_page.charts import (
    Bars,
    Chart,
    Line,
    Role,
    hour_address,
    limits_of,
    line_points,
    position,
)
from mq_capacity_page.pages.series.marks import events_of, marks_of
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.attribution import stack
from mqcap.domain.crossing import Crossing
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.lake.location import open_lake
from mqcap.lake.readers import (
    HourValue,
    IntervalValue,
    day_bounds,
    hour_values,
    interval_values,
    part_days,
)
from mqcap.presentation import display_units, quantities
from mqcap.presentation.attribution_text import GrowthText, growth_text, part_label
from mqcap.presentation.labels import metric_label
from mqcap.queries.why import SeriesGrowth, begin_of_month_before, growth_if_known
from mqcap.store.models import SeriesFacts
from mqcap.unit_costs.channel_cost import cost_of_channels, costed_part_days


class Resolution(StrEnum):
    """Length of time that a point of a chart covers."""

    daily = "daily"
    hourly = "hourly"
    interval = "interval"
    parts = "parts"
    """Days, each divided into its parts."""


SPAN_DAYS: Final = {Resolution.hourly: 14, Resolution.interval: 3}
"""Site days up to the one shown (ours): what can be read on one screen."""


HOUR: Final = timedelta(hours=1)


class SubDailyValues(NamedTuple):
    """Hours or intervals of a series between two instants, in its stored unit."""

    unit: str
    begin: datetime
    end: datetime
    hours: Sequence[HourValue] = ()
    intervals: Sequence[IntervalValue] = ()


def sub_daily_values(
    context: PageContext, facts: SeriesFacts, day: date, resolution: Resolution
) -> SubDailyValues:
    """Return hours or intervals of the last site days up to one; empty where the lake has none."""
    first = day - timedelta(days=SPAN_DAYS[resolution] - 1)
    begin, end = day_bounds(first, day, context.timezone_of(facts.subject))
    lake, data = open_lake(context.settings.lake), SubDailyValues(facts.unit, begin, end)
    if resolution is Resolution.hourly:
        return data._replace(hours=hour_values(lake, facts.series_id, begin, end))
    return data._replace(intervals=interval_values(lake, facts.series_id, begin, end))


def sub_daily_chart(
    context: PageContext,
    facts: SeriesFacts,
    day: date,
    resolution: Resolution,
    crossings: Sequence[Crossing] = (),
) -> Chart | None:
    """Return the chart of hours or intervals; ``None`` where the lake has none.

    Limits on peaks are drawn: those of other figures of a day do not apply to a single hour.
    """
    data = sub_daily_values(context, facts, day, resolution)
    if not data.hours and not data.intervals:
        return None
    factor, unit = display_units.scale(data.unit)
    lines = [_interval_line(data, factor)]
    if data.hours:
        peak = line_points(((hour.hour_utc, hour.peak * factor) for hour in data.hours), HOUR)
        mean = line_points(((hour.hour_utc, hour.value * factor) for hour in data.hours), HOUR)
        lines = [
            Line(name="Highest interval of the hour", role=Role.strong, points=peak),
            Line(name="Mean of the hour", role=Role.faint, points=mean),
        ]
    of_peaks = [crossing for crossing in crossings if crossing.statistic is Statistic.peak]
    return Chart(
        title=f"{facts.subject}: {metric_label(facts.metric)}",
        unit=unit,
        first=position(data.begin),
        last=position(data.end),
        lines=tuple(lines),
        limits=limits_of(of_peaks, factor, unit),
        events=events_of(marks_of(context, facts, day, data.begin.date()), data.begin.date()),
    )


def _interval_line(data: SubDailyValues, factor: float) -> Line:
    points: list[tuple[float, float | None]] = []
    before: datetime | None = None
    for interval in data.intervals:
        if before is not None and interval.start_utc > before:
            points.append((position(before), None))
        value = interval.level * factor
        points += [(position(interval.start_utc), value), (position(interval.end_utc), value)]
        before = interval.end_utc
    return Line(name="Each interval", role=Role.strong, points=tuple(points))


def sub_daily_rows(data: SubDailyValues) -> list[View]:
    """Return the hours or intervals as printed, the newest first; ``at`` is the address of one."""
    rows = [
        (hour.hour_utc, hour.value, hour.peak, hour.covered_seconds, hour.interval_count)
        for hour in data.hours
    ]
    for begins, end, level in data.intervals:
        rows.append((begins, level, level, (end - begins).total_seconds(), 1))
    return [
        View(
            at=hour_address(begins),
            begins=begins,
            mean=quantities.quantity(mean, data.unit),
            peak=quantities.quantity(peak, data.unit),
            minutes=figure(seconds / 60),
            intervals=count,
        )
        for begins, mean, peak, seconds, count in reversed(rows)
    ]


NAMED_MAX: Final = 4
"""Parts with a colour of their own: with the rest and the mean they fit the legend (ours)."""
CHART_DAYS: Final = 60
"""Days of the chart, so that the month before is in it (ours)."""


def parts_view(context: PageContext, facts: SeriesFacts, day: date) -> GrowthText | None:
    """Return the growth since the begin of the month before; ``None`` without parts."""
    found = _growth(context, facts, day)
    return None if found is None else growth_text(found.attribution, found.unit)


def parts_chart(context: PageContext, facts: SeriesFacts, day: date) -> Chart | None:
    """Return the last days with their parts, by the kind of the table; ``None`` without parts."""
    found = _growth(context, facts, day)
    if found is None:
        return None
    first = day - timedelta(days=CHART_DAYS - 1)
    cost = cost_of_channels(context.settings, context.engine)(found.metric, facts.subject, day)
    parts = partial(part_days, open_lake(context.settings.lake))
    rows = costed_part_days(parts, found.metric, facts.subject, first, day, cost)
    layers = stack(rows, found.attribution.breakdown, NAMED_MAX)
    factor, unit = display_units.scale(found.unit)
    days = [position(day) for day in layers.days]
    return Chart(
        title=f"{facts.subject}: {metric_label(found.metric)} by {found.attribution.breakdown}",
        unit=unit,
        first=position(first),
        last=position(day) + 1,
        bars=tuple(
            Bars(
                name=part_label(layer.part, layer.kind),
                points=tuple(
                    (at, value * factor) for at, value in zip(days, layer.values, strict=True)
                ),
            )
            for layer in layers.layers[: NAMED_MAX + 2]
        ),
    )


def _growth(context: PageContext, facts: SeriesFacts, day: date) -> SeriesGrowth | None:
    return growth_if_known(
        open_lake(context.settings.lake),
        facts.metric,
        facts.subject,
        since=begin_of_month_before(day),
        last=day,
        settings=context.settings.attribution,
        cost_of=cost_of_channels(context.settings, context.engine),
    )
