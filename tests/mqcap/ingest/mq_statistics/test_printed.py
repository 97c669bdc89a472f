"""Messages as amqsevt and amqsmon print them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from mqcap.ingest.mq_statistics.messages import StatisticsMessage, count_of
from mqcap.ingest.mq_statistics.printed import StatisticsEvent, of_event, text_messages
from mqcap.ingest.text_reading import Omissions

DATA = {
    "queueMgrName": "QM1",
    "startDate": "2026-07-09",
    "startTime": "00.00.00",
    "endDate": "2026-07-09",
    "endTime": "00.30.00",
    "connsMax": 43,
}
TEXT = """MonitoringType: MQIStatistics
QueueManager: 'QM1'
IntervalStartDate: '2026-07-09'
IntervalStartTime: '00.00.00'
IntervalEndDate: '2026-07-09'
IntervalEndTime: '00.30.00'
ConnHighwater: 43
PutCount: [4536, 7713]

MonitoringType: QueueStatistics
QueueManager: 'QM1'
IntervalStartDate: '2026-07-09'
IntervalStartTime: '00.00.00'
IntervalEndDate: '2026-07-09'
IntervalEndTime: '00.30.00'
QueueStatistics: 0
    QueueName: 'APP.IN'
    QMaxDepth: 1078
    PutCount: [10, 7]
QueueStatistics: 1
    QueueName: 'APP.REPLY'
    QMaxDepth: 61

3 Records Processed.
"""


def messages(text: str) -> list[StatisticsMessage]:
    found = list(text_messages(text.splitlines()))
    assert all(isinstance(each, StatisticsMessage) for each in found)
    return [each for each in found if isinstance(each, StatisticsMessage)]


def event(kind: int, **data: Any) -> StatisticsEvent:
    document = {
        "eventType": {"name": "x", "value": kind},
        "eventCreation": {"epoch": 1_783_557_000},
        "eventData": DATA | data,
    }
    return msgspec.convert(document, StatisticsEvent)


def test_an_event_of_mqi_has_fields_by_names_in_lower_case() -> None:
    made = of_event(event(164))
    assert made is not None
    assert (made.qmgr, made.fields["connsmax"], made.queues) == ("QM1", 43, [])
    assert made.end_local == datetime(2026, 7, 9, 0, 30)  # noqa: DTZ001 - local
    assert made.created_utc == datetime(2026, 7, 9, 0, 30, tzinfo=UTC)


def test_an_event_of_queues_has_no_fields_of_the_queue_manager() -> None:
    made = of_event(event(165, QueueStatisticsData=[{"queueName": "A", "queueMaxDepth": 7}]))
    assert made is not None
    assert made.fields == {}
    assert made.queues == [{"queuename": "A", "queuemaxdepth": 7}]


def test_events_of_channels_are_none() -> None:
    assert of_event(event(166)) is None


def test_an_event_without_times_is_an_error() -> None:
    with pytest.raises(ValueError):
        of_event(event(164, startTime="noon"))


def test_text_has_the_same_messages() -> None:
    mqi, queues = messages(TEXT)
    assert (mqi.qmgr, mqi.created_utc, mqi.fields["puts"]) == ("QM1", None, [4536, 7713])
    assert mqi.fields["connsmax"] == 43
    assert queues.fields == {}
    assert [(queue["queuename"], queue["queuemaxdepth"]) for queue in queues.queues] == [
        ("APP.IN", 1078),
        ("APP.REPLY", 61),
    ]


def test_text_about_channels_is_none() -> None:
    text = TEXT.replace("MQIStatistics", "ChannelStatistics").replace("QueueS", "ChannelS")
    assert list(text_messages(text.splitlines())) == []


def test_accounting_has_the_fields_of_the_connection_and_its_queues() -> None:
    text = TEXT.replace("QueueStatistics", "QueueAccounting").replace("MQIS", "ChannelS")
    [made] = messages(text)
    assert made.is_accounting
    assert made.fields["queuemgrname"] == "QM1"
    assert [queue["queuename"] for queue in made.queues] == ["APP.IN", "APP.REPLY"]
    of_json = of_event(event(168, queueAccountingData=[{"queueName": "A", "puts": [1, 2]}]))
    assert of_json is not None
    assert of_json.is_accounting
    assert of_json.queues == [{"queuename": "A", "puts": [1, 2]}]


def test_what_is_no_number_or_has_lost_its_first_line_is_told() -> None:
    left_out = Omissions()
    text = TEXT.replace("43", '"43"').replace("1078", "1.078")
    assert len(list(text_messages(text.splitlines(), left_out))) == 2
    assert "line 7: ConnHighwater is no number; line 18: QMaxDepth is no number" in (
        left_out.reasons()
    )
    headless, queues = text_messages(TEXT.splitlines()[1:])
    assert str(headless) == "no line MonitoringType in front of it"
    assert isinstance(queues, StatisticsMessage)


def test_a_list_whose_numbers_were_grouped_is_no_count() -> None:
    left_out = Omissions()
    text = f"{TEXT}\nPutCount: [4,536, 7,713]"
    last = [*text_messages(text.splitlines(), left_out)][-1]
    assert isinstance(last, StatisticsMessage)
    assert count_of(last.queues[-1]["puts"]) is None
    assert "PutCount is no number" in left_out.reasons()
