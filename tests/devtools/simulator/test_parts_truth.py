"""Planted parts are those of the records, by site date."""

from __future__ import annotations

from datetime import timedelta

import pytest

from devtools.simulator.parts_truth import parts_of_queue_manager, planted_parts
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.shares import group_instances
from devtools.simulator.truth import log_bytes_by_day
from tests.devtools.simulator.builders import ANCHOR, queue_manager

SENDERS = (
    Sender(queue="PAY.IN", application="PAYAPP"),
    Sender(queue="CSQ.", application="REPLY", is_dynamic=True),
)


def test_parts_by_queue_and_by_application_are_the_log_but_for_its_own_part() -> None:
    qmgr = queue_manager(3, senders=SENDERS)
    parts = list(parts_of_queue_manager(qmgr))
    assert {part.part for part in parts} == {"", "PAY.IN", "CSQ.*", "PAYAPP", "REPLY"}
    total = log_bytes_by_day(qmgr, ANCHOR, ANCHOR)[ANCHOR]
    by_queue = sum(part.by_day[ANCHOR] for part in parts if part.breakdown == "queue")
    assert by_queue == pytest.approx(0.98 * total, rel=1e-6)


def test_only_the_asked_days_are_in_the_truth() -> None:
    groups = (ChannelGroup(name="A.TO.B"),)
    parts = planted_parts(
        [queue_manager(5, channel_groups=groups)], [], ANCHOR - timedelta(days=1), ANCHOR
    )
    assert {part.metric for part in parts} == {
        "channels_current_count",
        "chinit_64bit_used_mib",
        "chinit_31bit_used_mib",
    }
    assert [len(part.by_day) for part in parts] == [2] * 6


def test_without_accounting_the_log_is_divided_by_queue_alone() -> None:
    qmgr = queue_manager(1, senders=SENDERS, accounting=False)
    assert {part.breakdown for part in parts_of_queue_manager(qmgr)} == {"", "queue"}


def test_storage_below_the_bar_is_that_of_the_records_and_of_its_channels() -> None:
    qmgr = queue_manager(1, channel_groups=(ChannelGroup(name="A.TO.B"),))
    [whole, part] = [
        part for part in parts_of_queue_manager(qmgr) if part.metric == "chinit_31bit_used_mib"
    ]
    seconds = qmgr.grid.seconds
    assert whole.by_day[ANCHOR] == pytest.approx((qmgr.storage.used_31bit_mib * seconds).sum())
    each_mib = qmgr.spec.chinit.kib_per_channel_31bit / 1_024
    [instances] = group_instances(qmgr)
    assert part.by_day[ANCHOR] == pytest.approx((instances * each_mib * seconds).sum())
