"""The webhook as a ticket backend, over real HTTP."""

import hashlib
import hmac
from datetime import timedelta

import pytest

from mqcap.notifications.ticket_delivery import TicketBackend
from tests.factories import DAY, ticket
from tests.mqcap.notifications.json_server import Hook
from tests.mqcap.notifications.tickets.contract import TicketBackendContract

pytestmark = pytest.mark.thorough


@pytest.fixture
def tracker(webhook: tuple[TicketBackend, Hook]) -> TicketBackend:
    return webhook[0]


class TestWebhookContract(TicketBackendContract):
    pass


def test_a_webhook_is_signed_and_names_the_event(webhook: tuple[TicketBackend, Hook]) -> None:
    tracker, state = webhook
    reference = tracker.open_or_update(ticket())
    tracker.open_or_update(ticket(external_ref=reference, last_seen_date=DAY + timedelta(days=1)))
    tracker.open_or_update(ticket(external_ref=reference, reopen=True))
    tracker.close(ticket(external_ref=reference))
    assert state.events == ["open", "update", "reopen", "close"]
    signed = hmac.new(b"hidden-word", state.raw[0], hashlib.sha256).hexdigest()
    assert state.headers[0]["X-Mqcap-Signature"] == f"sha256={signed}"
    assert b"hidden-word" not in state.raw[0]
