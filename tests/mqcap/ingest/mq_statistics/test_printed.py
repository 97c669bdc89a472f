"""Messages as amqsevt and amqsmon print them."""

from __future__ import annotations

from typing import Any

import msgspec

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


def test_an_event_of_queues_has_no_fields_of_the_queue_manager() -> None:
    made = of_event(event(165, QueueStatisticsData=[{"queueName": "A", "queueMaxDepth": 7}]))
    assert made is not None
    assert made.fields == {}
    assert made.queues == [{"queuename": "A", "queuemaxdepth": 7}]


def test_text_about_channels_is_none() -> None:
    text = TEXT.replace("MQIStatistics", "ChannelStatistics").replace("QueueS", "ChannelS")
    assert list(text_messages(text.splitlines())) == []


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
