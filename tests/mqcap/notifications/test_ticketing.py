"""One problem, one ticket: opened, updated, closed and opened again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from pydantic import ValidationError

from mqcap.domain.crossing import CrossingState
from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ServiceUnavailable
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.problem import ProblemDay
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.acknowledgements import TicketResponse
from mqcap.notifications.digest import NO_SITE, Digest, digest, digest_of, problem_days_of
from mqcap.notifications.due_dates import due_date_of
from mqcap.notifications.outbox import DrainResult, OutboxRepository, drain, enqueue
from mqcap.notifications.ticket_delivery import (
    CLOSE_AFTER_DAYS,
    TicketHandler,
    TicketRepository,
    is_material,
    plan_tickets,
    tickets_to_close,
)
from mqcap.notifications.ticket_text import ticket_of
from mqcap.notifications.tickets.registry import backend
from mqcap.settings import AlertSettings, ChangeFreeze
from tests.factories import DAY, crossing, finding, ticket
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import breached, cf_finding, problem

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"


class Desk:
    """A tracker's memory, an outbox, and the runs of several days over them."""

    def __init__(self) -> None:
        self.tickets: dict[str, Ticket] = {}
        self.rows: dict[str, Delivery] = {}
        self.problem_days: list[ProblemDay] = []
        self.tracker = backend("embedded")

    def day(self, found: list[Finding], day: date = DAY) -> DrainResult:
        today = builders.results(found, day=day)
        self.problem_days = problem_days_of(today, self.problem_days, NO_SITE, judged_before=0)
        return self.run(digest_of(today, self.problem_days))

    def run(self, said: Digest) -> DrainResult:
        memory = TicketRepository(load=self.tickets.get, save=self._save)
        still_open = [one for one in self.tickets.values() if one.state is TicketState.open]
        journal = OutboxRepository(load=self.rows.get, save=self._write, waiting=self._waiting)
        for planned in plan_tickets(said, AlertSettings(), memory, still_open):
            enqueue(planned, journal)
        return drain(journal, {Channel.ticket: TicketHandler(self.tracker, memory)}, lambda: NOON)

    def _save(self, one: Ticket) -> None:
        self.tickets[one.dedupe_key] = one

    def _write(self, one: Delivery) -> None:
        self.rows[one.delivery_id] = one

    def _waiting(self) -> list[Delivery]:
        return [row for row in self.rows.values() if row.stage in {Stage.pending, Stage.posting}]


def said_of(desk: Desk) -> list[str]:
    """Subject lines of what went to the tracker, in order."""
    return [row.subject_line for row in sorted(desk.rows.values(), key=lambda row: row.site_date)]


def on(day: date, severity: Severity = Severity.act) -> list[Finding]:
    ok = severity is Severity.ok
    return [
        finding(site_date=day, severity=severity, breach=not ok, headroom_ratio=0.5 if ok else -1)
    ]


def days(count: int) -> timedelta:
    return timedelta(days=count)


OPENED = "PLEX1/CSQ1: Log growth that fills one log in 30 minutes"


def test_a_problem_that_lasts_has_one_ticket_and_is_told_once() -> None:
    desk = Desk()
    for count in range(90):
        desk.day(on(DAY + days(count)), DAY + days(count))
    [only] = desk.tickets.values()
    assert said_of(desk) == [OPENED]
    assert (only.first_seen_date, only.last_seen_date) == (DAY, DAY + days(89))
    assert only.members == (KEY,)


def test_a_problem_that_comes_and_goes_has_one_ticket() -> None:
    desk = Desk()
    for count in range(90):
        severity = Severity.act if count % 3 else Severity.ok
        desk.day(on(DAY + days(count), severity), DAY + days(count))
    assert said_of(desk) == [OPENED]


def test_a_rerun_changes_nothing() -> None:
    desk = Desk()
    said = digest(builders.results(on(DAY)))
    desk.run(said)
    before = dict(desk.tickets)
    assert desk.run(said).outcomes == {}
    assert desk.tickets == before


def test_a_rerun_of_an_older_day_does_not_turn_a_ticket_back() -> None:
    desk = Desk()
    desk.day(on(DAY))
    desk.day(on(DAY + days(5)), DAY + days(5))
    before = dict(desk.tickets)
    desk.run(digest(builders.results(on(DAY + days(2)), day=DAY + days(2))))
    assert desk.tickets == before


def test_a_ticket_closes_after_clean_days_is_reopened_soon_and_new_much_later() -> None:
    desk = Desk()
    course = {0: Severity.act, 20: Severity.act, 80: Severity.act}
    references: list[tuple[TicketState, str]] = []
    for count in range(81):
        desk.day(on(DAY + days(count), course.get(count, Severity.ok)), DAY + days(count))
        state, reference = desk.tickets[KEY].state, desk.tickets[KEY].external_ref
        if not references or references[-1] != (state, reference):
            references.append((state, reference))
    first, last = references[0][1], references[-1][1]
    opened, closed = TicketState.open, TicketState.closed
    assert references == [
        (opened, first), (closed, first), (opened, first), (closed, first), (opened, last),
    ]  # fmt: skip
    assert first != last
    assert desk.tickets[KEY].previous_ref == first
    assert said_of(desk) == [OPENED, f"Close {OPENED}"] * 2 + [OPENED]


def test_data_that_stopped_closes_no_ticket() -> None:
    desk = Desk()
    desk.day(on(DAY))
    for count in range(1, 60):
        far = DAY + days(count)
        lost = finding(site_date=far, severity=Severity.unknown, breach=None, headroom_ratio=None)
        desk.day([lost] if count % 2 else [], far)
    assert desk.tickets[KEY].state is TicketState.open


def test_a_ticket_of_an_older_version_closes_by_its_last_day() -> None:
    said = digest(builders.results(on(DAY, Severity.ok)))
    old = ticket(last_seen_date=DAY - days(CLOSE_AFTER_DAYS))
    assert tickets_to_close(said, [old, ticket(last_seen_date=DAY - days(6))]) == [old]


def test_a_tracker_that_fails_holds_up_nothing_else_and_says_why() -> None:
    class Failing:
        name = "failing"

        def open_or_update(self, ticket: Ticket) -> str:
            if ticket.dedupe_key != KEY:
                raise ServiceUnavailable("tracker down")
            return "T-1"

        def close(self, ticket: Ticket) -> None:
            raise ServiceUnavailable(ticket.title)

        def response(self, ticket: Ticket) -> TicketResponse | None:
            return None

    desk = Desk()
    desk.tracker = Failing()
    both = [finding(headroom_ratio=-3.0), finding("PLEX1/CSQ2")]
    outcome = desk.day(both)
    assert isinstance(outcome.failure, ServiceUnavailable)
    assert desk.tickets[KEY].external_ref == "T-1"
    desk.tracker = backend("embedded")
    assert desk.run(digest(builders.results(both))).failure is None
    assert len(desk.tickets) == 2


def test_a_ticket_says_everything_needed_to_act() -> None:
    over = finding()
    made = ticket_of([problem(over, breached(over))], "http://page")
    assert made.dedupe_key == KEY
    assert made.due_date == DAY
    for words in (
        over.summary,
        "Observed: log growth 1.2 MiB/s, peak of 2026-02-27",
        "Limit: 0.556 MiB/s",
        "over the limit since 2026-01-30",
        "Kind: measured, new",
        "7 consecutive complete days in order",
        "LOG-FILL-30MIN, MP16",
        "1,000 MiB / 1,800 s",
        "Type: CYL(3073)",
        "Log compression is not considered.",
        "http://page/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1&day=2026-03-02",
        "http://page/explain?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-03-02",
    ):
        assert words in made.body


def test_a_ticket_says_in_which_hour_the_peak_was_and_who_makes_the_change() -> None:
    over = problem(finding(), breached(finding()))
    hour = datetime(2026, 2, 27, 14, tzinfo=UTC)
    measured = over.model_copy(
        update={"status": over.status.model_copy(update={"peak_hour_utc": hour})}
    )
    owners = {"PLEX1": "Sysplex team", "PLEX1/CSQ1": "Payments"}
    text = ticket_of([measured], alerts=AlertSettings(owners=owners)).body
    assert "peak of 2026-02-27, in the hour from 2026-02-27 14:00 UTC" in text
    assert "Owner: Payments" in text
    facility = ticket_of([problem(cf_finding())], alerts=AlertSettings(owners=owners)).body
    assert "Owner: Sysplex team" in facility
    assert "Owner" not in ticket_of([measured]).body


def test_a_change_that_must_be_made_two_weeks_earlier_is_told_even_without_other_news() -> None:
    def on_day(number: int, earliest: int) -> Digest:
        soon = cf_finding(site_date=DAY + days(number), severity=Severity.act)
        due = crossing(soon, earliest_date=DAY + days(earliest), probability_30_days=0.6)
        today = builders.results([soon], [due], day=DAY + days(number))
        desk.problem_days = problem_days_of(today, desk.problem_days, NO_SITE, judged_before=0)
        return digest_of(today, desk.problem_days)

    desk = Desk()
    for number, earliest in enumerate([50, 45, 36, 50, 36, 30]):
        desk.run(on_day(number, earliest))
    assert [row.site_date for row in desk.rows.values()] == [DAY, DAY + days(2)]


def test_a_ticket_is_due_its_lead_time_before_the_earliest_crossing() -> None:
    soon = cf_finding(severity=Severity.act)
    made = ticket_of([problem(soon, crossing(soon))])
    assert made.due_date == DAY + days(31 - 14)
    assert "expected 2026-04-29, earliest 2026-04-02, latest 2026-06-29" in made.body
    assert (
        "Change by: 2026-03-19 (earliest crossing 2026-04-02 less 14 days of lead time)"
        in made.body
    )
    assert "Probability: 10% within 30 days" in made.body


def test_a_change_is_due_before_a_freeze_and_a_due_date_is_never_past() -> None:
    soon = problem(cf_finding(), crossing(cf_finding()))
    freezes = (
        ChangeFreeze(first=DAY + days(15), last=DAY + days(40), name="quarter-end"),
        ChangeFreeze(first=DAY + days(10), last=DAY + days(14)),
    )
    due = due_date_of(soon, AlertSettings(change_freezes=freezes))
    assert due is not None
    assert due.date == DAY + days(9)
    assert "before quarter-end, the freeze of 2026-03-12 to 2026-03-16" in due.how
    late = due_date_of(soon, AlertSettings(lead_time_days={"CF-CPU-60": 90}))
    assert late is not None
    assert late.date == DAY
    assert late.how.startswith("at once: ")
    far = crossing(cf_finding(), state=CrossingState.not_within_horizon)
    assert due_date_of(problem(cf_finding(), far), AlertSettings()) is None
    assert due_date_of(problem(cf_finding()), AlertSettings()) is None
    with pytest.raises(ValidationError, match="before it begins"):
        ChangeFreeze(first=DAY, last=DAY - days(1))


def test_a_change_is_due_when_the_breach_was_told_and_not_when_its_forecast_was() -> None:
    over = problem(finding(), breached(finding()))
    course = {"raised_date": DAY - days(60), "breach_notified_date": DAY - days(2)}
    status = over.status.model_copy(update=course)
    due = due_date_of(over.model_copy(update={"status": status}), AlertSettings())
    assert due is not None
    assert due.date == DAY - days(2)
    soon = problem(cf_finding(), crossing(cf_finding()))
    back = soon.status.model_copy(update={"raised_date": DAY - days(60), "first_seen_date": DAY})
    late = due_date_of(
        soon.model_copy(update={"status": back}), AlertSettings(lead_time_days={"default": 90})
    )
    assert late is not None
    assert late.date == DAY


def test_a_ticket_of_one_cause_tells_all_its_members() -> None:
    lead, other = problem(finding()), problem(finding("PLEX1/CSQ2"))
    made = ticket_of([lead, other])
    assert made.members == (lead.key, other.key)
    assert made.title.endswith("and 1 more of the same hour")
    assert f"Also {other.key}: " in made.body


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
