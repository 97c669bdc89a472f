"""The findings of a day with dates and tickets, most urgent first, as every surface lists them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache, partial
from typing import Any

from pydantic import BaseModel

from mqcap.domain.crossing import Crossing, CrossingState, reach_words
from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.estate import Estate
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.resource import HeatColumn
from mqcap.domain.subject import SERIES_SEPARATOR
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.presentation.fleet import FleetLine
from mqcap.settings import AlertSettings, Settings
from mqcap.settings.due_dates import due_date
from mqcap.store.crossings import crossings_below, read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import findings_below, read_findings
from mqcap.store.models import SeriesName
from mqcap.store.tickets import read_tickets
from sizing.rulebook.registry import all_rules


def fleet_on(settings: Settings, engine: Store, day: date, subject: str = "") -> list[FleetLine]:
    """Return the findings of a day on a subject and below it, or all, most urgent first."""
    if subject:
        findings = findings_below(engine, day, subject)
        crossings = crossings_below(engine, day, subject)
    else:
        findings, crossings = read_findings(engine, day), read_crossings(engine, day)
    tickets = read_tickets(engine, as_of=day)
    return fleet_lines(findings, crossings, tickets, settings.complete_estate(), settings.alerts)


def fleet_lines(
    findings: Iterable[Finding],
    crossings: Iterable[Crossing],
    tickets: Iterable[Ticket],
    estate: Estate,
    alerts: AlertSettings,
) -> list[FleetLine]:
    """Return the findings of a day, most urgent first; ``alerts`` has lead times and freezes."""
    dated = {(item.rule_id, item.subject): item for item in crossings}
    open_tickets = {
        key: item for item in tickets if item.state is TicketState.open for key in item.problem_keys
    }
    owner_of = cache(partial(_owner, estate))
    lines = [
        _line(
            finding,
            dated.get((finding.rule_id, finding.subject)),
            open_tickets.get(finding.key),
            owner_of(*finding.subject.names[:2]),
            alerts,
        )
        for finding in findings
    ]
    return sorted(lines, key=lambda line: line.urgency)


def _owner(estate: Estate, root: str, name: str = "") -> dict[str, Any]:
    manager = estate.queue_manager(root, name)
    known = manager or (estate.distributed(root, unescaped(name)) if name else None)
    own = known.system_class if known else None
    of_subject = own if known else estate.class_of(f"{root}{SERIES_SEPARATOR}{name}")
    return {
        "system_class": own,
        "is_production": of_subject is SystemClass.production,
        "qsg": (manager.qsg or "") if manager else "",
    }


def _line(
    finding: Finding,
    crossing: Crossing | None,
    ticket: Ticket | None,
    owner: dict[str, Any],
    alerts: AlertSettings,
) -> FleetLine:
    sysplex, *names = finding.subject.names
    rule = all_rules().get(finding.rule_id)
    return FleetLine(
        finding=finding,
        crossing=crossing,
        ticket=ticket,
        sysplex=sysplex,
        names=tuple(names),
        resource=rule.column if rule else HeatColumn.other,
        **owner,
        due_date=due_date(finding, crossing, alerts),
    )


class FleetRow(BaseModel, frozen=True):
    """A finding with the dates of its crossing and its ticket."""

    subject: str
    subject_kind: SubjectKind | None
    """``None`` when the store has no series of that subject."""
    sysplex: str
    rule_id: str
    title: str
    summary: str
    severity: Severity
    breach: bool | None
    observed: float | None
    limit_value: float | None
    unit: str
    headroom_ratio: float | None
    series_id: str | None
    statistic: Statistic | None
    crossing_state: CrossingState | None
    """``None`` when the rule lays its limit over no forecast."""
    reach: str
    """Span for which the crossing is stated, such as "a year"; empty without a crossing."""
    earliest_date: date | None = None
    expected_date: date | None = None
    latest_date: date | None = None
    breached_since: date | None = None
    reason: str | None = None
    ticket_ref: str | None = None
    ticket_key: str | None = None

    @classmethod
    def of(cls, line: FleetLine, kind: SubjectKind | None) -> FleetRow:
        """Return the row of a line of the fleet."""
        crossing, ticket = line.crossing, line.ticket
        values = (dict(crossing) if crossing else {}) | dict(line.finding)
        values |= {
            "subject_kind": kind,
            "sysplex": line.sysplex,
            "crossing_state": crossing.state if crossing else None,
            "reach": reach_words(crossing) if crossing else "",
            "ticket_ref": ticket.external_ref if ticket else None,
            "ticket_key": ticket.dedupe_key if ticket else None,
        }
        return cls(**{name: values.get(name) for name in cls.model_fields})


def fleet_rows(lines: Iterable[FleetLine], series: Iterable[SeriesName]) -> list[FleetRow]:
    """Return the rows of lines in their order, each with the kind of its subject."""
    by_series: dict[str, SubjectKind] = {}
    by_subject: dict[str, SubjectKind] = {}
    for name in series:
        by_series[name.series_id] = by_subject[name.subject] = name.subject_kind
    return [
        FleetRow.of(
            line,
            by_series.get(line.finding.series_id or "") or by_subject.get(line.finding.subject),
        )
        for line in lines
    ]
