"""Stages, work and driver-only time of an event log."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pytest

from devtools.benchmarks.event_log import application, events, lines, main


def task(stage: int, began_ms: int, ended_ms: int) -> dict[str, Any]:
    info = {"Launch Time": began_ms, "Finish Time": ended_ms}
    return {"Event": "SparkListenerTaskEnd", "Stage ID": stage, "Task Info": info}


def stage(number: int, name: str) -> dict[str, Any]:
    info = {"Stage ID": number, "Stage Name": name}
    return {"Event": "SparkListenerStageCompleted", "Stage Info": info}


START: Final = {"Event": "SparkListenerApplicationStart", "App Name": "load", "Timestamp": 1_000}
DRIVER: Final = "4.0 s before the first task, 3.0 s between tasks, 3.0 s after the last"
END: Final = {"Event": "SparkListenerApplicationEnd", "Timestamp": 21_000}
LOG: Final[list[dict[str, Any]]] = [
    START,
    {"Event": "SparkListenerLogStart", "Spark Version": "4"},
    task(0, 5_000, 9_000),
    task(0, 6_000, 8_000),
    stage(0, "decode"),
    task(2, 12_000, 18_000),
    stage(2, "aggregate"),
    END,
]


def write(folder: Path, name: str, content: list[dict[str, Any]]) -> Path:
    file = folder / name
    text = "\n".join(map(json.dumps, content)).encode()
    file.write_bytes(gzip.compress(text) if file.suffix == ".gz" else text)
    return file


def test_time_without_any_task_is_the_driver_s() -> None:
    app = application(LOG)
    assert app.driver_seconds == (4.0, 3.0, 3.0)
    assert [(one.name, one.seconds, one.work_seconds) for one in app.stages] == [
        ("decode", 4.0, 6.0),
        ("aggregate", 6.0, 6.0),
    ]


def test_an_application_without_tasks_is_all_driver() -> None:
    assert application([START, END]).driver_seconds == (20.0, 0.0, 0.0)


def test_an_application_that_was_killed_ends_with_its_last_task() -> None:
    app = application(LOG[:-1])
    assert app.ended_ms == 18_000
    assert app.driver_seconds == (4.0, 3.0, 0.0)


def test_the_table_has_a_line_per_stage_and_the_sums() -> None:
    assert [" ".join(line.split()) for line in lines(application(LOG))] == [
        "stage tasks s work s what",
        "0 2 4.0 6.0 decode",
        "2 1 6.0 6.0 aggregate",
        "load: 20.0 s, 2 stages, 3 tasks, 12.0 s of work",
        f"driver only: 10.0 s ({DRIVER})",
    ]


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_parts_of_a_log_are_read_in_the_order_of_their_numbers(tmp_path: Path, ending: str) -> None:
    write(tmp_path, f"events_10_local{ending}", LOG[4:])
    write(tmp_path, f"events_9_local{ending}", LOG[:4])
    (tmp_path / "appstatus_local").touch()
    assert list(events(tmp_path)) == LOG


def test_the_command_prints_the_table_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(write(tmp_path, "log", LOG))])
    assert capsys.readouterr().out.splitlines() == list(lines(application(LOG)))
