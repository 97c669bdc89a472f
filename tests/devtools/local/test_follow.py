"""Following a run to its end: programs that stop, runs without an end, failures without a task."""

from typing import Any, cast

import pytest

from devtools.local import run as module
from devtools.local.airflow_api import AirflowApi, TaskState
from devtools.local.run import follow
from mqcap.domain.errors import ServiceUnavailable


class ScriptedApi:
    """Answers with states of the run and its tasks one after the other; the last ones stay."""

    def __init__(self, *answers: tuple[str, list[TaskState]]) -> None:
        self.answers = list(answers)

    def run_state(self, _run_id: str) -> str:
        return self.answers[0][0]

    def task_states(self, _run_id: str) -> list[TaskState]:
        _, tasks = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return tasks

    def task_log(self, _run_id: str, task_id: str) -> str:
        return "\n".join(f"{task_id} line {number}" for number in range(100))


def tasks(**states: str | None) -> list[TaskState]:
    return [TaskState(name, state, None) for name, state in states.items()]


def followed(api: ScriptedApi, check: Any = lambda: None) -> list[str]:
    """Return each finished task and what was at work, in order."""
    told: list[str] = []
    follow(
        cast("AirflowApi", api), "r1", lambda task: told.append(task.task_id), told.append, check
    )
    return told


def test_each_task_is_reported_once_and_what_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_SECONDS", 0.0)
    api = ScriptedApi(
        ("running", tasks(land="running", decode=None)),
        ("running", tasks(land="success", decode="up_for_retry")),
        ("success", tasks(land="success", decode="success")),
    )
    assert followed(api) == [
        "0 of 2 tasks; land running", "land", "1 of 2 tasks; decode up_for_retry", "decode",
        "2 of 2 tasks; success",
    ]  # fmt: skip


def test_a_program_that_ends_while_the_run_goes_on_is_an_error_at_once() -> None:
    def check() -> None:
        raise ServiceUnavailable("scheduler ended")

    with pytest.raises(ServiceUnavailable, match="scheduler ended"):
        followed(ScriptedApi(("running", [])), check)


def test_a_failed_task_is_named_with_the_end_of_its_log() -> None:
    api = ScriptedApi(("failed", tasks(land="failed", decode="upstream_failed")))
    with pytest.raises(ServiceUnavailable, match="task land of run r1 failed") as raised:
        followed(api)
    assert "land line 99" in str(raised.value)
    assert f"land line {99 - module.LOG_LINES}\n" not in str(raised.value)


def test_a_failed_run_without_a_failed_task_says_so() -> None:
    with pytest.raises(ServiceUnavailable, match="no task is marked as failed"):
        followed(ScriptedApi(("failed", tasks(land="upstream_failed"))))


def test_a_run_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUN_SECONDS", 0.05)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.01)
    with pytest.raises(ServiceUnavailable, match="r1 did not end within"):
        followed(ScriptedApi(("running", [])))
