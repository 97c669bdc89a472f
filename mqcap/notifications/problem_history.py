"""Stored problem history: advance all problems from the last stored day up to a day."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial

from mqcap.completeness.days import feeds_as_of
from mqcap.domain.problem import Acknowledgement, ProblemDay
from mqcap.notifications.grading import Grading, daily_evaluations
from mqcap.notifications.problem_states import EstateOfDay, advance
from mqcap.presentation.summary_rows import DayResults
from mqcap.settings import Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import finding_dates, read_findings
from mqcap.store.locks import PROBLEMS_LOCK, exclusive
from mqcap.store.observations import peak_hours
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.problems import (
    latest_acknowledgements,
    problem_progress,
    read_problems,
    replace_problems,
)

ResultsOf = Callable[[date], DayResults]
"""What was evaluated of a day."""


def problems_on(
    settings: Settings, engine: Store, day: date, results: ResultsOf | None = None
) -> list[ProblemDay]:
    """Return all problems on ``day``; days that are missing or invalid are stored first."""
    results = results or partial(results_of, settings, engine)
    with exclusive(engine, PROBLEMS_LOCK):
        while True:
            progress = problem_progress(engine, day)
            problem_days = read_problems(engine, progress.last_date)
            for missing_date in progress.missing_dates:
                acknowledged = latest_acknowledgements(engine, missing_date)
                today = results(missing_date)
                problem_days = _next_day(settings, engine, today, problem_days, acknowledged)
                if not replace_problems(engine, missing_date, problem_days, acknowledged):
                    break  # somebody has acknowledged meanwhile
            else:
                return problem_days


def results_of(settings: Settings, engine: Store, day: date) -> DayResults:
    """Return what was evaluated of a day, and its feeds as they were known on it."""
    return DayResults(
        day,
        findings=read_findings(engine, day),
        crossings=read_crossings(engine, day),
        feeds=feeds_as_of(settings, engine, day, day),
        plans=read_plans(engine, day),
        losses=read_losses(engine, day),
        states=read_states(engine, day, day),
    )


def grading_of(settings: Settings) -> Grading:
    """Return the grading that the settings describe."""
    return Grading(
        alerts=settings.alerts,
        grades=settings.grading,
        estate=settings.complete_estate(),
        interval_width=settings.forecast.interval_width,
    )


def _next_day(
    settings: Settings,
    engine: Store,
    today: DayResults,
    before: list[ProblemDay],
    acknowledged: Mapping[str, Acknowledgement],
) -> list[ProblemDay]:
    day = today.site_date
    reported_series = [
        (finding.series_id, finding.crossing_direction)
        for finding in today.findings
        if finding.series_id and finding.severity.is_urgent
    ]
    first = day - timedelta(days=settings.rules.peak_days - 1)
    hours = peak_hours(engine, reported_series, first, day)
    grading = grading_of(settings)
    evaluations = daily_evaluations(today.findings, today.crossings, today.feeds, grading, hours)
    window = timedelta(days=settings.alerts.raise_window_days)
    judged_before = len(finding_dates(engine, day - window, day - timedelta(days=1)))
    return advance(
        before,
        evaluations,
        acknowledged,
        settings.alerts,
        day=day,
        judged_before=judged_before,
        estate=EstateOfDay(
            grading.estate.as_of(day).names,
            frozenset(finding.subject.owner for finding in today.findings),
        ),
    )
