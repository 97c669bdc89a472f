"""Who causes load is described by names that MQ allows."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from devtools.simulator.senders import ChannelGroup, Sender


@pytest.mark.parametrize(("length", "accepted"), [(0, False), (1, True), (48, True), (49, False)])
def test_a_queue_has_a_name_of_mq(length: int, accepted: bool) -> None:
    if accepted:
        assert Sender(queue="Q" * length, application="APP").weight == 1
        return
    with pytest.raises(ValidationError):
        Sender(queue="Q" * length, application="APP")


@pytest.mark.parametrize(("length", "accepted"), [(0, False), (20, True), (21, False)])
def test_a_channel_has_a_name_of_mq(length: int, accepted: bool) -> None:
    if accepted:
        assert ChannelGroup(name="C" * length).change is None
        return
    with pytest.raises(ValidationError):
        ChannelGroup(name="C" * length)
