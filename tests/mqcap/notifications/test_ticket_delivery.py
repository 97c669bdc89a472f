"""Delivery of tickets: one ticket per resource, opened, updated, closed and reopened."""

from datetime import date, timedelta

import pytest

from mqcap.domain.errors import ServiceUnavailable
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.acknowledgements import TicketResponse
from mqcap.notifications.digest import Digest
from mqcap.notifications.ticket_delivery import is_material, new_acknowledgements, replayed_tickets
from mqcap.notifications.tickets.embedded import EmbeddedTracker
from mqcap.notifications.tickets.registry import backend
from mqcap.settings import AlertSettings
from tests.factories import DAY, crossing, finding, ticket
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import (
    NO_SITE,
    cf_finding,
    digest,
    digest_of,
    log_plan,
    problem_days_of,
)
from tests.mqcap.notifications.ticket_runs import TicketRuns

KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"
PATH = "PLEX1/CSQ1/active_log"


class Answering(EmbeddedTracker):
    """A tracker in which somebody has commented on every ticket."""

    def response(self, ticket: Ticket) -> TicketResponse | None:
        return TicketResponse(kind="false_alarm", note="false alarm", who="kim")


def acknowledged(
    known: dict[str, Acknowledgement], day: date, *members: str, since: date = DAY
) -> dict[str, Acknowledgement]:
    """New acknowledgements by problem, of the ticket of these problems."""
    commented = ticket(dedupe_key=PATH, members=members, first_seen_date=since)
    marks = new_acknowledgements(Answering(), [commented], known, day, accept_days=400)
    return {mark.key: mark for mark in marks}


def test_a_response_acknowledges_every_problem_of_the_ticket_once_and_none_that_joins_later() -> (
    None
):
    other, third = "LOG-RUNWAY-12H/PLEX1/CSQ1", "LOG-DAY-ACTIVE/PLEX1/CSQ1"
    known = acknowledged({}, DAY, KEY, other)
    assert {key: mark.noted_date for key, mark in known.items()} == {KEY: DAY, other: DAY}
    assert acknowledged(known, DAY + days(1), KEY, other) == {}
    assert acknowledged(known, DAY + days(1), KEY, other, third) == {}


def test_the_same_response_in_a_new_ticket_is_a_new_acknowledgement() -> None:
    later = DAY + days(90)
    again = acknowledged(acknowledged({}, DAY, KEY), later, KEY, since=later)
    assert again[KEY].noted_date == later


def said_of(runs: TicketRuns) -> list[str]:
    """Subject lines of what went to the tracker, in order."""
    return [row.subject_line for row in sorted(runs.rows.values(), key=lambda row: row.site_date)]


def on(day: date, severity: Severity = Severity.act) -> list[Finding]:
    ok, room = (True, 0.5) if severity is Severity.ok else (False, -1)
    return [finding(site_date=day, severity=severity, breach=not ok, headroom_ratio=room)]


def days(count: int) -> timedelta:
    return timedelta(days=count)


OPENED = "CSQ1 active logs: One log fills too fast; CYL(3073) now"


def test_a_problem_that_lasts_has_one_ticket_and_one_notification() -> None:
    runs = TicketRuns()
    for count in range(90):
        runs.day(on(DAY + days(count)), DAY + days(count))
    [only] = runs.tickets.values()
    assert said_of(runs) == [OPENED]
    assert (only.first_seen_date, only.last_seen_date) == (DAY, DAY + days(89))
    assert only.members == (KEY,)


def test_a_rerun_changes_nothing_and_one_of_an_older_day_no_newer_ticket() -> None:
    runs = TicketRuns()
    notice = digest(builders.results(on(DAY)))
    runs.run(notice)
    before = dict(runs.tickets)
    assert runs.run(notice).outcomes == {}
    assert runs.tickets == before
    runs.day(on(DAY + days(5)), DAY + days(5))
    before = dict(runs.tickets)
    runs.run(digest(builders.results(on(DAY + days(2)), day=DAY + days(2))))
    assert runs.tickets == before


def test_a_ticket_closes_after_clean_days_is_reopened_soon_and_new_much_later() -> None:
    runs = TicketRuns()
    course = dict.fromkeys((0, 20, 80), Severity.act)
    references: list[tuple[TicketState, str]] = []
    for count in range(81):
        runs.day(on(DAY + days(count), course.get(count, Severity.ok)), DAY + days(count))
        state, reference = runs.tickets[PATH].state, runs.tickets[PATH].external_ref
        if not references or references[-1] != (state, reference):
            references.append((state, reference))
    first, last = references[0][1], references[-1][1]
    opened, closed = TicketState.open, TicketState.closed
    assert references == [
        (opened, first), (closed, first), (opened, first), (closed, first), (opened, last),
    ]  # fmt: skip
    assert first != last
    assert runs.tickets[PATH].previous_ref == first
    assert said_of(runs) == [OPENED, f"Close {OPENED}"] * 2 + [OPENED]


def test_a_tracker_that_fails_holds_up_nothing_else_and_gives_the_reason() -> None:
    class Failing(EmbeddedTracker):
        def open_or_update(self, ticket: Ticket) -> str:
            if ticket.dedupe_key != PATH:
                raise ServiceUnavailable("tracker down")
            return "T-1"

    runs = TicketRuns()
    runs.tracker = Failing()
    both = [finding(headroom_ratio=-3.0), finding("PLEX1/CSQ2")]
    outcome = runs.day(both)
    assert isinstance(outcome.failure, ServiceUnavailable)
    assert runs.tickets[PATH].external_ref == "T-1"
    runs.tracker = backend("embedded")
    assert runs.run(digest(builders.results(both))).failure is None
    assert len(runs.tickets) == 2


def test_a_due_date_two_weeks_earlier_is_delivered_even_without_other_changes() -> None:
    def on_day(number: int, earliest: int) -> Digest:
        soon = cf_finding(site_date=DAY + days(number), severity=Severity.act)
        due = crossing(soon, earliest_date=DAY + days(earliest), probability_30_days=0.6)
        today = builders.results([soon], [due], day=DAY + days(number))
        runs.problems = problem_days_of(today, runs.problems, NO_SITE, judged_before=0)
        return digest_of(today, runs.problems)

    runs = TicketRuns()
    for number, earliest in enumerate([50, 45, 36, 50, 36, 30]):
        runs.run(on_day(number, earliest))
    assert [row.site_date for row in runs.rows.values()] == [DAY, DAY + days(2)]


@pytest.mark.parametrize(
    ("now", "material"),
    [
        ({}, False),
        ({"body": "other figures"}, False),
        ({"severity": Severity.watch}, True),
        ({"due_date": None}, True),
        ({"due_date": DAY + days(13)}, False),
        ({"due_date": DAY - days(14)}, True),
    ],
)
def test_only_a_grade_or_a_date_is_worth_a_comment(now: dict[str, object], material: bool) -> None:
    assert is_material(ticket(due_date=DAY), ticket(**({"due_date": DAY} | now))) is material
    assert not is_material(ticket(), ticket())


def test_with_a_plan_only_a_material_change_is_a_comment() -> None:
    runs = TicketRuns()
    changed_on = {0: None, 1: None, 2: None, 3: DAY + days(3), 4: DAY + days(3)}
    for count, changed in changed_on.items():
        day = DAY + days(count)
        worse = finding(site_date=day, headroom_ratio=-1.0 - count)
        plans = [log_plan(site_date=day, changed_on=changed, due_date=day + days(14))]
        runs.day([worse], day, plans)
    assert [row.site_date for row in runs.rows.values()] == [DAY, DAY + days(3)]
    [changed_ticket] = runs.tickets.values()
    assert changed_ticket.due_date == DAY + days(3 + 14)


def test_a_further_problem_of_the_resource_is_a_comment_without_a_change_of_the_plan() -> None:
    runs = TicketRuns()
    for count, rules in enumerate([("LOG-FILL-30MIN",), ("LOG-FILL-30MIN", "LOG-RUNWAY-12H")]):
        day = DAY + days(count)
        result = [finding(site_date=day, rule_id=rule) for rule in rules]
        runs.day(result, day, [log_plan(site_date=day)])
    assert [row.site_date for row in runs.rows.values()] == [DAY, DAY + days(1)]


def test_a_replay_delivers_what_the_day_would_have() -> None:
    for changed, count in ((None, 0), (DAY, 1)):
        plans = [log_plan(changed_on=changed)]
        today = builders.results(on(DAY), plans=plans)
        before = builders.results(on(DAY - days(1)), day=DAY - days(1))
        assert len(replayed_tickets(digest(today, before), AlertSettings())) == count


def test_a_new_problem_opens_a_ticket_again_that_people_closed() -> None:
    runs = TicketRuns()
    seen: list[tuple[bool, bool]] = []

    class Watching(EmbeddedTracker):
        def open_or_update(self, ticket: Ticket) -> str:
            seen.append((ticket.grown, ticket.reopen))
            return super().open_or_update(ticket)

    runs.tracker = Watching()
    runs.day([finding()])
    later = DAY + timedelta(days=1)
    both = [finding(site_date=later), finding(site_date=later, rule_id="LOG-RUNWAY-12H")]
    runs.day(both, later)
    assert seen == [(False, False), (True, False)]
