"""Shares of senders and of groups of channels."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.simulator.events import LoadChange
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.shares import (
    INSTANCES_PER_RECORD,
    group_instances,
    log_bytes_per_message,
    sender_log_bytes,
    sender_messages,
)
from tests.devtools.simulator.builders import queue_manager, steady

SENDERS = (
    Sender(queue="A", application="APPA", weight=3, change=LoadChange(day_offset=-2, before=0.0)),
    Sender(queue="B", application="APPB", weight=1, message_bytes=9_000),
)


@pytest.mark.parametrize(
    ("message_bytes", "log_bytes"), [(1_000, 2_300), (3_796, 5_096), (3_797, 5_397)]
)
def test_log_bytes_of_a_message_are_those_of_the_formula(
    message_bytes: int, log_bytes: int
) -> None:
    assert log_bytes_per_message(message_bytes) == log_bytes


def test_a_sender_that_appears_takes_its_part_from_its_day_on() -> None:
    qmgr = queue_manager(10, senders=SENDERS)
    first, second = sender_log_bytes(qmgr) / qmgr.log_bytes
    days = qmgr.grid.local_day
    before = days < days.max() - 2
    assert np.allclose(first[before], 0.0)
    assert np.allclose(second[before], 0.98)
    assert np.allclose(first[~before], 0.98 * 3 / 4)


def test_messages_are_as_many_as_their_log_bytes_allow() -> None:
    qmgr = queue_manager(2, senders=SENDERS)
    messages = sender_messages(qmgr)[1]
    rest = sender_log_bytes(qmgr)[1] - messages * log_bytes_per_message(9_000)
    assert (rest >= 0).all()
    assert (rest < log_bytes_per_message(9_000)).all()


def test_instances_are_groups_of_ten_and_add_up_to_the_channels() -> None:
    groups = (ChannelGroup(name="A", weight=2), ChannelGroup(name="B", weight=1))
    qmgr = queue_manager(2, channels=steady(300), channel_groups=groups)
    instances = group_instances(qmgr)
    assert (instances % INSTANCES_PER_RECORD == 0).all()
    assert (abs(instances.sum(axis=0) - qmgr.channels) <= INSTANCES_PER_RECORD).all()
