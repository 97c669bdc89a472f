"""Hours, intervals and parts of a series, and the records behind one hour, read from the lake."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

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
from mqcap.presentation import dates, display_units, quantities
from mqcap.presentation.attribution_text import GrowthText, growth_text, part_label
from mqcap.presentation.labels import metric_label
from mqcap.queries.why import SeriesGrowth, begin_of_month_before, growth_if_known
from mqcap.rulebook.record_lineage import MESSAGES_BESIDE, Lineage, Question, lineage
from mqcap.store.feeds import source_files_between
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.series import find_series
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


def records_view(context: PageContext, series_id: str, at: str) -> View | None:
    """Return what is behind a site day (``2026-01-05``) or an hour (``2026-01-05T06:00Z``).

    ``hour`` is the one whose records are shown, of a day the busiest; ``None`` if not measured.

    ``None`` for an unknown series; ValueError where ``at`` is neither day nor hour with a zone.
    """
    facts = find_series(context.engine, series_id)
    if facts is None:
        return None
    zone = context.timezone_of(facts.subject)
    day, hour = parse_moment(at, zone)
    begin, end = day_bounds(day, day, zone)
    hours = hour_values(open_lake(context.settings.lake), series_id, begin, end)
    observed = next(iter(read_observations(context.engine, series_id, day, day)), None)
    busiest = observed.busiest_hour_utc if observed else None
    shown = next((row for row in hours if row.hour_utc == (hour or busiest)), None)
    data = SubDailyValues(facts.unit, begin, end, hours)
    rows = {row.at: row for row in sub_daily_rows(data)}
    return View(
        facts=facts,
        day=day,
        zone=zone,
        figures=day_figures(observed, facts.unit) if observed else [],
        hours=list(reversed(rows.values())),
        missing=missing_hours(hours, begin, end),
        hour=rows[hour_address(shown.hour_utc)] if shown else None,
        until=shown.hour_utc + HOUR if shown else None,
        busiest=hour_address(busiest) if busiest else "",
        lineage=_lineage(context, facts, shown) if shown else None,
    )


def parse_moment(at: str, zone: str) -> tuple[date, datetime | None]:
    """Return the site day of an address, and its hour where it names one; ValueError for others."""
    if len(at) == len("2026-01-05"):
        return date.fromisoformat(at), None
    moment = datetime.fromisoformat(at)
    if moment.tzinfo is None:
        raise ValueError(f"{at!r} has no time zone")
    hour = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return hour.astimezone(ZoneInfo(zone)).date(), hour


def day_figures(observed: Observation, unit: str) -> list[View]:
    """Return peak, 95th percentile and mean of a day with how each is computed."""
    hours = figure(observed.covered_hours)
    busiest = dates.instant(observed.busiest_hour_utc)
    figures = [
        ("Daily peak", observed.peak, f"the highest interval of the day; in the hour of {busiest}"),
        ("95th percentile", observed.p95, "of the means of the measured hours, linear"),
        ("Daily mean", observed.mean, f"of {hours} hours measured, weighted by covered time"),
    ]
    return [
        View(name=name, value=quantities.quantity(value, unit), method=method)
        for name, value, method in figures
    ]


def missing_hours(hours: Sequence[HourValue], begin: datetime, end: datetime) -> list[datetime]:
    """Return begins of the hours without a value; none when no hour at all has one."""
    if not hours:
        return []
    measured = {hour.hour_utc for hour in hours}
    first = begin.replace(minute=0, second=0, microsecond=0)
    every = [first + HOUR * count for count in range(int((end - first) / HOUR))]
    return [hour for hour in every if hour not in measured]


def _lineage(context: PageContext, facts: SeriesFacts, hour: HourValue) -> Lineage:
    """Return records of the hour, from the begin of its highest interval if that is earlier."""
    begin = min(hour.hour_utc, hour.peak_interval_start_utc)
    end = hour.hour_utc + HOUR
    sysplex = facts.subject.sysplex
    systems = context.estate.sysplex_by_smfid().items()
    foreign = frozenset(smfid for smfid, name in systems if name != sysplex)
    files = source_files_between(context.engine, begin - MESSAGES_BESIDE, end + MESSAGES_BESIDE)
    volumes = context.estate.log_volumes_of(facts.subject)
    query = Question(facts.series_id, begin, end, foreign, volumes)
    return lineage(open_lake(context.settings.lake), files, query)
