"""Intervals over which the figures of a storage message hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from spark_apps.transforms.intervals import storage_intervals
from tests.spark_apps.rows import START, frame, records

HOUR: Final = timedelta(hours=1)


def ends(events: Sequence[dict[str, Any]]) -> list[datetime]:
    """Return the end of each interval, in order of its start."""
    rows = storage_intervals(frame("console_event", events))
    return [row.interval_end_utc for row in records(rows, "interval_start_utc", "text")]


def at(hours: float, **changed: Any) -> dict[str, Any]:
    return {"event_utc": START + hours * HOUR, **changed}


def utc(hours: float) -> datetime:
    return START + hours * HOUR


@pytest.mark.parametrize(
    ("gap_hours", "end_hours"), [(0.25, 0.25), (1.999, 1.999), (2.0, 2.0), (2.001, 1.0)]
)
def test_a_value_holds_until_the_next_message_within_two_hours_else_to_its_hour(
    gap_hours: float, end_hours: float
) -> None:
    assert ends([at(0), at(gap_hours)])[0] == utc(end_hours)


@pytest.mark.parametrize(("minutes", "end_hours"), [(0, 1.0), (1, 1.0), (59, 1.0), (60, 2.0)])
def test_the_last_value_holds_to_the_end_of_its_utc_hour(minutes: int, end_hours: float) -> None:
    assert ends([at(minutes / 60)]) == [utc(end_hours)]


@pytest.mark.parametrize(
    "other", [{"qmgr": "CSQ2"}, {"sysplex": "PLEX2"}, {"message_id": "CSQJ001I"}]
)
def test_another_queue_manager_or_message_ends_no_interval(other: dict[str, Any]) -> None:
    assert ends([at(0), at(0.5, **other)])[0] == utc(1.0)


def test_other_messages_have_no_interval() -> None:
    assert ends([at(0, message_id="CSQJ001I")]) == []


def test_of_two_messages_at_one_instant_only_the_last_holds() -> None:
    assert ends([at(0, text="a"), at(0, text="b")]) == [utc(0), utc(1.0)]
