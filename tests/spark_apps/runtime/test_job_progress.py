"""Progress of Spark jobs, from what the session tells of its tasks."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest
from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from mqcap.progress.json_log import VARIABLE
from mqcap.progress.shown import Work, show_on
from spark_apps.runtime import job_progress as module
from spark_apps.runtime.job_progress import job_progress, write_line
from tests.mqcap.progress.displays import Noted

STAGES = {1: (4, 4), 2: (8, 3)}
"""Tasks and ended tasks of each stage that has begun; stage 3 has not."""


class Session:
    """A session and its context with one job of three stages in the group that was set."""

    def __init__(self) -> None:
        self.group: str | None = None

    @property
    def sparkContext(self) -> Session:  # noqa: N802 - the name that Spark has
        return self

    def setJobGroup(self, group: str, _description: str) -> None:  # noqa: N802 - the name that Spark has
        self.group = group

    def setLocalProperty(self, key: str, value: str | None) -> None:  # noqa: N802 - the name that Spark has
        assert key == "spark.jobGroup.id"
        self.group = value

    def statusTracker(self) -> Session:  # noqa: N802 - the name that Spark has
        return self

    def getJobIdsForGroup(self, group: str) -> list[int]:  # noqa: N802 - the name that Spark has
        return [7, 8] if group == self.group else []

    def getJobInfo(self, number: int) -> Any:  # noqa: N802 - the name that Spark has
        return SimpleNamespace(stageIds=[1, 2, 3]) if number == 7 else None

    def getStageInfo(self, number: int) -> Any:  # noqa: N802 - the name that Spark has
        if number not in STAGES:
            return None
        tasks, ended = STAGES[number]
        return SimpleNamespace(numTasks=tasks, numCompletedTasks=ended)


class Ended(Session):
    """A session that has ended."""

    def statusTracker(self) -> Session:  # noqa: N802 - the name that Spark has
        raise Py4JError("no gateway")


class Awaited(Noted):
    """A display that notes its calls, and whose first change can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.has_changed = threading.Event()

    def changed(self, shown: Work) -> None:
        super().changed(shown)
        self.has_changed.set()


def test_ended_tasks_count_of_all_that_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASK_SECONDS", 0.001)
    display, session = Awaited(), Session()
    with show_on(display), job_progress(cast("SparkSession", session), "decode"):
        assert display.has_changed.wait(30)
    assert session.group is None
    assert display.calls[:2] == ["decode begun", "7 of 12 tasks"]
    assert display.calls[-2:] == ["decode ended", "closed"]


def test_a_session_that_has_ended_is_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ASK_SECONDS", 0.0)
    display = Noted()
    with show_on(display), job_progress(cast("SparkSession", Ended()), "decode"):
        pass
    assert display.calls == ["decode begun", "decode ended", "closed"]


def test_a_submitted_application_writes_to_its_error_stream(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_line("decode: 3 of 4")
    assert capsys.readouterr().err == "decode: 3 of 4\n"
    monkeypatch.setenv(VARIABLE, "json")
    write_line("decode: 3 of 4")
    assert json.loads(capsys.readouterr().err)["message"] == "decode: 3 of 4"
