"""A delivery before and after it was handed over."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.domain.delivery import Channel, Stage
from tests.factories import NOON, delivery


def test_a_new_delivery_is_pending_and_not_sent() -> None:
    made = delivery()
    assert made.stage is Stage.pending
    assert made.channel is Channel.mail
    assert not made.sent
    assert made.attempts == 0


def test_a_delivery_that_was_handed_over_is_sent_and_has_no_error() -> None:
    failed = delivery(error="the server did not answer", attempts=2)
    sent = failed.handed_over(NOON)
    assert sent.sent
    assert (sent.stage, sent.sent_at_utc, sent.error) == (Stage.sent, NOON, None)
    assert sent.attempts == 2
    assert not failed.sent


def test_the_time_of_sending_needs_a_time_zone() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        delivery(sent_at_utc=NOON.replace(tzinfo=None))
