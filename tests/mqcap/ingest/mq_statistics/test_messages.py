"""Statistics and accounting messages: times, figures, rows and files."""

import json
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.datasets import QMGR_ACCOUNTING
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.ingest.mq_statistics.printed import (
    StatisticsMessage,
    count_of,
    figures_of,
    interval_utc,
    text_messages,
)
from mqcap.ingest.text_reading import Omissions
from tests.mqcap.ingest.reading import read_text

CHICAGO = "America/Chicago"
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
INTERVAL = """QueueManager: 'QM1'
IntervalStartDate: '2026-07-09'
IntervalStartTime: '00.00.00'
IntervalEndDate: '2026-07-09'
IntervalEndTime: '00.30.00'
"""
TEXT = f"""MonitoringType: MQIAccounting
{INTERVAL}ApplicationName: 'payd'
ApplicationPid: 811
ApplicationTid: 1
UserId: 'pay'
PutCount: [10, 5]
Put1Count: [1, 0]
PutBytes: [100, 200]
PutTopicCount: [7, 7]

MonitoringType: QueueAccounting
{INTERVAL}ApplicationName: 'payd'
ConnName: '10.0.0.7'
QueueAccounting: 0
    QueueName: 'PAY.IN'
    PutCount: [10, 5]
    PutBytes: [100, 200]
"""
DATA = {
    "queueMgrName": "QM1",
    "startDate": "2026-07-09",
    "startTime": "00.00.00",
    "endDate": "2026-07-09",
    "endTime": "00.30.00",
    "connsMax": 43,
}
PRINTED = f"""MonitoringType: MQIStatistics
{INTERVAL}ConnHighwater: 43
PutCount: [4536, 7713]

MonitoringType: QueueStatistics
{INTERVAL}QueueStatistics: 0
    QueueName: 'APP.IN'
    QMaxDepth: 1078
    PutCount: [10, 7]
QueueStatistics: 1
    QueueName: 'APP.REPLY'
    QMaxDepth: 61

3 Records Processed.
"""
ZONES = {zone_key("qmgr", "QM1"): "America/Chicago"}


def printed(epoch: int = 1_783_557_000, kind: int = 164, **data: Any) -> dict[str, Any]:
    return {
        "eventSource": {"objectName": "SYSTEM.ADMIN.STATISTICS.QUEUE"},
        "eventType": {"name": "x", "value": kind},
        "eventCreation": {"epoch": epoch},
        "eventData": DATA | data,
    }


loaded = partial(read_text, name="statistics", zones=ZONES)


def message(start: str, end: str, created: str | None = None, **changed: Any) -> StatisticsMessage:
    made = datetime.fromisoformat(f"{created}+00:00") if created else None
    first, last = (datetime.fromisoformat(text) for text in (start, end))
    return StatisticsMessage("QM1", first, last, made, **changed)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("created", "hours"),
    [
        ("2026-07-09T00:30:00", 0),
        ("2026-07-09T05:30:04", -5),
        ("2026-07-08T19:00:00", 5.5),
        ("2026-07-09T00:32:00", 0),
        ("2026-07-09T00:28:00", 0),
    ],
)
def test_the_offset_is_the_distance_to_the_creation(created: str, hours: float) -> None:
    start, end = interval_utc(message("2026-07-09T00:00", "2026-07-09T00:30", created), None)
    assert end == utc("2026-07-09T00:30") - timedelta(hours=hours)
    assert end - start == timedelta(minutes=30)


@pytest.mark.parametrize("created", ["2026-07-09T00:32:01", "2026-07-09T00:37:00"])
def test_a_creation_between_quarters_of_an_hour_gives_no_offset(created: str) -> None:
    with pytest.raises(ValueError, match="quarter of an hour"):
        interval_utc(message("2026-07-09T00:00", "2026-07-09T00:30", created), "UTC")


def test_without_a_creation_the_zone_of_the_site_counts() -> None:
    half_hour = message("2026-07-09T00:00", "2026-07-09T00:30")
    assert interval_utc(half_hour, CHICAGO)[1] == utc("2026-07-09T05:30")
    with pytest.raises(ValueError, match="no site of the settings lists QM1"):
        interval_utc(half_hour, None)


@pytest.mark.parametrize(
    ("start", "end", "created", "minutes"),
    [
        ("2026-03-08T01:45", "2026-03-08T03:15", "2026-03-08T08:15:00", 30),
        ("2026-03-08T01:45", "2026-03-08T03:15", None, 30),
        ("2026-11-01T01:45", "2026-11-01T01:15", "2026-11-01T07:15:00", 30),
        ("2026-11-01T01:45", "2026-11-01T01:15", None, 30),
        ("2026-11-01T01:00", "2026-11-01T01:00", None, 60),
    ],
)
def test_a_start_before_a_change_of_clocks_has_its_own_offset(
    start: str, end: str, created: str | None, minutes: int
) -> None:
    begin, stop = interval_utc(message(start, end, created), CHICAGO)
    assert stop - begin == timedelta(minutes=minutes)


def test_an_hour_that_comes_twice_is_known_by_the_interval_before() -> None:
    again = message("2026-11-01T01:00", "2026-11-01T01:30")
    assert interval_utc(again, CHICAGO)[1] == utc("2026-11-01T06:30")
    after = utc("2026-11-01T07:00")
    assert interval_utc(again, CHICAGO, after) == (after, utc("2026-11-01T07:30"))


def found(**values: Any) -> dict[tuple[str, str], float]:
    made = message("2026-07-09T00:00", "2026-07-09T00:30", **values)
    return {(str(key.figure), key.object): value for key, value in figures_of(made)}


def test_puts_of_both_calls_and_both_kinds_of_messages_are_counted() -> None:
    fields = {"connsmax": 43, "puts": [1, 2], "put1s": [3, 4], "putbytes": 9, "topicputs": [5, 5]}
    assert found(fields=fields) == {
        ("connection_count", ""): 43,
        ("put_count", ""): 10,
        ("put_bytes", ""): 9,
    }
    made = message("2026-07-09T00:00", "2026-07-09T00:30", fields=fields)
    readings = {key.figure: key.reading for key, _ in figures_of(made)}
    assert readings[QmgrFigure.put_count] is SampleReading.delta
    assert readings[QmgrFigure.connection_count] is SampleReading.gauge


@pytest.mark.parametrize(
    "fields",
    [{"puts": "many"}, {"connsmax": None}, {"putbytes": [1, "x"]}, {"connsmax": True},
     {"puts": [1, None], "put1s": [3, 4]}, {"puts": None, "put1s": 3}, {"puts": [5, -1]}],
)  # fmt: skip
def test_what_is_no_number_is_not_known(fields: dict[str, Any]) -> None:
    assert found(fields=fields) == {}


@pytest.mark.parametrize(
    "changed",
    [{"definitiontype": "Temporary Dynamic"}, {"queuename": "A B"},
     {"queuemaxdepth": None}, {"queuename": None}],
)  # fmt: skip
def test_temporary_queues_have_no_depth(changed: dict[str, Any]) -> None:
    queue = {"queuename": "APP.IN", "definitiontype": "Predefined", "queuemaxdepth": 7}
    assert found(queues=[queue | changed]) == {}


def test_puts_to_a_queue_are_counted_beside_its_depth() -> None:
    queue = {"queuename": "APP.IN", "definitiontype": "Predefined", "queuemaxdepth": 8}
    told = found(queues=[queue | {"puts": [1, 2], "put1s": [0, 4], "putbytes": [10, 20]}])
    assert told == {
        ("queue_depth_count", "APP.IN"): 8,
        ("queue_put_count", "APP.IN"): 7,
        ("queue_put_bytes", "APP.IN"): 30,
    }
    assert found(queues=[queue]) == {("queue_depth_count", "APP.IN"): 8}


@pytest.mark.parametrize("name", ["APP.IN   ", "APP.IN \x03", "\x00APP.IN"])
def test_a_name_of_a_queue_may_end_with_blanks_and_control_characters(name: str) -> None:
    assert found(queues=[{"queuename": name, "queuemaxdepth": 7}]) == {
        ("queue_depth_count", "APP.IN"): 7
    }


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


def test_what_is_no_number_or_has_lost_its_first_line_is_told() -> None:
    left_out = Omissions()
    text = PRINTED.replace("43", '"43"').replace("1078", "1.078").replace("[10, 7]", "[1,010, 7]")
    *_, last = text_messages(text.splitlines(), left_out)
    assert isinstance(last, StatisticsMessage)
    assert count_of(last.queues[0]["puts"]) is None  # a number that was grouped
    assert left_out.reasons() == (
        "line 7: ConnHighwater is no number; line 18: QMaxDepth is no number; "
        "line 19: PutCount is no number"
    )
    headless, _ = text_messages(PRINTED.splitlines()[1:], Omissions())
    assert str(headless) == "no line MonitoringType in front of it"


def test_an_event_is_of_the_end_of_its_interval_and_others_are_passed_over(tmp_path: Path) -> None:
    text = "\n".join(map(json.dumps, [printed(), printed(kind=166)]))
    [row], summary = loaded(tmp_path, text)
    assert (row["figure"], row["value"], row["step_seconds"]) == ("connection_count", 43, 1_800)
    assert row["reported_utc"].isoformat() == "2026-07-09T00:30:00+00:00"
    assert summary.problems == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PRINTED.replace("QM1", "QM2"), "no site of the settings lists QM2"),
        (PRINTED.replace("QM1", "Q M"), "names no queue manager"),
        (PRINTED.replace("00.30.00", "noon"), "its end is no local date and time"),
        (PRINTED.replace("00.00.00", "00.00.00Z"), "its start is no local date and time"),
        (json.dumps(printed(kind=166)), "statistics messages without any figure"),
    ],
)
def test_messages_without_figures_are_an_error(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        loaded(tmp_path, text)


def test_text_by_kind_has_an_hour_that_comes_twice_for_each_kind(tmp_path: Path) -> None:
    def at(begin: str, end: str) -> str:
        of_day = PRINTED.replace("2026-07-09", "2026-11-01").partition("\n3 Records")[0] + "\n"
        return of_day.replace("00.30.00", end).replace("00.00.00", begin)

    both = [at("01.00.00", "01.30.00"), at("01.30.00", "01.00.00"), at("01.00.00", "01.30.00")]
    kinds = [text.split("MonitoringType: QueueStatistics") for text in both]
    text = "".join(mqi for mqi, _ in kinds)
    text += "".join("MonitoringType: QueueStatistics" + queue for _, queue in kinds)
    rows, _ = loaded(tmp_path, text)
    for figure in ("connection_count", "queue_put_count"):
        of_figure = [row for row in rows if row["figure"] == figure]
        assert [row["reported_utc"].strftime("%H:%M") for row in of_figure] == [
            "06:30",
            "07:00",
            "07:30",
        ]


def of_queues(queues: Any) -> str:
    return json.dumps(printed(kind=165, queueStatisticsData=queues))


NO_LIST = "1 message left out: its queuestatisticsdata is no list of queues (first: line 1)."
IMPOSSIBLE = "1 message left out: it was created at an impossible time (first: line 1)."
NO_OFFSET = (
    "1 message left out: the end of the interval is more than 2 minutes from a quarter of an hour"
    " of the time at which the message was created."
)
NO_COUNT = [{"queueName": None, "queueMaxDepth": 7, "puts": None}]


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        *[(of_queues(queues), NO_LIST) for queues in (None, 1, [None], "A")],
        (of_queues(NO_COUNT), "1 figure left out: puts is no number (first: line 1)."),
        (json.dumps(printed(1_783_557_000 + 420)), NO_OFFSET),
        *[
            (json.dumps(printed() | {"eventCreation": {"epoch": epoch}}), IMPOSSIBLE)
            for epoch in (1e30, -1e30, 1e17)
        ],
        (
            PRINTED.partition("\nMonitoringType: Queue")[0].replace("00.00.00", "noon"),
            "1 message left out: its start is no local date and time.",
        ),
    ],
)
def test_a_message_that_cannot_be_used_leaves_the_others_and_is_told(
    tmp_path: Path, other: str, problem: str
) -> None:
    good = json.dumps(printed()) if other.startswith("{") else PRINTED
    rows, summary = loaded(tmp_path, other + "\n", good)
    assert sum(row["figure"] == "connection_count" for row in rows) == 1
    assert [problem.partition(": ")[2] for problem in summary.problems] == [problem]
