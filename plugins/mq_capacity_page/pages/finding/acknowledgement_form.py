"""Form that acknowledges a problem: its text, its problems, and the page to return to."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.rendering import link
from mqcap.domain.metric import split_series_id
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.resource_problems import (
    open_problems_of_resource,
    problems_of_ticket,
)
from mqcap.queries.resources import resource_path
from mqcap.store.findings import findings_about
from mqcap.store.tickets import read_tickets

RESOURCE: Final = "resource"
"""Value of the field ``scope`` for all listed problems of the resource."""
LISTED: Final = "listed"
"""The field with the keys of the problems that the form shows, one a line."""
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


def acknowledged_keys(
    context: PageContext, fields: Mapping[str, str], day: date | None
) -> list[str]:
    """Return the keys of the problems that a form is about, all of one resource.

    A form about a ticket (``ticket``) is about the problems that it listed, or without a list
    about those in the ticket; one about a finding (``problem``, or ``ticket`` without such a
    ticket) about it alone, unless its ``scope`` is ``resource`` and it listed others. Empty when
    there is no such ticket and no such finding of the day.
    """
    engine, key = context.engine, fields.get("problem") or fields.get("ticket", "")
    tickets = [each for each in read_tickets(engine) if each.dedupe_key == key]
    if tickets and "problem" not in fields:
        if LISTED not in fields:
            return sorted({each for ticket in tickets for each in ticket.problem_keys})
        all_keys = {each for ticket in tickets for each in problems_of_ticket(engine, ticket)}
        return sorted(_listed(fields, all_keys))
    if not _is_finding(context, key, day):
        return []
    if fields.get("scope") != RESOURCE:
        return [key]
    return sorted({key} | _listed(fields, open_problems_of_resource(engine, resource_path(key))))


def _listed(fields: Mapping[str, str], problems: Iterable[str]) -> set[str]:
    """Return the problems that the form showed: what came since is not acknowledged unseen."""
    return set(problems) & set(fields.get(LISTED, "").splitlines())


def _is_finding(context: PageContext, key: str, day: date | None) -> bool:
    rule, subject = split_series_id(key)
    return day is not None and any(
        finding.rule_id == rule for finding in findings_about(context.engine, day, [subject])
    )


def return_address(fields: Mapping[str, str]) -> str:
    """Return the page of the form: a series, a finding, else the board; never another site."""
    back = {name: fields.get(f"back_{name}", "") for name in ("rule", "subject", "series", "day")}
    if back["series"]:
        return link("series", series=back["series"], day=back["day"])
    if back["rule"] and back["subject"]:
        return link("finding", rule=back["rule"], subject=back["subject"], day=back["day"])
    return "./"
