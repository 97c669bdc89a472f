"""Following a run to its end: programs that stop, runs without an end, failures without a task."""

from typing import Any, cast

import pytest

from devtools.local import run as module
from devtools.local.airflow_api import AirflowApi, TaskState
from devtools.local.run import follow
from mqcap.domain.errors import ServiceUnavailable


class ScriptedApi:
    """Answers with one state of the run and its tasks, whatever is asked."""

    def __init__(self, state: str, *tasks: TaskState) -> None:
        self.state = state
        self.tasks = list(tasks)

    def run_state(self, _run_id: str) -> str:
        return self.state

    def task_states(self, _run_id: str) -> list[TaskState]:
        return self.tasks

    def task_log(self, _run_id: str, task_id: str) -> str:
        return "\n".join(f"{task_id} line {number}" for number in range(100))


def followed(api: ScriptedApi, check: Any = lambda: None) -> list[str]:
    reported: list[str] = []

    def finished(task: TaskState) -> None:
        reported.append(task.task_id)

    follow(cast("AirflowApi", api), "r1", finished, reported.append, check)
    return reported


def test_a_program_that_ends_while_the_run_goes_on_is_an_error_at_once() -> None:
    def check() -> None:
        raise ServiceUnavailable("scheduler ended")

    with pytest.raises(ServiceUnavailable, match="scheduler ended"):
        followed(ScriptedApi("running"), check)


def test_a_failed_task_is_named_with_the_end_of_its_log() -> None:
    api = ScriptedApi("failed", TaskState("land", "failed", 1.0))
    with pytest.raises(ServiceUnavailable, match="task land of run r1 failed") as raised:
        followed(api)
    assert "land line 99" in str(raised.value)
    assert f"land line {99 - module.LOG_LINES}\n" not in str(raised.value)


def test_a_failed_run_without_a_failed_task_says_so() -> None:
    with pytest.raises(ServiceUnavailable, match="no task is marked as failed"):
        followed(ScriptedApi("failed", TaskState("land", "upstream_failed", None)))


def test_a_run_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUN_SECONDS", 0.05)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.01)
    with pytest.raises(ServiceUnavailable, match="r1 did not end within"):
        followed(ScriptedApi("running"))
