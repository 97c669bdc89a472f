"""Hours of the day behind one point of a chart, and records behind an hour."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from mq_capacity_page.charts import hour_address
from mq_capacity_page.pages.series.sub_daily import HOUR, SubDailyValues, sub_daily_rows
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.numbers import figure
from mqcap.lake.location import open_lake
from mqcap.lake.readers import HourValue, day_bounds, hour_values
from mqcap.presentation import dates, quantities
from mqcap.rulebook.record_lineage import MESSAGES_BESIDE, Lineage, Question, lineage
from mqcap.store.feeds import source_files_between
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.series import find_series


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
