"""A store, a mail server and a tracker, all real."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqcap.settings import Settings, SmtpServer
from tests.mqcap.notifications.jira_server import JiraState
from tests.mqcap.notifications.json_server import json_server
from tests.mqcap.notifications.smtp_server import Mailbox, smtp_server
from tests.mqcap.steps.notify.builders import site


@pytest.fixture
def post() -> Iterator[tuple[SmtpServer, Mailbox]]:
    with smtp_server() as served:
        yield served


@pytest.fixture
def jira(tmp_path: Path) -> Iterator[tuple[Settings, JiraState]]:
    with json_server(state := JiraState()) as url:
        options = {"url": url, "project": "CAP", "timeout_seconds": "10", "search_lag_seconds": "0"}
        yield site(tmp_path, ticket_backend="jira", ticket_options=options), state
