"""Accounting messages as rows: one for each connection, and for each queue of it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.datasets import QMGR_ACCOUNTING
from tests.mqcap.ingest.mq_statistics.test_source import loaded, printed

CONNECTION: dict[str, Any] = {
    "connectionId": "414D5143514D31",
    "applName": "payd              ",
    "userIdentifier": "pay         ",
    "channelName": "PAY.SVRCONN",
    "connectionName": "10.0.0.7",
    "processId": 811,
}
QUEUES = [
    {"queueName": "PAY.IN", "puts": [10, 5], "put1s": [1, 0], "putBytes": [100, 200]},
    {"queueName": "PAY.REPLY", "puts": [0, 0], "gets": [3, 4]},
]
TEXT = """MonitoringType: MQIAccounting
QueueManager: 'QM1'
IntervalStartDate: '2026-07-09'
IntervalStartTime: '00.00.00'
IntervalEndDate: '2026-07-09'
IntervalEndTime: '00.30.00'
ApplicationName: 'payd'
ApplicationPid: 811
ApplicationTid: 1
UserId: 'pay'
PutCount: [10, 5]
Put1Count: [1, 0]
PutBytes: [100, 200]
PutTopicCount: [7, 7]

MonitoringType: QueueAccounting
QueueManager: 'QM1'
IntervalStartDate: '2026-07-09'
IntervalStartTime: '00.00.00'
IntervalEndDate: '2026-07-09'
IntervalEndTime: '00.30.00'
ApplicationName: 'payd'
ConnName: '10.0.0.7'
QueueAccounting: 0
    QueueName: 'PAY.IN'
    PutCount: [10, 5]
    PutBytes: [100, 200]
"""


def accounted(kind: int = 167, **data: Any) -> dict[str, Any]:
    return printed(kind=kind, **CONNECTION | data)


def of_events(folder: Path, *events: dict[str, Any]) -> list[dict[str, Any]]:
    return loaded(folder, "\n".join(map(json.dumps, events)))[0]


def test_a_connection_has_a_row_with_its_names_and_what_it_put_to_queues(tmp_path: Path) -> None:
    event = accounted(puts=[10, 5], put1s=[1, 0], putBytes=[100, 200], topicPuts=[7, 7])
    [row] = of_events(tmp_path, event)
    assert row["interval_start_utc"].isoformat() == "2026-07-09T00:00:00+00:00"
    assert row["interval_end_utc"].isoformat() == "2026-07-09T00:30:00+00:00"
    names = ("qmgr", "application", "user", "channel", "connection", "connection_id", "queue")
    assert [row[name] for name in names] == [
        "QM1", "payd", "pay", "PAY.SVRCONN", "10.0.0.7", "414D5143514D31", "",
    ]  # fmt: skip
    assert (row["put_count"], row["put_bytes"]) == (16, 300)


def test_a_queue_to_which_nothing_was_put_has_no_row(tmp_path: Path) -> None:
    [row] = of_events(tmp_path, accounted(168, queueAccountingData=QUEUES))
    assert (row["queue"], row["put_count"], row["application"]) == ("PAY.IN", 16, "payd")


def test_a_message_that_was_printed_twice_counts_once(tmp_path: Path) -> None:
    event = accounted(168, queueAccountingData=[*QUEUES, QUEUES[0]])
    [row] = of_events(tmp_path, event, event)
    assert row["put_count"] == 32  # twice in one message: opened twice


def test_a_connection_of_less_than_a_second_counts(tmp_path: Path) -> None:
    [row] = of_events(tmp_path, accounted(startTime="00.30.00", puts=[1, 0]))
    assert (row["interval_end_utc"] - row["interval_start_utc"]).total_seconds() == 1


@pytest.mark.parametrize(
    ("start", "rows"), [("2026-07-08", 1), ("2026-07-07", 0)], ids=["a day", "two days"]
)
def test_an_interval_of_more_than_a_day_is_left_out(tmp_path: Path, start: str, rows: int) -> None:
    events = [printed(), accounted(startDate=start, puts=[1, 0])]
    found, summary = loaded(tmp_path, "\n".join(map(json.dumps, events)))
    assert len([row for row in found if "put_count" in row]) == rows
    assert len(summary.problems) == 1 - rows


def test_the_text_of_amqsmon_gives_the_same(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, TEXT)
    whole, of_queue = sorted(rows, key=lambda row: row["queue"])
    assert (whole["connection_id"], whole["put_count"], whole["put_bytes"]) == ("811.1", 16, 300)
    assert (of_queue["queue"], of_queue["put_count"], of_queue["connection"]) == (
        "PAY.IN", 15, "10.0.0.7",
    )  # fmt: skip
    assert whole["interval_start_utc"].isoformat() == "2026-07-09T05:00:00+00:00"
    assert summary.rows_by_dataset == {QMGR_ACCOUNTING.name: 2}
    assert summary.hour_dates == (date(2026, 7, 9),)
    assert summary.record_count == 2


@pytest.mark.parametrize(("count", "rows"), [(2**50 - 1, 1), (2**50, 0), (-1, 0), (0, 0)])
def test_amounts_that_cannot_be_are_left_out(tmp_path: Path, count: int, rows: int) -> None:
    events = [printed(), accounted(puts=[count, 0])]
    assert len(of_events(tmp_path, *events)) == 1 + rows
