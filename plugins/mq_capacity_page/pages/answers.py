"""What each page asks of the store, gathered into the values its template prints."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict

from mq_capacity_page.charts.marks import Marks, marks_of, with_cleaning
from mq_capacity_page.charts.series_figure import DailyValue, SeriesRows
from mq_capacity_page.pages.series import view as subject_view
from mq_capacity_page.web.context import Site
from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, sysplex_of
from mqcap.presentation import fleet, wording
from mqcap.presentation.fleet import FleetLine
from mqcap.store.crossings import crossings_below, read_crossings
from mqcap.store.findings import (
    findings_below,
    latest_site_date,
    next_findings_date,
    previous_findings_date,
    read_findings,
)
from mqcap.store.forecasts import find_forecast
from mqcap.store.models import Observation, PeakValue, SeriesFacts
from mqcap.store.observations import count_measured_series, read_observations
from mqcap.store.scores import recent_accuracy
from mqcap.store.series import (
    count_known_series,
    find_series,
    read_series,
    series_as_of,
    series_below,
)
from mqcap.store.tickets import read_tickets

HISTORY_DAYS: Final = 3 * 366
MARK_DAYS: Final = 400
"""Stops and notes of so many days are marked."""


class View(BaseModel):
    """Base of what templates print."""

    model_config = ConfigDict(frozen=True)


class Frame(View):
    """The head of every page: site, day, its neighbours, zones."""

    site_name: str
    current: str
    day: date | None
    """The site day shown; ``None`` in a store without findings."""
    earlier: date | None
    later: date | None
    latest: date | None
    zones: dict[str, str]


class Coverage(View):
    """How much of what is known was measured on one day."""

    measured: int
    known: int


class SeriesView(View):
    """One series on one day."""

    facts: SeriesFacts
    statistic: Statistic
    lines: list[FleetLine]
    crossings: list[Crossing]
    forecast_words: list[tuple[str, str]]
    refusal: str | None
    recent: list[subject_view.RecentDay]
    months: list[subject_view.MonthAhead]
    last: Observation | None
    peak: PeakValue | None
    peak_days: int
    zone: str | None
    siblings: list[SeriesFacts]
    has_chart: bool
    marks: Marks
    chances: list[tuple[str, list[tuple[date, str]]]]
    """By rule: until when, and how probable it is that the limit is passed by then."""


class SubjectView(View):
    """One subject on one day."""

    subject: str
    lines: list[FleetLine]
    all: list[SeriesFacts]


def frame(site: Site, day: date | None, current: str) -> Frame:
    """The head of a page for the day asked for, else the latest one."""
    latest = latest_site_date(site.engine)
    shown = day or latest
    return Frame(
        site_name=site.settings.site.name,
        current=current,
        day=shown,
        earlier=previous_findings_date(site.engine, shown) if shown else None,
        later=next_findings_date(site.engine, shown) if shown else None,
        latest=latest,
        zones=site.zones(),
    )


def fleet_of(site: Site, day: date, subject: str = "") -> list[FleetLine]:
    """Findings of the day as lines, most urgent first; with ``subject``, those on and below it."""
    engine = site.engine
    if subject:
        findings = findings_below(engine, day, subject)
        crossings = crossings_below(engine, day, subject)
    else:
        findings, crossings = read_findings(engine, day), read_crossings(engine, day)
    facts = fleet.Facts(findings, crossings, read_tickets(engine, as_of=day))
    return fleet.fleet_lines(facts, site.estate, site.settings.alerts)


def coverage(site: Site, day: date) -> Coverage:
    """How many of the series known by that day have a value on it."""
    measured = count_measured_series(site.engine, day)
    return Coverage(measured=measured, known=max(count_known_series(site.engine, day), measured))


def series_named(site: Site, part: str, day: date | None = None) -> tuple[list[SeriesFacts], int]:
    """Series whose id or words contain ``part``, by subject; and how many there are at all.

    With a day those that were known on it.
    """
    every = read_series(site.engine)
    if day is not None:
        every = series_as_of(site.engine, every, day)
    known = sorted(every, key=lambda one: (one.subject, one.metric))
    wanted = part.strip().casefold()
    found = [
        one
        for one in known
        if wanted in f"{one.series_id} {wording.metric_words(one.metric)}".casefold()
    ]
    return found, len(known)


def series_rows(site: Site, name: str, day: date, statistic: Statistic) -> SeriesRows | None:
    """What is drawn of a series; ``None`` when no series has that name."""
    facts = find_series(site.engine, name)
    if facts is None:
        return None
    below = crossings_below(site.engine, day, facts.subject)
    crossings = [one for one in below if one.series_id == name]
    crossings = [one for one in crossings if one.statistic is statistic]
    days, forecast = _history(site, name, day), find_forecast(site.engine, name, statistic, day)
    marks = marks_of(site, facts.subject, day - timedelta(days=MARK_DAYS), day)
    return SeriesRows(
        unit=facts.unit,
        days=[DailyValue(one.site_date, one.peak, one.p95, one.mean) for one in days],
        statistic=statistic,
        forecast=forecast,
        crossings=crossings,
        site_date=day,
        marks=with_cleaning(marks, site, facts, forecast, days),
        limit_steps=_steps(site, facts.subject, day, crossings),
    )


def _steps(
    site: Site, subject: str, day: date, crossings: Sequence[Crossing]
) -> dict[str, list[tuple[date, float]]]:
    """By rule: the later limits that planned changes bring."""
    if not crossings or not site.estate.changes_after(day):
        return {}
    from mqcap.judging.limit_steps import limit_steps  # noqa: PLC0415 - imports every rule

    wanted = {one.rule_id for one in crossings}
    return {
        one.rule_id: limit_steps(site.settings, site.engine, one)
        for one in findings_below(site.engine, day, subject)
        if one.rule_id in wanted and one.subject == crossings[0].subject
    }


def series_view(
    site: Site, name: str, day: date | None, statistic: Statistic | None
) -> SeriesView | None:
    """One series as known on the day; ``None`` when no series has that name."""
    facts = find_series(site.engine, name)
    if facts is None or day is None:
        return None
    lines = subject_view.lines_of_series(fleet_of(site, day, facts.subject), facts)
    shown = statistic or subject_view.default_statistic(lines, name)
    forecast = find_forecast(site.engine, name, shown, day)
    days = _history(site, name, day)
    window = [one for one in days if one.site_date >= _window_start(site, day)]
    marks = marks_of(site, facts.subject, day - timedelta(days=MARK_DAYS), day)
    return SeriesView(
        facts=facts,
        statistic=shown,
        lines=lines,
        crossings=[
            one.crossing for one in lines if one.crossing and one.crossing.series_id == name
        ],
        forecast_words=subject_view.forecast_words(
            forecast, facts.forecast, recent_accuracy(site.engine, name, shown, day)
        ),
        refusal=forecast.refusal if forecast else None,
        recent=subject_view.recent_days(days, facts.unit),
        months=subject_view.months_ahead(forecast, facts.unit),
        last=days[-1] if days else None,
        peak=_highest(window),
        peak_days=site.settings.rules.peak_days,
        zone=site.estate.timezone_of(sysplex_of(facts.subject)),
        siblings=_siblings(site, facts.subject, day),
        has_chart=bool(days) or _has_points(forecast),
        marks=with_cleaning(marks, site, facts, forecast, days),
        chances=subject_view.chances(lines, name),
    )


def subject_page(site: Site, name: str, day: date | None) -> SubjectView | None:
    """The findings and series of one subject and of what lies below it; ``None`` if none."""
    every = series_below(site.engine, name)
    view = SubjectView(
        subject=name,
        lines=fleet_of(site, day, name) if day else [],
        all=series_as_of(site.engine, every, day) if day else every,
    )
    return view if view.lines or view.all else None


def _history(site: Site, name: str, day: date) -> list[Observation]:
    return read_observations(site.engine, name, day - timedelta(days=HISTORY_DAYS), day)


def _siblings(site: Site, subject: str, day: date) -> list[SeriesFacts]:
    """The series of one subject that were known on the day."""
    below = series_below(site.engine, subject)
    own = [one for one in below if one.subject == subject]
    return series_as_of(site.engine, own, day)


def _highest(days: list[Observation]) -> PeakValue | None:
    """The largest daily peak and the last day on which it was reached."""
    return max((PeakValue(one.peak, one.site_date) for one in days), default=None)


def _window_start(site: Site, day: date) -> date:
    """First day of the rule window that ends on ``day``."""
    return day - timedelta(days=site.settings.rules.peak_days - 1)


def _has_points(forecast: Forecast | None) -> bool:
    return forecast is not None and bool(forecast.points)
