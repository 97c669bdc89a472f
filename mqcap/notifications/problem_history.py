"""Problems: follow what the rules keep saying from the last followed day up to a day.

Each day follows from the day before alone, so that a replay gives what a live run gave, and no
day knows anything of a later one.
"""

from __future__ import annotations

from datetime import date, timedelta

from mqcap.completeness.days import feeds_as_of
from mqcap.domain.finding import Severity
from mqcap.domain.problem import ProblemDay
from mqcap.notifications.digest import DayResults
from mqcap.notifications.grading import Grading, daily_evaluations
from mqcap.notifications.problem_states import advance
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import finding_dates, read_findings
from mqcap.store.locks import PROBLEMS_LOCK, exclusive
from mqcap.store.observations import peak_hours
from mqcap.store.problems import (
    latest_acknowledgements,
    problem_progress,
    read_problems,
    replace_problems,
)


def problems_on(settings: Settings, engine: Store, day: date) -> list[ProblemDay]:
    """All problems on ``day``, followed as far as is needed and stored.

    Findings are written under the same lock, so that no day is followed from findings that
    another run is replacing.
    """
    with exclusive(engine, PROBLEMS_LOCK):
        done = problem_progress(engine, day)
        problem_days = read_problems(engine, done.last_date)
        for missing in done.missing_dates:
            problem_days = _next(
                settings, engine, results_of(settings, engine, missing), problem_days
            )
            replace_problems(engine, missing, problem_days)
    return problem_days


def results_of(settings: Settings, engine: Store, day: date) -> DayResults:
    """Everything that was judged on one day, and what was known of its feeds."""
    return DayResults(
        site_date=day,
        findings=tuple(read_findings(engine, day)),
        crossings=tuple(read_crossings(engine, day)),
        feeds=tuple(feeds_as_of(settings, engine, day, day)),
    )


def grading_of(settings: Settings) -> Grading:
    """What grading needs of the settings."""
    return Grading(
        alerts=settings.alerts,
        grades=settings.grading,
        estate=settings.whole_estate(),
        interval_width=settings.forecast.interval_width,
    )


def _next(
    settings: Settings, engine: Store, today: DayResults, before: list[ProblemDay]
) -> list[ProblemDay]:
    day = today.site_date
    told = [
        (one.series_id, one.direction)
        for one in today.findings
        if one.series_id and one.severity in {Severity.watch, Severity.act}
    ]
    first = day - timedelta(days=settings.rules.peak_days - 1)
    hours = peak_hours(engine, told, first, day)
    grading = grading_of(settings)
    seen = daily_evaluations(today.findings, today.crossings, today.feeds, grading, hours)
    window = timedelta(days=settings.alerts.raise_window_days)
    judged_before = len(finding_dates(engine, day - window, day - timedelta(days=1)))
    return advance(
        before,
        seen,
        latest_acknowledgements(engine, day),
        settings.alerts,
        day=day,
        judged_before=judged_before,
    )
