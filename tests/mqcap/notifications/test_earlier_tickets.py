"""Tickets of releases that grouped problems by rule and hour go on, split or close."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.acknowledgements import TicketResponse
from mqcap.notifications.earlier_tickets import own_problems
from mqcap.notifications.ticket_delivery import new_acknowledgements
from mqcap.notifications.tickets.embedded import EmbeddedTracker
from tests.factories import DAY, finding, ticket
from tests.mqcap.notifications.ticket_runs import TicketRuns

FILL: Final = "LOG-FILL-30MIN/PLEX1/CSQ1"
RUNWAY: Final = "LOG-RUNWAY-12H/PLEX1/CSQ1"
OTHER: Final = "LOG-FILL-30MIN/PLEX1/CSQ2"
NEXT: Final = DAY + timedelta(days=1)


def runs_after(*tickets: Ticket, findings: list[Finding]) -> TicketRuns:
    """The next day, after a day on which an earlier release opened these tickets."""
    runs = TicketRuns()
    runs.day(findings)
    runs.rows.clear()
    runs.tickets = {item.dedupe_key: item for item in tickets}
    runs.day([item.model_copy(update={"site_date": NEXT}) for item in findings], NEXT)
    return runs


def earlier(key: str, *members: str, **changed: Any) -> Ticket:
    values = {"members": members or (key,), "external_ref": f"OLD {key}", "due_date": DAY} | changed
    return ticket(dedupe_key=key, **values)


def summary(runs: TicketRuns) -> list[tuple[str, TicketState, tuple[str, ...]]]:
    return [(key, item.state, item.members) for key, item in sorted(runs.tickets.items())]


def test_a_ticket_of_one_resource_goes_on_without_a_comment() -> None:
    runs = runs_after(earlier(FILL), findings=[finding()])
    assert summary(runs) == [(FILL, TicketState.open, (FILL,))]
    assert runs.rows == {}
    assert runs.tickets[FILL].last_seen_date == NEXT


def test_a_ticket_of_several_resources_keeps_the_one_that_it_is_named_after() -> None:
    both = [finding(), finding("PLEX1/CSQ2")]
    runs = runs_after(earlier(FILL, FILL, OTHER), findings=both)
    path = "PLEX1/CSQ2/active_log"
    assert summary(runs) == [
        (FILL, TicketState.open, (FILL,)),
        (path, TicketState.open, (OTHER,)),
    ]
    assert runs.tickets[path].previous_ref == f"OLD {FILL}"
    sent = {
        row.recipient: Ticket.model_validate(row.payload["ticket"])
        for row in runs.rows.values()
        if row.payload
    }
    assert sent[FILL].comment.startswith(
        "From now on this ticket is about PLEX1 CSQ1 active logs alone: there is one ticket per "
        "resource. No longer in it: PLEX1 CSQ2 active logs."
    )
    assert sent[FILL].notified_date == NEXT
    before = dict(runs.tickets)
    later = NEXT + timedelta(days=1)
    runs.rows.clear()
    runs.day([item.model_copy(update={"site_date": later}) for item in both], later)
    assert runs.rows == {}
    assert list(runs.tickets) == list(before)


def test_further_tickets_of_a_resource_are_closed_with_a_reference() -> None:
    problems = [finding(), finding(rule_id="LOG-RUNWAY-12H")]
    first = earlier(RUNWAY, first_seen_date=DAY - timedelta(days=5))
    runs = runs_after(earlier(FILL), first, findings=problems)
    assert runs.tickets[RUNWAY].state is TicketState.open
    assert set(runs.tickets[RUNWAY].members) == {FILL, RUNWAY}
    assert runs.tickets[FILL].state is TicketState.closed
    [closing] = [row for row in runs.rows.values() if row.recipient == FILL]
    assert closing.content == f"Continued in OLD {RUNWAY}: there is one ticket per resource."


def test_a_ticket_that_was_closed_lately_is_reopened_and_a_later_one_is_new() -> None:
    closed = earlier(FILL, state=TicketState.closed, last_seen_date=DAY)
    assert list(runs_after(closed, findings=[finding()]).tickets) == [FILL]
    long_ago = closed.model_copy(update={"last_seen_date": DAY - timedelta(days=1)})
    runs = runs_after(long_ago, findings=[finding()])
    assert [key for key, state, _ in summary(runs) if state is TicketState.open] == [
        "PLEX1/CSQ1/active_log"
    ]


def test_a_ticket_closes_when_its_own_resource_is_in_order() -> None:
    mixed = earlier(FILL, FILL, OTHER)
    runs = TicketRuns()
    runs.day([finding(), finding("PLEX1/CSQ2")])
    runs.tickets = {FILL: mixed}
    for number in range(1, 9):
        day = DAY + timedelta(days=number)
        fine: dict[str, Any] = {"severity": Severity.ok, "breach": False, "headroom_ratio": 0.5}
        runs.day(
            [finding(site_date=day, **fine), finding("PLEX1/CSQ2", site_date=day)],
            day,
        )
    assert {key: item.state for key, item in runs.tickets.items()} == {
        FILL: TicketState.closed,
        "PLEX1/CSQ2/active_log": TicketState.open,
    }


class Answering(EmbeddedTracker):
    """A tracker in which somebody has commented on every ticket."""

    def response(self, ticket: Ticket) -> TicketResponse | None:
        return TicketResponse(kind="false_alarm", note="false alarm", who="kim")


def test_a_comment_on_a_ticket_of_several_resources_counts_for_its_own_alone() -> None:
    mixed = earlier(FILL, FILL, RUNWAY, OTHER, "CHI-80-31BIT/PLEX1/CSQ3/CHINIT")
    assert own_problems(mixed) == (FILL, RUNWAY)
    result = new_acknowledgements(Answering(), [mixed], {}, NEXT, accept_days=400)
    assert [item.key for item in result] == [FILL, RUNWAY]


def test_a_comment_does_not_count_for_a_problem_that_joins_later() -> None:
    [first] = new_acknowledgements(Answering(), [earlier(FILL)], {}, DAY, accept_days=400)
    grown = earlier(FILL, FILL, RUNWAY)
    assert new_acknowledgements(Answering(), [grown], {FILL: first}, NEXT, accept_days=400) == []


def test_a_new_problem_opens_a_ticket_again_that_people_closed() -> None:
    runs = TicketRuns()
    seen: list[tuple[bool, bool]] = []

    class Watching(EmbeddedTracker):
        def open_or_update(self, ticket: Ticket) -> str:
            seen.append((ticket.grown, ticket.reopen))
            return super().open_or_update(ticket)

    runs.tracker = Watching()
    runs.day([finding()])
    next_day: date = NEXT
    both = [finding(site_date=next_day), finding(site_date=next_day, rule_id="LOG-RUNWAY-12H")]
    runs.day(both, next_day)
    assert seen == [(False, False), (True, False)]
