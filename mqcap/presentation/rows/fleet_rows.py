"""Findings as programs read them: the same objects from the command line and the REST API."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pydantic import BaseModel

from mqcap.domain.crossing import CrossingState, reach_words
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.presentation.fleet import FleetLine
from mqcap.store.models import SeriesName


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
