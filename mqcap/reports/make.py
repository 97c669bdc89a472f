"""Reports of a day, made from the store; nothing depends on when or where they are made."""

from collections import Counter
from datetime import date
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.losses.text.as_plan import one_of_each_loss, plans_of_losses
from mqcap.presentation import dates, display_units, labels
from mqcap.presentation.summary_text import checks_words, count_words, incident_lines
from mqcap.progress.shown import tracked
from mqcap.queries.fleet import fleet_on
from mqcap.queries.summaries import acknowledged_plans, plan_summaries_on
from mqcap.reports.document import Report, ReportKind
from mqcap.reports.registry import Forecasts, ReportBasis, sections_of
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.step_runs import read_step_runs

TITLES: Final = {
    ReportKind.daily: "Daily report",
    ReportKind.weekly: "Weekly report",
    ReportKind.monthly: "Monthly capacity plan",
}


def make_report(settings: Settings, engine: Store, kind: ReportKind, day: date) -> Report:
    """Return the report about a day; ConfigurationError where no rules were evaluated for it."""
    losses = read_losses(engine, day)
    lines = one_of_each_loss(fleet_on(settings, engine, day), losses)
    if not lines:
        raise ConfigurationError(
            f"no report of {day}: no rules were evaluated for that day",
            remedy="Run the daily DAG for this day first, or name another day.",
        )
    labels.use_metric_labels(metric_catalogue(open_lake(settings.lake)))
    display_units.use_zones_of(settings)
    forecasts = {} if kind is ReportKind.daily else _forecasts(engine, day)
    plans = read_plans(engine, day)
    acknowledged = acknowledged_plans(engine, plans, day)
    plans = sorted(plans, key=lambda plan: plan.resource in acknowledged)
    lost = plans_of_losses(losses)
    rows = plan_summaries_on(engine, day, settings)
    basis = ReportBasis(
        settings, engine, kind, day, lines, forecasts, plans, acknowledged, lost, rows
    )
    severities = Counter(line.finding.severity for line in lines)
    in_order = severities[Severity.ok] + severities[Severity.suggestion]
    checks = checks_words(in_order, severities[Severity.unknown])
    estate = settings.complete_estate()
    has_sysplexes = bool(estate.sysplexes) or not estate.places
    return Report(
        kind=kind,
        title=TITLES[kind],
        site=settings.site.name,
        day=day,
        lead=(count_words(rows), *incident_lines(rows), checks),
        sections=tuple(
            entry.make(basis)
            for entry in tracked(sections_of(kind), f"{kind} report", "sections")
            if has_sysplexes or not entry.of_sysplexes
        ),
        foot=_foot(basis),
    )


def _forecasts(engine: Store, day: date) -> Forecasts:
    """Return the forecasts of series that have a limit."""
    limited = {(crossing.series_id, crossing.statistic) for crossing in read_crossings(engine, day)}
    forecasts = {
        (forecast.series_id, forecast.statistic): forecast
        for forecast in read_forecasts(engine, day)
    }
    return {key: forecast for key, forecast in forecasts.items() if key in limited}


def _foot(basis: ReportBasis) -> tuple[str, ...]:
    plexes = [f"{root} in {zone}" for root, zone in basis.settings.zones().items()]
    runs = [run for run in read_step_runs(basis.engine, basis.day) if run.step == "size"]
    versions = [f"{key} {value}" for key, value in runs[-1].ran_with] if runs else []
    return (
        (
            "1 MB = 1 MiB = 1,048,576 bytes, as in MQ's own messages. Headroom is the share of the "
            "limit that is left; below zero the limit is passed."
        ),
        f"Days are calendar days: {', '.join(plexes) or 'see the settings'}.",
        f"Made from what was known on {dates.day_words(basis.day)}"
        + (f"; evaluated with {', '.join(versions)}." if versions else "."),
    )
