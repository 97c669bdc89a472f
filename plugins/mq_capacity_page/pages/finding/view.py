"""Finding: its arithmetic, its history, its ticket, acknowledgements and notes."""

from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from typing import Final

from mq_capacity_page.web.context import PageContext, View, fleet_lines_on
from mq_capacity_page.web.rendering import link
from mqcap.domain.delivery import Delivery
from mqcap.domain.metric import split_series_id
from mqcap.domain.problem import AcknowledgementKind, ProblemDay, ProblemState
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.resource_problems import open_problems_of_resource, problems_of_ticket
from mqcap.queries.date_changes import MovedSinceAlert
from mqcap.queries.resources import resource_name, resource_path
from mqcap.rulebook.explain import explanation
from mqcap.store.annotations import annotations_of
from mqcap.store.findings import findings_about, latest_site_date
from mqcap.store.outbox import ticket_deliveries
from mqcap.store.plans import find_plan
from mqcap.store.problems import acknowledgements_of, read_problem_history
from mqcap.store.tickets import read_tickets

STATE_WORDS: Final = {
    ProblemState.pending: "detected, not notified yet",
    ProblemState.new: "notified for the first time",
    ProblemState.worsening: "materially worse, notified again",
    ProblemState.lasting: "unchanged",
    ProblemState.acknowledged: "acknowledged",
    ProblemState.improving: "improving",
    ProblemState.resolved: "resolved",
    ProblemState.reopened: "reopened",
}
MAX_STATE_SPANS: Final = 12


def finding_view(
    context: PageContext, key: tuple[str, str], day: date, *, can_edit: bool, scope: str = ""
) -> View | None:
    """Return one finding on one day; ``None`` when the rule has no finding for the subject.

    With ``scope`` ``RESOURCE`` the form offers first to acknowledge all problems of the resource.
    """
    rule, subject = key
    below = fleet_lines_on(context, day, subject)
    line = next((line for line in below if line.key == key), None)
    if line is None:
        return None
    name = f"{rule}/{subject}"
    path = resource_path(name)
    tickets = read_tickets(context.engine, as_of=day)
    ticket = ticket_of(tickets, name)
    sent = ticket_deliveries(context.engine, ticket.dedupe_key, day) if ticket else []
    updates = [ticket_update(update, is_first=update is sent[0]) for update in sent]
    superseding = line.finding.superseded_by
    acknowledgements = acknowledgements_of(context.engine, [name], day)
    written = annotations_of(context.engine, subject, day)
    sections = explanation(context.engine, context.settings, rule, subject, day)
    moves = MovedSinceAlert(context.settings, context.engine, day)
    return View(
        line=line,
        key=name,
        moved=moves.words(line.crossing) if line.crossing else "",
        plan=find_plan(context.engine, path, day),
        of_resource=scope == RESOURCE,
        resource=resource_name(name),
        path=path,
        explanation=[(section.heading, "\n".join(section.lines)) for section in sections],
        resource_problems=sorted({name, *open_problems_of_resource(context.engine, path)}),
        ticket=ticket,
        superseding_ticket=ticket_of(tickets, f"{superseding}/{subject}") if superseding else None,
        updates=updates[::-1],
        spans=state_spans(read_problem_history(context.engine, name, day)),
        acknowledgement=next((last for last in acknowledgements[-1:] if last.holds_on(day)), None),
        acknowledgements=acknowledgements[::-1],
        labels=ACKNOWLEDGEMENT_LABELS,
        notes=[note for note in reversed(written) if note.rule_id in {"", rule}],
        can_edit=can_edit,
        newest_day=latest_site_date(context.engine),
    )


def ticket_of(tickets: Iterable[Ticket], key: str) -> Ticket | None:
    """Return the ticket that is about a problem, alone or with others; an open one first."""
    of_problem = [ticket for ticket in tickets if key == ticket.dedupe_key or key in ticket.members]
    return min(of_problem, key=lambda item: item.state is not TicketState.open, default=None)


def state_spans(days: Iterable[ProblemDay]) -> list[View]:
    """Return consecutive days of the same state as spans, the newest ``MAX_STATE_SPANS`` first."""
    spans = []
    for state, group in groupby(days, key=lambda day: day.state):
        dates = [day.site_date for day in group]
        spans.append(View(first=dates[0], last=dates[-1], words=STATE_WORDS[state]))
    return spans[-MAX_STATE_SPANS:][::-1]


def ticket_update(delivery: Delivery, *, is_first: bool) -> View:
    """Return one delivery to a ticket tracker in words."""
    closes = (delivery.payload or {}).get("close")
    words = verb = "closed" if closes else "opened" if is_first else "updated"
    if delivery.replay:
        words = f"would have been {verb} (replay)"
    elif delivery.sent_at_utc is None:
        words = f"to be {verb}: {delivery.error or 'not sent yet'}"
    return View(site_date=delivery.site_date, words=words, title=delivery.subject_line)


RESOURCE: Final = "resource"
"""Value of the field ``scope`` for all listed problems of the resource."""
LISTED: Final = "listed"
"""The field with the keys of the problems that the form shows, one a line."""
KEYWORDS: Final = {kind: kind.replace("_", " ") for kind in AcknowledgementKind} | {
    AcknowledgementKind.accepted_until: "accepted risk until"
}
"""First words of an acknowledgement, in the page as in a comment of a tracker."""
ACKNOWLEDGEMENT_LABELS: Final = {kind: words.capitalize() for kind, words in KEYWORDS.items()} | {
    AcknowledgementKind.accepted_until: "Risk accepted"
}


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
    tickets = [ticket for ticket in read_tickets(engine) if ticket.dedupe_key == key]
    if tickets and "problem" not in fields:
        if LISTED not in fields:
            return sorted({key for ticket in tickets for key in ticket.problem_keys})
        all_keys = {problem for ticket in tickets for problem in problems_of_ticket(engine, ticket)}
        return sorted(_listed(fields, all_keys))
    rule, subject = split_series_id(key)
    found = [] if day is None else findings_about(context.engine, day, [subject])
    if not any(finding.rule_id == rule for finding in found):
        return []
    if fields.get("scope") != RESOURCE:
        return [key]
    return sorted({key} | _listed(fields, open_problems_of_resource(engine, resource_path(key))))


def _listed(fields: Mapping[str, str], problems: Iterable[str]) -> set[str]:
    """Return the problems that the form showed: what came since is not acknowledged unseen."""
    return set(problems) & set(fields.get(LISTED, "").splitlines())


def return_address(fields: Mapping[str, str]) -> str:
    """Return the page of the form: a series, a finding, else the board; never another site."""
    back = {name: fields.get(f"back_{name}", "") for name in ("rule", "subject", "series", "day")}
    if back["series"]:
        return link("series", series=back["series"], day=back["day"])
    if back["rule"] and back["subject"]:
        return link("finding", rule=back["rule"], subject=back["subject"], day=back["day"])
    return "./"
