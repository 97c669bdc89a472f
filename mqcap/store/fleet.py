"""The fleet table: every finding of a day with its crossing and open ticket."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Engine

from mqcap.domain.crossing import Crossing, reach_words
from mqcap.domain.finding import Finding
from mqcap.domain.metric import SubjectKind, sysplex_of
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.domain.urgency import urgency
from mqcap.store.crossings import read_crossings
from mqcap.store.findings import read_findings
from mqcap.store.models import FleetRow
from mqcap.store.series import read_series
from mqcap.store.tickets import read_tickets


def fleet(engine: Engine, site_date: date) -> list[FleetRow]:
    """Return one row per rule and subject evaluated on the day, most urgent first.

    An empty list means that no rule was evaluated on that day.
    """
    crossings = {
        (crossing.rule_id, crossing.subject): crossing
        for crossing in read_crossings(engine, site_date)
    }
    tickets = {
        key: ticket
        for ticket in read_tickets(engine, state=TicketState.open, as_of=site_date)
        for key in (ticket.members or (ticket.dedupe_key,))
    }
    series = read_series(engine)
    by_series = {facts.series_id: facts.subject_kind for facts in series}
    by_subject = {facts.subject: facts.subject_kind for facts in series}
    keyed = []
    for finding in read_findings(engine, site_date):
        crossing = crossings.get((finding.rule_id, finding.subject))
        kind = by_series.get(finding.series_id or "") or by_subject.get(finding.subject)
        ticket = tickets.get(f"{finding.rule_id}/{finding.subject}")
        key = urgency(finding.severity, finding.headroom_ratio, crossing, finding.breach)
        row = _row(finding, crossing, kind, ticket)
        keyed.append(((key, row.subject, row.rule_id), row))
    return [row for _, row in sorted(keyed, key=lambda pair: pair[0])]


def _row(
    finding: Finding,
    crossing: Crossing | None,
    kind: SubjectKind | None,
    ticket: Ticket | None,
) -> FleetRow:
    return FleetRow(
        subject=finding.subject,
        subject_kind=kind,
        sysplex=sysplex_of(finding.subject),
        rule_id=finding.rule_id,
        title=finding.title,
        summary=finding.summary,
        severity=finding.severity,
        breach=finding.breach,
        observed=finding.observed,
        limit_value=finding.limit_value,
        unit=finding.unit,
        headroom_ratio=finding.headroom_ratio,
        series_id=finding.series_id,
        statistic=finding.statistic,
        crossing_state=crossing.state if crossing else None,
        earliest_date=crossing.earliest_date if crossing else None,
        expected_date=crossing.expected_date if crossing else None,
        latest_date=crossing.latest_date if crossing else None,
        breached_since=crossing.breached_since if crossing else None,
        reason=crossing.reason if crossing else None,
        reach=reach_words(crossing) if crossing else "",
        ticket_ref=ticket.external_ref if ticket else None,
        ticket_key=ticket.dedupe_key if ticket else None,
    )
