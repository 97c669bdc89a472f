"""One finding: what the rule says, how long it has been so, its ticket, and what people said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from typing import Final

from mq_capacity_page.pages import answers
from mq_capacity_page.web.context import Site
from mqcap.domain.crossing import Crossing
from mqcap.domain.delivery import Delivery
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemDay, ProblemState
from mqcap.domain.score import RecentAccuracy
from mqcap.domain.ticket import Ticket
from mqcap.presentation.date_changes_since_alert import SinceTold
from mqcap.presentation.fleet import FleetLine
from mqcap.store.annotations import annotations_of
from mqcap.store.findings import latest_site_date
from mqcap.store.models import Annotation
from mqcap.store.outbox import ticket_deliveries
from mqcap.store.problems import acknowledgements_of, read_problem_history
from mqcap.store.scores import recent_accuracy
from mqcap.store.tickets import read_tickets

STATE_WORDS: Final = {
    ProblemState.pending: "seen, nobody told yet",
    ProblemState.new: "told for the first time",
    ProblemState.worsening: "clearly worse, told again",
    ProblemState.lasting: "known and unchanged",
    ProblemState.acknowledged: "acknowledged",
    ProblemState.improving: "improving",
    ProblemState.resolved: "settled",
    ProblemState.reopened: "back again",
}
MARK_WORDS: Final = {
    AcknowledgementKind.acknowledged: "Acknowledged",
    AcknowledgementKind.accepted_until: "Risk accepted",
    AcknowledgementKind.known_project: "Known project",
    AcknowledgementKind.false_alarm: "False alarm",
}
PAST_SPANS: Final = 12


class Span(answers.View):
    """Judged days in a row on which a problem stood the same."""

    first: date
    last: date
    state: ProblemState
    words: str


class TicketEntry(answers.View):
    """One thing that was written into a ticket, or would have been."""

    site_date: date
    words: str
    title: str


class FindingView(answers.View):
    """All that the template prints."""

    line: FleetLine
    key: str
    moved: str
    """What its date was when people were told, and why it moved; empty when it hardly did."""
    record: RecentAccuracy | None
    """How its forecasts did on the last measured days."""
    ticket: Ticket | None
    entries: Sequence[TicketEntry]
    spans: Sequence[Span]
    """The newest first."""
    mark: Acknowledgement | None
    """What holds on the day shown."""
    marks: Sequence[Acknowledgement]
    notes: Sequence[Annotation]
    can_answer: bool
    answer_day: date | None
    """The newest judged day: from it on an answer counts."""


def finding_view(
    site: Site, key: tuple[str, str], day: date, *, can_answer: bool
) -> FindingView | None:
    """One finding on one day; ``None`` when the rule says nothing of the subject."""
    rule, subject = key
    lines = [one for one in answers.fleet_of(site, day, subject) if one.key == key]
    if not lines:
        return None
    name = f"{rule}/{subject}"
    ticket = ticket_of(read_tickets(site.engine, as_of=day), name)
    marks = acknowledgements_of(site.engine, [name], day)
    about = annotations_of(site.engine, subject, day)
    return FindingView(
        line=lines[0],
        key=name,
        moved=_moved(site, lines[0].crossing, day),
        record=_record(site, lines[0].crossing),
        ticket=ticket,
        entries=_entries(site, ticket, day),
        spans=spans_of(read_problem_history(site.engine, name, day)),
        mark=marks[-1] if marks and marks[-1].holds_on(day) else None,
        marks=list(reversed(marks)),
        notes=[one for one in reversed(about) if one.rule_id in {"", rule}],
        can_answer=can_answer,
        answer_day=latest_site_date(site.engine),
    )


def _moved(site: Site, crossing: Crossing | None, day: date) -> str:
    return SinceTold(site.settings, site.engine, day).words(crossing) if crossing else ""


def _record(site: Site, crossing: Crossing | None) -> RecentAccuracy | None:
    if crossing is None:
        return None
    return recent_accuracy(
        site.engine, crossing.series_id, crossing.statistic, crossing.cutoff_date
    )


def ticket_of(tickets: Iterable[Ticket], key: str) -> Ticket | None:
    """The ticket that is about a problem, alone or with others."""
    for one in tickets:
        if key == one.dedupe_key or key in one.members:
            return one
    return None


def spans_of(days: Iterable[ProblemDay]) -> list[Span]:
    """Days of the same state drawn together, the newest first."""
    made = []
    for state, group in groupby(days, key=lambda one: one.state):
        found = list(group)
        first, last = found[0].site_date, found[-1].site_date
        made.append(Span(first=first, last=last, state=state, words=STATE_WORDS[state]))
    return list(reversed(made[-PAST_SPANS:]))


def _entries(site: Site, ticket: Ticket | None, day: date) -> list[TicketEntry]:
    if ticket is None:
        return []
    found = ticket_deliveries(site.engine, ticket.dedupe_key, day)
    return [_entry(one, is_first=number == 0) for number, one in enumerate(found)][::-1]


def _entry(one: Delivery, *, is_first: bool) -> TicketEntry:
    closes = bool((one.payload or {}).get("close"))
    word = "closed" if closes else "opened" if is_first else "updated"
    if one.replay:
        word = f"would have been {word} (replay)"
    elif one.sent_at_utc is None:
        word = f"to be {word}: {one.error or 'not sent yet'}"
    return TicketEntry(site_date=one.site_date, words=word, title=one.subject_line)
