"""The embedded tracker: a reference for each episode, and no options."""

from datetime import timedelta

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.notifications.ticket_delivery import TicketBackend
from mqcap.notifications.tickets.registry import backend
from tests.factories import DAY, ticket
from tests.mqcap.notifications.tickets.contract import TicketBackendContract


@pytest.fixture
def tracker() -> TicketBackend:
    return backend("embedded")


class TestEmbeddedContract(TicketBackendContract):
    pass


def test_a_reference_is_that_of_its_episode_and_a_stored_one_is_kept(
    tracker: TicketBackend,
) -> None:
    assert tracker.open_or_update(ticket()) == "MQCAP-43B207"
    later = ticket(first_seen_date=DAY + timedelta(days=60))
    assert tracker.open_or_update(later) != "MQCAP-43B207"
    assert tracker.open_or_update(ticket(external_ref="MQCAP-000001")) == "MQCAP-000001"


def test_options_are_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match="url"):
        backend("embedded", {"url": "http://localhost"})
