"""One problem, one ticket: opened, updated, closed and opened again."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from alerting.digest import Digest, digest
from alerting.ticketing import (
    CLOSE_AFTER_DAYS,
    Synced,
    TicketMemory,
    body,
    is_material,
    sync,
    ticket_of,
    tickets_to_close,
)
from alerting.tickets.registry import backend
from domain.errors import ServiceUnavailable
from domain.finding import Severity
from domain.ticket import Ticket, TicketState
from tests.alerting import builders
from tests.alerting.builders import DAY, breached, cf_finding, crossing, finding, problem, ticket

KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"


class Desk:
    """A tracker's memory, and the runs of several days over it."""

    def __init__(self) -> None:
        self.tickets: dict[str, Ticket] = {}
        self.tracker = backend("embedded")

    def run(self, said: Digest) -> Synced:
        memory = TicketMemory(load=self.tickets.get, save=self._save)
        still_open = [one for one in self.tickets.values() if one.state is TicketState.open]
        return sync(said, "http://page", self.tracker, memory, still_open)

    def _save(self, one: Ticket) -> None:
        self.tickets[one.dedupe_key] = one


def on(day: date, severity: Severity = Severity.act) -> Digest:
    ok = severity is Severity.ok
    of = finding(site_date=day, severity=severity, breach=not ok, headroom_ratio=0.5 if ok else -1)
    return digest(builders.results([of], day=day))


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_a_problem_that_lasts_has_one_ticket() -> None:
    desk = Desk()
    outcomes = [desk.run(on(DAY + days(count))) for count in range(90)]
    [only] = desk.tickets.values()
    assert sum(one.opened for one in outcomes) == 1
    assert (only.first_seen_date, only.last_seen_date) == (DAY, DAY + days(89))
    assert outcomes[-1].references == {KEY: only.external_ref}


def test_a_problem_that_comes_and_goes_has_one_ticket() -> None:
    desk = Desk()
    outcomes = [
        desk.run(on(DAY + days(count), Severity.act if count % 3 else Severity.ok))
        for count in range(90)
    ]
    assert sum(one.opened for one in outcomes) == 1
    assert sum(one.closed for one in outcomes) == 0


def test_a_rerun_changes_nothing() -> None:
    desk = Desk()
    desk.run(on(DAY))
    before = dict(desk.tickets)
    assert desk.run(on(DAY)).opened == 0
    assert desk.tickets == before


def test_a_rerun_of_an_older_day_does_not_turn_a_ticket_back() -> None:
    desk = Desk()
    desk.run(on(DAY))
    desk.run(on(DAY + days(5)))
    before = dict(desk.tickets)
    assert desk.run(on(DAY + days(2))).references[KEY] == before[KEY].external_ref
    assert desk.tickets == before


def test_a_ticket_closes_after_days_in_order_and_a_later_problem_opens_it_again() -> None:
    desk = Desk()
    desk.run(on(DAY))
    for count in range(1, CLOSE_AFTER_DAYS):
        assert desk.run(on(DAY + days(count), Severity.ok)).closed == 0
    assert desk.run(on(DAY + days(CLOSE_AFTER_DAYS), Severity.ok)).closed == 1
    assert desk.tickets[KEY].state is TicketState.closed
    later = DAY + days(60)
    assert desk.run(on(later)).opened == 1
    assert desk.tickets[KEY].state is TicketState.open
    assert desk.tickets[KEY].first_seen_date == later


def test_data_that_stopped_closes_no_ticket() -> None:
    far = DAY + days(60)
    lost = finding(site_date=far, severity=Severity.unknown, breach=None, headroom_ratio=None)
    for said in (digest(builders.results([lost], day=far)), digest(builders.results([], day=far))):
        assert tickets_to_close(said, [ticket()]) == []


def test_a_problem_that_is_only_watched_keeps_its_ticket() -> None:
    said = on(DAY + days(60), Severity.watch)
    assert tickets_to_close(said, [ticket()]) == []


def test_a_tracker_that_fails_ends_the_work_and_says_why() -> None:
    class Failing:
        name = "failing"

        def open_or_update(self, ticket: Ticket) -> str:
            if ticket.dedupe_key != KEY:
                raise ServiceUnavailable("tracker down")
            return "T-1"

        def close(self, ticket: Ticket) -> None:
            raise ServiceUnavailable(ticket.title)

    desk = Desk()
    desk.tracker = Failing()
    both = [finding(headroom_ratio=-3.0), finding("PLEX1/CSQ2")]
    outcome = desk.run(digest(builders.results(both)))
    assert isinstance(outcome.failure, ServiceUnavailable)
    assert outcome.references == {KEY: "T-1"}
    desk.tracker = backend("embedded")
    assert desk.run(digest(builders.results(both))).failure is None
    assert len(desk.tickets) == 2


def test_a_ticket_says_everything_needed_to_act() -> None:
    over = finding()
    made = ticket_of([problem(over, breached(over))], "http://page")
    assert made.dedupe_key == KEY
    assert made.due_date is None
    for words in (
        over.summary,
        "1.2 MiB/s on 2026-03-02",
        "Limit: 0.556 MiB/s",
        "over the limit since 2026-01-30",
        "LOG-FILL-30MIN, MP16",
        "1,000 MiB / 1,800 s",
        "Type: CYL(3073)",
        "Log compression is not considered.",
        "http://page",
    ):
        assert words in made.body


def test_a_ticket_of_a_crossing_is_due_on_its_expected_day() -> None:
    soon = cf_finding(severity=Severity.act)
    made = ticket_of([problem(soon, crossing(soon))])
    assert made.due_date == DAY + days(58)
    assert "expected 2026-04-29, earliest 2026-04-02, latest 2026-06-29" in made.body
    open_ended = problem(soon, crossing(soon, expected_date=None, latest_date=None))
    assert ticket_of([open_ended]).due_date == DAY + days(31)
    assert "not expected within the horizon" in body(open_ended)


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
