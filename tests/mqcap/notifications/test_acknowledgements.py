"""Responses of people to tickets."""

from contextlib import nullcontext
from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.acknowledgements import (
    HOW_TO_ACKNOWLEDGE,
    check_until,
    description_of,
    label_of,
    last_response,
    parse_response,
    reason_of,
    ticket_in_description,
)
from tests.factories import DAY, acknowledgement, ticket


@pytest.mark.parametrize(
    ("text", "kind", "until"),
    [
        ("accepted risk until 2026-12-31", "accepted_until", date(2026, 12, 31)),
        ("Hi,\n Risk accepted until 2027-01-31.", "accepted_until", date(2027, 1, 31)),
        ("Known project CAP-2027", "known_project", None),
        ("FALSE ALARM: designed full", "false_alarm", None),
        ("acknowledged", "acknowledged", None),
        ("accepted risk until 2026-02-31", None, None),
        ("we have not acknowledged this", None, None),
        (HOW_TO_ACKNOWLEDGE, None, None),
        ("", None, None),
    ],
    ids=["accepted", "second line", "project", "false", "known", "no date", "not", "ours", "none"],
)
def test_a_response_is_what_a_line_begins_with(
    text: str, kind: str | None, until: date | None
) -> None:
    response = parse_response(text, "anna")
    found = (response.kind, response.until_date) if response else (None, None)
    assert found == (kind, until)


def test_a_response_keeps_its_text_in_one_short_line_and_its_author() -> None:
    response = parse_response("thanks\n known project\t  NEWCF " + "x" * 300, "anna")
    assert response is not None
    assert response.note.startswith("known project NEWCF xxx")
    assert len(response.note) == 200
    assert response.who == "anna"


def test_the_last_comment_with_a_response_counts() -> None:
    comments = [("false alarm", "anna"), ("acknowledged", "bo"), ("thanks to both", "eve")]
    last = last_response(comments)
    assert last is not None
    assert (last.kind, last.who) == (AcknowledgementKind.acknowledged, "bo")
    assert last_response([("thanks", "eve")]) is None
    assert last_response([]) is None


def test_a_label_is_that_of_the_release_before() -> None:
    assert label_of(ticket()) == "mqcap-6c9aa40c4f2bfdc2"
    assert label_of(ticket(body="other", severity=Severity.watch)) == label_of(ticket())


def test_a_description_ends_with_the_state_line_of_the_release_before() -> None:
    described = ticket(due_date=DAY, notified_date=DAY + timedelta(days=3), previous_ref="CAP-1")
    assert description_of(described).split("\n\n")[1:] == [
        "Previous ticket: CAP-1",
        "mqcap: severity=act due=2026-03-02 since=2026-03-02 told=2026-03-05",
    ]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"severity": Severity.watch},
        {"due_date": DAY + timedelta(days=9)},
        {"first_seen_date": DAY - timedelta(days=9), "notified_date": DAY},
    ],
)
def test_the_state_is_read_back_from_a_description(changed: dict[str, Any]) -> None:
    written = ticket(**changed)
    read = ticket_in_description(description_of(written), ticket())
    assert read is not None
    for name in ("severity", "due_date", "first_seen_date"):
        assert getattr(read, name) == getattr(written, name)
    assert read.notified_date == (written.notified_date or written.first_seen_date)


def test_a_state_line_without_a_notification_date_is_that_of_an_older_release() -> None:
    read = ticket_in_description("mqcap: severity=act due=none since=2026-01-02", ticket())
    assert read is not None
    assert (read.due_date, str(read.notified_date)) == (None, "2026-01-02")


def test_a_description_without_a_readable_state_line_has_no_state() -> None:
    odd = "severity=odd due=none", "severity=act due=2026-02-31"
    for description in ("", "text of people", *(f"mqcap: {each} since=2026-03-02" for each in odd)):
        assert ticket_in_description(description, ticket()) is None, description


@pytest.mark.parametrize(
    ("kind", "note", "reason"),
    [
        ("acknowledged", "acknowledged disks ordered", "disks ordered"),
        ("acknowledged", "Acknowledged: disks ordered.", "disks ordered"),
        ("acknowledged", "acknowledged", ""),
        ("accepted_until", "accepted risk until 2026-12-31 small", "small"),
        ("accepted_until", "risk accepted until 2026-12-31", ""),
        ("known_project", "known project Storage 2027", "Storage 2027"),
        ("false_alarm", "false alarm, a load test", "a load test"),
        ("acknowledged", "issue in progress", "issue in progress"),
        ("acknowledged", "", ""),
    ],
)
def test_the_reason_is_what_follows_the_words_that_acknowledge(
    kind: str, note: str, reason: str
) -> None:
    made = acknowledgement(kind=AcknowledgementKind(kind), note=note)
    assert reason_of(made) == reason


@pytest.mark.parametrize(
    ("days", "is_taken"), [(-1, False), (0, True), (400, True), (401, False), (2_900_000, False)]
)
def test_a_risk_is_accepted_until_a_day_to_come_within_the_bound(days: int, is_taken: bool) -> None:
    until = date(2026, 3, 2) + timedelta(days=days)
    response = parse_response(f"accepted risk until {until}")
    assert response is not None
    expected = nullcontext() if is_taken else pytest.raises(ConfigurationError, match=f"{until}")
    with expected:
        check_until(response, date(2026, 3, 2), 400)
