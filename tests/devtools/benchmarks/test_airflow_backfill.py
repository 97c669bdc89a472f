"""What is printed of a backfilled day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from devtools.benchmarks.airflow_backfill import TaskTime, lines

BEGIN: Final = datetime(2026, 11, 23, tzinfo=UTC)


def task(name: str, started_s: float, ended_s: float) -> TaskTime:
    return TaskTime(name, BEGIN + timedelta(seconds=started_s), BEGIN + timedelta(seconds=ended_s))


def test_each_task_has_its_time_and_the_time_before_it() -> None:
    tasks = [task("size", 3.0, 7.5), task("land", 0.0, 2.5)]
    assert [" ".join(line.split()) for line in lines(date(2026, 11, 22), tasks)] == [
        "2026-11-22 7.5 s from the first task to the last, 7.0 s in tasks",
        "land 0.0 s before it, 2.5 s",
        "size 0.5 s before it, 4.5 s",
    ]
