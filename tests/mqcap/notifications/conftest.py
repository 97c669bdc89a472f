"""Trackers over real HTTP servers of this machine, each with its state."""

from collections.abc import Iterator

import pytest

from mqcap.notifications.ticket_delivery import TicketBackend
from mqcap.notifications.tickets.registry import backend
from tests.mqcap.notifications.jira_server import JiraState
from tests.mqcap.notifications.json_server import Hook, Table, json_server


@pytest.fixture
def jira() -> Iterator[tuple[TicketBackend, JiraState]]:
    with json_server(state := JiraState()) as url:
        options = {"url": url, "project": "CAP", "user": "mqcap", "token": "hidden-word"}
        yield backend("jira", options), state


@pytest.fixture
def servicenow() -> Iterator[tuple[TicketBackend, Table]]:
    with json_server(state := Table()) as url:
        options = {"url": url, "user": "mqcap", "token": "hidden-word", "timeout_seconds": "10"}
        yield backend("servicenow", options), state


@pytest.fixture
def webhook() -> Iterator[tuple[TicketBackend, Hook]]:
    with json_server(state := Hook()) as url:
        options = {"url": url, "token": "t", "secret": "hidden-word", "timeout_seconds": "10"}
        yield backend("webhook", options), state
