"""Issue trackers with one record per ticket, over a tracker in memory."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.problem import AcknowledgementKind
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import description_of, label_of
from mqcap.notifications.http_json import ServiceOptions, options_of
from mqcap.notifications.issue_tracker import IssueRecord, IssueTrackerBackend
from tests.factories import DAY, ticket


class MemoryTracker:
    """Records by label, the newest last, and the requests that were made."""

    name = "memory"

    def __init__(self) -> None:
        self.records: list[tuple[str, IssueRecord]] = []
        self.requests: list[str] = []
        self.texts: list[tuple[str, str]] = []

    def find(self, ticket: Ticket) -> IssueRecord | None:
        result = [record for label, record in self.records if label == label_of(ticket)]
        return result[-1] if result else None

    def create(self, ticket: Ticket) -> str:
        reference = f"T-{len(self.records) + 1}"
        record = IssueRecord(reference, reference, description_of(ticket), is_done=False)
        self.records.append((label_of(ticket), record))
        self.requests.append("create")
        return reference

    def update(self, record: IssueRecord, ticket: Ticket) -> None:
        self.change(record, "update", description=description_of(ticket))

    def reopen(self, record: IssueRecord, ticket: Ticket) -> None:
        self.change(record, "reopen", description=description_of(ticket), is_done=False)

    def resolve(self, record: IssueRecord, ticket: Ticket) -> None:
        self.change(record, "resolve", is_done=True)

    def comments(self, record: IssueRecord, ticket: Ticket) -> Iterable[tuple[str, str]]:
        return self.texts

    def change(self, record: IssueRecord, request: str, **changes: Any) -> None:
        self.requests.append(request)
        self.records = [
            (label, other._replace(**changes) if other.key == record.key else other)
            for label, other in self.records
        ]

    @property
    def last(self) -> IssueRecord:
        return self.records[-1][1]


@pytest.fixture
def memory() -> MemoryTracker:
    return MemoryTracker()


@pytest.fixture
def backend(memory: MemoryTracker) -> IssueTrackerBackend:
    return IssueTrackerBackend(memory)


def test_a_record_is_created_once_and_updated_on_a_material_change_only(
    memory: MemoryTracker, backend: IssueTrackerBackend
) -> None:
    assert backend.name == "memory"
    assert backend.open_or_update(ticket()) == "T-1"
    backend.open_or_update(ticket(body="Figures of the next day."))
    backend.open_or_update(ticket(severity=Severity.watch))
    assert memory.requests == ["create", "update"]
    assert "severity=watch" in memory.last.description


def test_a_description_without_its_state_line_is_written_again(
    memory: MemoryTracker, backend: IssueTrackerBackend
) -> None:
    backend.open_or_update(ticket())
    memory.change(memory.last, "edit by people", description="text of people")
    backend.open_or_update(ticket())
    assert memory.requests == ["create", "edit by people", "update"]


def test_a_record_that_people_closed_in_this_episode_stays_closed(
    memory: MemoryTracker, backend: IssueTrackerBackend
) -> None:
    backend.open_or_update(ticket())
    memory.change(memory.last, "close by people", is_done=True)
    assert backend.open_or_update(ticket(severity=Severity.watch)) == "T-1"
    assert memory.last.is_done


def test_a_record_that_this_product_closed_is_reopened(
    memory: MemoryTracker, backend: IssueTrackerBackend
) -> None:
    backend.open_or_update(ticket())
    backend.close(ticket())
    backend.close(ticket())
    assert backend.open_or_update(ticket(reopen=True)) == "T-1"
    assert memory.requests == ["create", "resolve", "reopen"]


@pytest.mark.parametrize("description", [None, "text of people"])
def test_a_closed_record_of_an_older_episode_is_followed_by_a_new_one(
    memory: MemoryTracker, backend: IssueTrackerBackend, description: str | None
) -> None:
    backend.open_or_update(ticket())
    text = memory.last.description if description is None else description
    memory.change(memory.last, "close by people", is_done=True, description=text)
    later = ticket(first_seen_date=DAY + timedelta(days=60))
    assert backend.open_or_update(later) == "T-2"


def test_closing_a_ticket_without_a_record_does_nothing(
    memory: MemoryTracker, backend: IssueTrackerBackend
) -> None:
    backend.close(ticket())
    assert memory.requests == []


def test_a_comment_counts_before_the_state_of_the_record(
    memory: MemoryTracker, backend: IssueTrackerBackend
) -> None:
    assert backend.response(ticket()) is None
    backend.open_or_update(ticket())
    assert backend.response(ticket()) is None
    memory.change(memory.last, "assign", state_note="in progress")
    by_state = backend.response(ticket())
    assert by_state is not None
    assert (by_state.kind, by_state.note) == (AcknowledgementKind.acknowledged, "in progress")
    memory.texts = [("false alarm", "anna"), ("thanks", "bo")]
    by_comment = backend.response(ticket())
    assert by_comment is not None
    assert (by_comment.kind, by_comment.who) == (AcknowledgementKind.false_alarm, "anna")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "url"),
        ({"url": "http://t", "timeout_seconds": "hidden-word"}, "timeout_seconds"),
        ({"url": "http://t", "extra": "hidden-word"}, "extra"),
    ],
)
def test_a_wrong_option_is_named_without_its_value(options: dict[str, str], name: str) -> None:
    with pytest.raises(ConfigurationError, match=name) as raised:
        options_of(ServiceOptions, options, "a tracker")
    assert "a tracker" in str(raised.value)
    assert "hidden-word" not in str(raised.value)
