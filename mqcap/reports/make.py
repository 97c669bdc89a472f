"""Make a report of one day from the store. Nothing depends on when or where it is made."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.presentation import dates, labels
from mqcap.presentation.fleet import counts, fleet_on
from mqcap.presentation.heat_table import heat_table
from mqcap.reports import sections, tables
from mqcap.reports.document import Report, ReportKind, Section
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import previous_findings_date
from mqcap.store.forecasts import read_forecasts
from mqcap.store.step_runs import read_step_runs

TITLES: Final = {
    ReportKind.daily: "Daily sheet",
    ReportKind.weekly: "Weekly report",
    ReportKind.monthly: "Monthly capacity plan",
}
WEEK: Final = timedelta(days=7)


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
    made = sections.Made(settings, engine, day, lines, forecasts)
    return Report(
        kind=kind,
        title=TITLES[kind],
        site=settings.site.name,
        day=day,
        lead=_lead(made),
        sections=_SECTIONS[kind](made),
        foot=_foot(made),
    )


def _daily(made: sections.Made) -> tuple[Section, ...]:
    before = previous_findings_date(made.engine, made.day)
    return (
        _urgent(made),
        sections.changed(made, before),
        Section(heading="The fleet", tables=(tables.fleet_table(heat_table(made.lines)),)),
        sections.data(made),
    )


def _weekly(made: sections.Made) -> tuple[Section, ...]:
    before = sections.judged_before(made, made.day - WEEK)
    return (
        _urgent(made),
        sections.changed(made, before),
        sections.plan(made, ReportKind.weekly),
        Section(heading="The fleet", tables=(tables.fleet_table(heat_table(made.lines)),)),
        sections.record(made),
        sections.data(made),
    )


def _monthly(made: sections.Made) -> tuple[Section, ...]:
    return (
        sections.plan(made, ReportKind.monthly),
        Section(
            heading="Changes to request",
            sentences=(
                "What is due at once first, then by the last day on which each is in time.",
            ),
            tables=(tables.changes_table(sections.urgent(made)),),
        ),
        sections.assumptions(made),
        Section(heading="The fleet", tables=(tables.fleet_table(heat_table(made.lines)),)),
        sections.record(made),
        sections.data(made),
    )


_SECTIONS: Final = {
    ReportKind.daily: _daily,
    ReportKind.weekly: _weekly,
    ReportKind.monthly: _monthly,
}


def _urgent(made: sections.Made) -> Section:
    found = tables.findings_table(sections.urgent(made))
    return Section(heading="To act on and to watch", tables=(found,))


def _lead(made: sections.Made) -> tuple[str, ...]:
    levels = counts(made.lines)
    parts = [f"{levels[one]} {labels.SEVERITY_LABELS[one]}" for one in levels]
    sentences = [f"{len(made.lines)} findings: {', '.join(parts)}."]
    first = sections.urgent(made)[:1]
    sentences += [f"Most urgent: {line.finding.summary}" for line in first]
    return tuple(sentences)


def _forecasts(engine: Store, day: date) -> dict[tuple[str, Statistic], Forecast]:
    """By series and statistic: the forecasts over which limits are laid."""
    wanted = {(one.series_id, one.statistic) for one in read_crossings(engine, day)}
    made = {(one.series_id, one.statistic): one for one in read_forecasts(engine, day)}
    return {key: one for key, one in made.items() if key in wanted}


def _foot(made: sections.Made) -> tuple[str, ...]:
    plexes = [f"{plex.sysplex} in {plex.timezone}" for plex in made.settings.estate]
    runs = [one for one in read_step_runs(made.engine, made.day) if one.step == "size"]
    said = [f"{key} {value}" for key, value in sorted(runs[-1].versions.items())] if runs else []
    return (
        (
            "1 MB = 1 MiB = 1,048,576 bytes, as in MQ's own messages. Headroom is the share of the "
            "limit that is left; below zero the limit is passed."
        ),
        f"Days are calendar days of each sysplex: {', '.join(plexes) or 'see the settings'}.",
        f"Made from what was known on {dates.day_words(made.day)}"
        + (f"; judged with {', '.join(said)}." if said else "."),
    )
