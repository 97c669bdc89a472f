"""From one point of a chart to the hours of its day, and from an hour to its records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.pages.answers import View
from mq_capacity_page.pages.series.resolution import (
    HOUR,
    Fine,
    FineLine,
    address_of,
    fine_lines,
    zone_of,
)
from mq_capacity_page.web.context import Site
from mqcap.domain.metric import sysplex_of
from mqcap.lake.readers import HourValue, day_bounds, hour_values
from mqcap.presentation import wording
from mqcap.presentation.wording import Quantity
from mqcap.rulebook.record_lineage import MESSAGES_BESIDE, Lineage, Question, lineage
from mqcap.store.files import source_files_between
from mqcap.store.models import SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.series import find_series

WHOLE_HOUR_SECONDS: Final = 3_600


class DayFigure(View):
    """One figure of the day, and how it is made of the hours."""

    name: str
    value: Quantity
    made: str


class TraceView(View):
    """One series on one site day, down to the records of one of its hours."""

    facts: SeriesFacts
    day: date
    zone: str
    figures: list[DayFigure]
    """Empty when the day was not measured."""
    hours: list[FineLine]
    missing: list[datetime]
    """Begins of the hours that were not measured."""
    hour: FineLine | None
    """The hour whose records are shown; ``None`` when none was measured."""
    until: datetime | None
    """Its end."""
    busiest: str
    """Address of the busiest hour of the day, empty when not measured."""
    found: Lineage | None


def trace_view(site: Site, series_id: str, at: str) -> TraceView | None:
    """What is behind a point: a site day (``2026-01-05``) or an hour (``2026-01-05T06:00Z``).

    ``None`` when no series has that name. Raises ValueError when ``at`` is neither.
    """
    facts = find_series(site.engine, series_id)
    if facts is None:
        return None
    zone = zone_of(site, facts.subject)
    day, wanted = _moment(at, zone)
    begin, end = day_bounds(day, day, zone)
    rows = hour_values(Path(site.settings.lake), series_id, begin, end)
    observed = read_observations(site.engine, series_id, day, day)
    busiest = observed[0].busiest_hour_utc if observed else None
    shown = next((one for one in rows if one.hour_utc == (wanted or busiest)), None)
    lines = {one.at: one for one in fine_lines(Fine(facts.unit, begin, end, rows))}
    return TraceView(
        facts=facts,
        day=day,
        zone=zone,
        figures=_figures(site, facts, day),
        hours=list(reversed(lines.values())),
        missing=_missing(rows, begin, end),
        hour=lines[address_of(shown.hour_utc)] if shown else None,
        until=shown.hour_utc + HOUR if shown else None,
        busiest=address_of(busiest) if busiest else "",
        found=_records(site, facts, shown) if shown else None,
    )


def _moment(at: str, zone: str) -> tuple[date, datetime | None]:
    """The site day of an address, and its hour where it names one."""
    if len(at) == len("2026-01-05"):
        return date.fromisoformat(at), None
    moment = datetime.fromisoformat(at)
    if moment.tzinfo is None:
        raise ValueError(f"{at!r} has no time zone")
    hour = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return hour.astimezone(ZoneInfo(zone)).date(), hour


def _figures(site: Site, facts: SeriesFacts, day: date) -> list[DayFigure]:
    found = read_observations(site.engine, facts.series_id, day, day)
    if not found:
        return []
    one = found[0]
    hours = wording.number(one.covered_hours)
    busiest = wording.instant(one.busiest_hour_utc)
    told = [
        ("Daily peak", one.peak, f"the highest interval of the day; in the hour of {busiest}"),
        ("95th percentile", one.p95, "of the means of the measured hours, linear"),
        ("Daily mean", one.mean, f"of {hours} hours measured, each weighed by its covered time"),
    ]
    return [
        DayFigure(name=name, value=wording.quantity(value, facts.unit), made=made)
        for name, value, made in told
    ]


def _missing(rows: Sequence[HourValue], begin: datetime, end: datetime) -> list[datetime]:
    """Hours of the day without a value, when any hour has one."""
    if not rows:
        return []
    known = {one.hour_utc for one in rows}
    first = begin.replace(minute=0, second=0, microsecond=0)
    every = [first + HOUR * count for count in range(int((end - first) / HOUR))]
    return [one for one in every if one not in known]


def _records(site: Site, facts: SeriesFacts, hour: HourValue) -> Lineage:
    """Records of the hour, from the begin of its highest interval on where that is earlier."""
    begin = min(hour.hour_utc, hour.peak_interval_start_utc)
    end = hour.hour_utc + timedelta(seconds=WHOLE_HOUR_SECONDS)
    plex = sysplex_of(facts.subject)
    foreign = {smfid for smfid, of in site.estate.sysplex_by_smfid().items() if of != plex}
    files = source_files_between(site.engine, begin - MESSAGES_BESIDE, end + MESSAGES_BESIDE)
    asked = Question(facts.series_id, begin, end, frozenset(foreign))
    return lineage(Path(site.settings.lake), files, asked)
