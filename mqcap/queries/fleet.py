"""Findings of a day with their dates and tickets, read from the store, most urgent first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from mqcap.domain.finding import Finding
from mqcap.presentation.fleet import Facts, FleetLine, fleet_lines
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_below, read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import findings_below, read_findings
from mqcap.store.models import WindowDay
from mqcap.store.observations import days_of_series
from mqcap.store.tickets import read_tickets


def fleet_on(settings: Settings, engine: Store, day: date, subject: str = "") -> list[FleetLine]:
    """Return the findings of a day, most urgent first; empty when no rules were evaluated.

    With ``subject``, only those on it and below it.
    """
    if subject:
        findings = findings_below(engine, day, subject)
        crossings = crossings_below(engine, day, subject)
    else:
        findings, crossings = read_findings(engine, day), read_crossings(engine, day)
    facts = Facts(findings, crossings, read_tickets(engine, as_of=day))
    return fleet_lines(facts, settings.complete_estate(), settings.alerts)


def with_last_values(engine: Store, day: date, lines: Sequence[FleetLine]) -> list[FleetLine]:
    """Return the lines of a day, each with the value that its series had on it.

    Apart from ``fleet_on``, because a page shows few of the lines of a large site.
    """
    wanted = {line.finding.series_id for line in lines if _shows_its_series(line.finding)}
    days = days_of_series(engine, day, filter(None, wanted))
    return [
        line if value is None else line.model_copy(update={"last_value": value})
        for line in lines
        for value in [_last_value(line.finding, days)]
    ]


def _last_value(finding: Finding, days: Mapping[str, WindowDay]) -> float | None:
    day = days.get(finding.series_id or "") if _shows_its_series(finding) else None
    if day is None or finding.statistic is None or finding.unit != day.unit:
        return None
    return day.value(finding.statistic)


def _shows_its_series(finding: Finding) -> bool:
    """Return whether its figure is that of its series, not one that is computed from it."""
    return finding.series_limit is None and finding.observed_source is not None
