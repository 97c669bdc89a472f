"""Jira as a ticket backend, over real HTTP."""

from datetime import date, timedelta

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.ticket_delivery import TicketBackend
from mqcap.notifications.tickets.registry import backend
from tests.factories import DAY, ticket
from tests.mqcap.notifications.jira_server import JiraState
from tests.mqcap.notifications.json_server import json_server
from tests.mqcap.notifications.tickets.contract import TicketBackendContract

pytestmark = pytest.mark.thorough


@pytest.fixture
def tracker(jira: tuple[TicketBackend, JiraState]) -> TicketBackend:
    return jira[0]


class TestJiraContract(TicketBackendContract):
    pass


def test_a_response_in_jira_is_read(jira: tuple[TicketBackend, JiraState]) -> None:
    tracker, state = jira
    tracker.open_or_update(ticket())
    state.set_status("CAP-1", "In Progress")
    result = tracker.response(ticket())
    assert result is not None
    assert (result.kind, result.note) == (AcknowledgementKind.acknowledged, "In Progress in Jira")
    state.answers = ["false alarm", "Accepted risk until 2026-12-31, see board minutes", "thanks"]
    result = tracker.response(ticket())
    assert result is not None
    assert result.kind is AcknowledgementKind.accepted_until
    assert (result.until_date, result.who) == (date(2026, 12, 31), "P")


def test_an_issue_carries_title_body_due_date_and_labels(
    jira: tuple[TicketBackend, JiraState],
) -> None:
    tracker, state = jira
    tracker.open_or_update(ticket(due_date=DAY))
    fields = state.issues["CAP-1"]["fields"]
    assert fields["summary"] == "PLEX1/CSQ1: minutes to fill one active log"
    assert fields["description"].startswith("One log fills in 11.1 minutes.")
    assert fields["duedate"] == DAY.isoformat()
    assert fields["labels"][0] == "mqcap"
    assert all(auth and auth.startswith("Basic ") for auth in state.authorizations)


def test_a_material_change_is_one_edit_with_a_comment(
    jira: tuple[TicketBackend, JiraState],
) -> None:
    tracker, state = jira
    tracker.open_or_update(ticket(severity=Severity.watch))
    for _ in range(2):
        tracker.open_or_update(ticket(body="New figures.", update_text="What is new."))
    assert state.changes == ["POST /rest/api/2/issue", "PUT /rest/api/2/issue/CAP-1"]
    assert state.issues["CAP-1"]["fields"]["comments"] == ["What is new."]
    assert state.issues["CAP-1"]["fields"]["description"].startswith("New figures.")


def test_a_reopened_issue_has_one_comment_even_after_an_interrupted_attempt(
    jira: tuple[TicketBackend, JiraState],
) -> None:
    tracker, state = jira
    tracker.open_or_update(ticket())
    tracker.close(ticket())
    back = ticket(reopen=True, notified_date=DAY + timedelta(days=9), body="Figures of today.")
    tracker.open_or_update(back)
    state.set_status("CAP-1", "Done")  # as if the second request had not arrived
    tracker.open_or_update(back)
    fields = state.issues["CAP-1"]["fields"]
    assert [words.split(".")[0] for words in fields["comments"]] == [
        "In order on enough complete days; closed",
        "Reopened: the problem is back",
    ]
    assert fields["description"].startswith("Figures of today.")
    assert fields["status"]["name"] == "Open"


def test_an_issue_is_found_by_its_stored_reference_and_made_again_when_people_deleted_it(
    jira: tuple[TicketBackend, JiraState],
) -> None:
    tracker, state = jira
    assert tracker.open_or_update(ticket(external_ref="CAP-99")) == "CAP-1"
    state.lagging_search = True
    assert tracker.open_or_update(ticket(external_ref="CAP-1")) == "CAP-1"
    assert len(state.issues) == 1


def test_the_search_of_the_cloud_is_another_one() -> None:
    with json_server(state := JiraState()) as url:
        tracker = backend("jira", {"url": url, "project": "CAP", "cloud": "true"})
        assert [tracker.open_or_update(ticket()) for _ in range(2)] == ["CAP-1"] * 2
    assert state.requests[0].startswith("GET /rest/api/3/search/jql?jql=")


def test_a_wrong_project_is_a_configuration_error() -> None:
    with json_server(JiraState()) as url:
        tracker = backend("jira", {"url": url, "project": "NONE", "token": "word"})
        with pytest.raises(ConfigurationError, match="project is required"):
            tracker.open_or_update(ticket())
