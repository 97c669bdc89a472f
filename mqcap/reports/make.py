"""Make a report of one day from the store. Nothing depends on when or where it is made."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.presentation import dates, labels
from mqcap.presentation.fleet import counts, fleet_on
from mqcap.reports.document import Report, ReportKind
from mqcap.reports.registry import ReportBasis, sections_of
from mqcap.reports.tables import Forecasts
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts
from mqcap.store.step_runs import read_step_runs

TITLES: Final = {
    ReportKind.daily: "Daily sheet",
    ReportKind.weekly: "Weekly report",
    ReportKind.monthly: "Monthly capacity plan",
}


def make_report(settings: Settings, engine: Store, kind: ReportKind, day: date) -> Report:
    """The report of one kind about one judged day.

    Raises:
        ConfigurationError: nothing was judged on that day.
    """
    lines = fleet_on(settings, engine, day)
    if not lines:
        raise ConfigurationError(
            f"no report of {day}: nothing was judged on that day",
            remedy="Run the daily DAG for this day first, or name another day.",
        )
    labels.use_metric_labels(Path(settings.lake))
    forecasts = {} if kind is ReportKind.daily else _forecasts(engine, day)
    basis = ReportBasis(settings, engine, kind, day, lines, forecasts)
    return Report(
        kind=kind,
        title=TITLES[kind],
        site=settings.site.name,
        day=day,
        lead=_lead(basis),
        sections=tuple(entry.make(basis) for entry in sections_of(kind)),
        foot=_foot(basis),
    )


def _lead(basis: ReportBasis) -> tuple[str, ...]:
    levels = counts(basis.lines)
    parts = [f"{levels[one]} {labels.SEVERITY_LABELS[one]}" for one in levels]
    sentences = [f"{len(basis.lines)} findings: {', '.join(parts)}."]
    first = basis.urgent_lines[:1]
    sentences += [f"Most urgent: {line.finding.summary}" for line in first]
    return tuple(sentences)


def _forecasts(engine: Store, day: date) -> Forecasts:
    """By series and statistic: the forecasts over which limits are laid."""
    wanted = {(one.series_id, one.statistic) for one in read_crossings(engine, day)}
    made = {(one.series_id, one.statistic): one for one in read_forecasts(engine, day)}
    return {key: one for key, one in made.items() if key in wanted}


def _foot(basis: ReportBasis) -> tuple[str, ...]:
    plexes = [f"{plex.sysplex} in {plex.timezone}" for plex in basis.settings.estate]
    runs = [one for one in read_step_runs(basis.engine, basis.day) if one.step == "size"]
    said = [f"{key} {value}" for key, value in sorted(runs[-1].versions.items())] if runs else []
    return (
        (
            "1 MB = 1 MiB = 1,048,576 bytes, as in MQ's own messages. Headroom is the share of the "
            "limit that is left; below zero the limit is passed."
        ),
        f"Days are calendar days of each sysplex: {', '.join(plexes) or 'see the settings'}.",
        f"Made from what was known on {dates.day_words(basis.day)}"
        + (f"; judged with {', '.join(said)}." if said else "."),
    )
