"""What people answer, and trackers that are asked over HTTP: ServiceNow, webhooks, Jira."""

from __future__ import annotations

import hashlib
import hmac
import traceback
from datetime import date, timedelta

import pytest

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, parse_response
from mqcap.notifications.ticket_delivery import TicketBackend, new_acknowledgements
from mqcap.notifications.tickets.registry import backend
from tests.factories import DAY, ticket
from tests.mqcap.notifications.jira_server import JiraState
from tests.mqcap.notifications.json_server import Hook, Table, json_server

pytestmark = pytest.mark.thorough


def test_what_people_answer_in_jira_is_read(jira: tuple[TicketBackend, JiraState]) -> None:
    tracker, state = jira
    tracker.open_or_update(ticket())
    state.set_status("CAP-1", "In Progress")
    found = tracker.response(ticket())
    assert found is not None
    assert (found.kind, found.note) == (AcknowledgementKind.acknowledged, "In Progress in Jira")
    state.answers = ["false alarm", "Accepted risk until 2026-12-31, see board minutes", "thanks"]
    found = tracker.response(ticket())
    assert found is not None
    assert found.kind is AcknowledgementKind.accepted_until
    assert (found.until_date, found.who) == (date(2026, 12, 31), "P")


def test_what_people_answer_in_servicenow_is_read(
    servicenow: tuple[TicketBackend, Table],
) -> None:
    tracker, state = servicenow
    tracker.open_or_update(ticket())
    for number, note in (("2", "in progress in ServiceNow"), ("7", "closed in ServiceNow")):
        state.records[0]["state"] = number
        found = tracker.response(ticket())
        assert found is not None
        assert found.note == note
    state.journal = [{"value": "Known project NEWCF", "sys_created_by": "anna"}]
    found = tracker.response(ticket())
    assert found is not None
    assert (found.kind, found.who) == (AcknowledgementKind.known_project, "anna")


def test_a_record_is_edited_for_material_changes_only_closed_and_opened_again(
    servicenow: tuple[TicketBackend, Table],
) -> None:
    tracker, state = servicenow
    assert tracker.open_or_update(ticket(due_date=DAY)) == "INC1"
    tracker.open_or_update(ticket(due_date=DAY, body="Other figures."))
    tracker.open_or_update(ticket(due_date=DAY + timedelta(days=20)))
    [record] = state.records
    assert state.changes == ["POST", "PATCH"]
    assert record["due_date"] == f"{DAY + timedelta(days=20)} 00:00:00"
    assert record["urgency"] == "1"
    tracker.close(ticket())
    assert record["state"] == "6"
    tracker.open_or_update(ticket())
    assert record["state"] == "6"
    tracker.open_or_update(ticket(reopen=True))
    assert record["state"] == "1"
    record["state"] = "7"
    later = ticket(first_seen_date=DAY + timedelta(days=90), previous_ref="INC1")
    assert tracker.open_or_update(later) == "INC2"
    assert "Previous ticket: INC1" in state.records[1]["description"]
    assert all(one and one.startswith("Basic ") for one in state.authorizations)


@pytest.mark.parametrize("name", ["servicenow", "webhook"])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (429, ServiceUnavailable),
        (500, ServiceUnavailable),
        ("<html>log in", ServiceUnavailable),
        (401, ConfigurationError),
        (302, ConfigurationError),
    ],
    ids=["429", "500", "garbage", "401", "302"],
)
def test_a_server_that_misbehaves_is_named_and_asked_again(
    request: pytest.FixtureRequest, name: str, fault: int | str, error: type[Exception]
) -> None:
    tracker, state = request.getfixturevalue(name)
    state.faults = [fault]
    with pytest.raises(error) as raised:
        tracker.open_or_update(ticket())
    assert "hidden-word" not in str(raised.value)
    assert tracker.open_or_update(ticket())


def test_a_conflict_is_tried_again_by_servicenow_and_known_already_to_a_webhook(
    servicenow: tuple[TicketBackend, Table], webhook: tuple[TicketBackend, Hook]
) -> None:
    tracker, table = servicenow
    table.faults = [409]
    with pytest.raises(ServiceUnavailable, match="409"):
        tracker.open_or_update(ticket())
    receiver, hook = webhook
    hook.faults = [409]
    assert receiver.open_or_update(ticket())


@pytest.mark.parametrize("name", ["servicenow", "webhook"])
def test_a_change_that_was_made_and_never_confirmed_is_made_once(
    request: pytest.FixtureRequest, name: str
) -> None:
    tracker, state = request.getfixturevalue(name)
    state.deaf = [0.7]
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        tracker.open_or_update(ticket())
    tracker.open_or_update(ticket())
    assert len(state.records if name == "servicenow" else state.done) == 1


def test_a_webhook_is_signed_and_says_what_happened(webhook: tuple[TicketBackend, Hook]) -> None:
    tracker, state = webhook
    reference = tracker.open_or_update(ticket())
    tracker.open_or_update(ticket(external_ref=reference, last_seen_date=DAY + timedelta(days=1)))
    tracker.open_or_update(ticket(external_ref=reference, reopen=True))
    tracker.close(ticket(external_ref=reference))
    assert state.events == ["open", "update", "reopen", "close"]
    signed = hmac.new(b"hidden-word", state.raw[0], hashlib.sha256).hexdigest()
    assert state.headers[0]["X-Mqcap-Signature"] == f"sha256={signed}"
    assert b"hidden-word" not in state.raw[0]


@pytest.mark.parametrize("name", ["servicenow", "webhook"])
def test_wrong_options_of_a_service_are_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match="urll"):
        backend(name, {"urll": "http://localhost"})


@pytest.mark.parametrize(
    ("text", "kind", "until"),
    [
        ("accepted risk until 2026-12-31", AcknowledgementKind.accepted_until, date(2026, 12, 31)),
        (
            "Hello,\n Risk accepted until 2027-01-31.",
            AcknowledgementKind.accepted_until,
            date(2027, 1, 31),
        ),
        ("Known project CAP-2027", AcknowledgementKind.known_project, None),
        ("FALSE ALARM: designed full", AcknowledgementKind.false_alarm, None),
        ("acknowledged", AcknowledgementKind.acknowledged, None),
        ("accepted risk until 2026-02-31", None, None),
        ("we have not acknowledged this", None, None),
        (HOW_TO_ACKNOWLEDGE, None, None),
        ("", None, None),
    ],
    ids=["accepted", "second line", "project", "false", "known", "no date", "not", "ours", "none"],
)
def test_an_answer_is_what_a_line_begins_with(
    text: str, kind: AcknowledgementKind | None, until: date | None
) -> None:
    found = parse_response(text, "anna")
    assert (found.kind if found else None) is kind
    assert (found.until_date if found else None) == until


def test_new_answers_become_marks_of_every_problem_of_the_ticket_once(
    jira: tuple[TicketBackend, JiraState],
) -> None:
    tracker, state = jira
    grouped = ticket(members=("a", "b"))
    tracker.open_or_update(grouped)
    state.answers = ["false alarm"]
    marks = new_acknowledgements(tracker, [grouped], {}, DAY)
    assert [(one.key, one.noted_date) for one in marks] == [("a", DAY), ("b", DAY)]
    known = {one.key: one for one in marks}
    assert new_acknowledgements(tracker, [grouped], known, DAY + timedelta(days=1)) == []


def test_the_same_words_in_a_new_ticket_are_said_anew(
    jira: tuple[TicketBackend, JiraState],
) -> None:
    tracker, state = jira
    later = DAY + timedelta(days=90)
    for day in (DAY, later):
        tracker.open_or_update(ticket(first_seen_date=day))
    state.answers = ["false alarm"]
    old = {one.key: one for one in new_acknowledgements(tracker, [ticket()], {}, DAY)}
    [said] = new_acknowledgements(tracker, [ticket(first_seen_date=later)], old, later)
    assert said.noted_date == later


def test_an_unanswered_ticket_has_no_answer(jira: tuple[TicketBackend, JiraState]) -> None:
    tracker, _ = jira
    assert tracker.response(ticket()) is None
    tracker.open_or_update(ticket())
    assert tracker.response(ticket()) is None


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("name", "path"), [("webhook", f"/{SECRET}"), ("webhook", f"?key={SECRET}"), ("servicenow", "")]
)
@pytest.mark.parametrize("fault", [500, 401, f"you sent Bearer {SECRET}", None])
def test_what_a_service_is_asked_with_is_in_no_error(
    name: str, path: str, fault: int | str | None
) -> None:
    state = Hook() if name == "webhook" else Table()
    with json_server(state) as url:
        options = {"url": f"{url}{path}", "token": SECRET, "timeout_seconds": "0.2"}
        state.faults, state.deaf = [fault] if fault else [], [] if fault else [0.4]
        with pytest.raises(CapacityError) as raised:
            backend(name, options).open_or_update(ticket())
    assert SECRET not in "".join(traceback.format_exception(raised.value))
    assert url in str(raised.value)


@pytest.mark.parametrize("name", ["jira", "servicenow", "webhook"])
def test_an_address_with_a_password_in_it_is_refused_without_repeating_it(name: str) -> None:
    options = {"url": f"https://mqcap:{SECRET}@tracker", "project": "CAP"}
    with pytest.raises(ConfigurationError, match="beside it") as raised:
        backend(name, options)
    assert SECRET not in "".join(traceback.format_exception(raised.value))
