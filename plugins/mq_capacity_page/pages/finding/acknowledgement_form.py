"""Form that acknowledges a problem: its text, its problems, and the page to return to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.rendering import link
from mqcap.domain.problem import AcknowledgementKind
from mqcap.store.findings import read_findings
from mqcap.store.tickets import read_tickets

KEYWORDS: Final = {
    AcknowledgementKind.acknowledged: "acknowledged",
    AcknowledgementKind.accepted_until: "accepted risk until",
    AcknowledgementKind.known_project: "known project",
    AcknowledgementKind.false_alarm: "false alarm",
}
"""First words of an acknowledgement, in the page as in a comment of a tracker."""


def acknowledgement_text(fields: Mapping[str, str]) -> str:
    """Return the acknowledgement as text, be it typed (``words``) or chosen (``kind``).

    Empty for an unknown kind.
    """
    kind = fields.get("kind")
    if kind is None:
        return fields.get("words", "")
    if kind not in set(AcknowledgementKind):
        return ""
    until = fields.get("until", "") if kind == AcknowledgementKind.accepted_until else ""
    parts = (KEYWORDS[AcknowledgementKind(kind)], until, " ".join(fields.get("reason", "").split()))
    return " ".join(part for part in parts if part)


def acknowledged_keys(context: PageContext, key: str, day: date | None) -> list[str]:
    """Return the keys of the problems that are meant: all of a ticket, else the named finding.

    Empty when ``key`` is neither a ticket nor a finding of the day.
    """
    tickets = [ticket for ticket in read_tickets(context.engine) if ticket.dedupe_key == key]
    if tickets:
        return sorted({member for ticket in tickets for member in (ticket.members or (key,))})
    rule, _, subject = key.partition("/")
    exists = day is not None and any(
        (finding.rule_id, finding.subject) == (rule, subject)
        for finding in read_findings(context.engine, day)
    )
    return [key] if exists else []


def return_address(fields: Mapping[str, str]) -> str:
    """Return the page of the form: a series, a finding, else the tickets; never another site."""
    back = {name: fields.get(f"back_{name}", "") for name in ("rule", "subject", "series", "day")}
    if back["series"]:
        return link("series", series=back["series"], day=back["day"])
    if back["rule"] and back["subject"]:
        return link("finding", rule=back["rule"], subject=back["subject"], day=back["day"])
    return "tickets"
