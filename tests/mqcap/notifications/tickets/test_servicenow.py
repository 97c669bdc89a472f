"""ServiceNow as a ticket backend, over real HTTP."""

from datetime import timedelta

import pytest

from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.ticket_delivery import TicketBackend
from tests.factories import DAY, ticket
from tests.mqcap.notifications.json_server import Table
from tests.mqcap.notifications.tickets.contract import TicketBackendContract

pytestmark = pytest.mark.thorough


@pytest.fixture
def tracker(servicenow: tuple[TicketBackend, Table]) -> TicketBackend:
    return servicenow[0]


class TestServiceNowContract(TicketBackendContract):
    pass


def test_a_response_in_servicenow_is_read(servicenow: tuple[TicketBackend, Table]) -> None:
    tracker, state = servicenow
    tracker.open_or_update(ticket())
    for number, note in (("2", "in progress in ServiceNow"), ("7", "closed in ServiceNow")):
        state.records[0]["state"] = number
        result = tracker.response(ticket())
        assert result is not None
        assert result.note == note
    state.journal = [{"value": "Known project NEWCF", "sys_created_by": "anna"}]
    result = tracker.response(ticket())
    assert result is not None
    assert (result.kind, result.who) == (AcknowledgementKind.known_project, "anna")


def test_a_record_is_edited_for_material_changes_only_closed_and_opened_again(
    servicenow: tuple[TicketBackend, Table],
) -> None:
    tracker, state = servicenow
    assert tracker.open_or_update(ticket(due_date=DAY)) == "INC1"
    tracker.open_or_update(ticket(due_date=DAY, body="Other figures."))
    tracker.open_or_update(ticket(due_date=DAY + timedelta(days=20)))
    [record] = state.records
    assert [request.split()[0] for request in state.changes] == ["POST", "PATCH"]
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
    assert all(auth and auth.startswith("Basic ") for auth in state.authorizations)
