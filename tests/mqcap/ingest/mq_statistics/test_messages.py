"""Intervals and figures of statistics messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.ingest.mq_statistics.messages import (
    StatisticsMessage,
    figures_of,
    interval_utc,
    text_of,
)

CHICAGO = "America/Chicago"


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


@pytest.mark.parametrize("start", ["2026-07-09T00:30", "2026-07-07T23:00"])
def test_an_interval_without_length_or_of_more_than_a_day_is_none(start: str) -> None:
    with pytest.raises(ValueError, match="no length"):
        interval_utc(message(start, "2026-07-09T00:30", "2026-07-09T00:30:00"), "UTC")


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


def test_the_depth_of_a_queue_is_its_highest() -> None:
    queue = {"queuename": "APP.IN", "definitiontype": "Predefined", "queuemaxdepth": 7}
    assert found(queues=[queue]) == {("queue_depth_count", "APP.IN"): 7}


@pytest.mark.parametrize(
    "changed",
    [{"definitiontype": "Temporary Dynamic"}, {"queuename": "AMQ.1"}, {"queuename": "A B"},
     {"queuemaxdepth": None}, {"queuename": None}],
)  # fmt: skip
def test_temporary_queues_have_no_depth(changed: dict[str, Any]) -> None:
    queue = {"queuename": "APP.IN", "definitiontype": "Predefined", "queuemaxdepth": 7}
    assert found(queues=[queue | changed]) == {}


def test_blanks_and_control_characters_end_no_name() -> None:
    assert (text_of("QM1  \u0003"), text_of(None)) == ("QM1", "")


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
