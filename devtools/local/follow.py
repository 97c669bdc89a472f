"""Follow a run of the daily DAG until it ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from devtools.local.airflow_api import ENDED, AirflowApi, TaskState
from mqcap.domain.errors import ServiceUnavailable

POLL_SECONDS: Final = 1.0
RUN_SECONDS: Final = 1_800.0
LOG_LINES: Final = 25


def follow(
    api: AirflowApi,
    run_id: str,
    finished: Callable[[TaskState], None],
    working: Callable[[str], None],
    check: Callable[[], None],
) -> None:
    """Report each finished task and the running ones; return when the run has succeeded.

    Raises:
        ServiceUnavailable: the run failed (with the end of the failed task's log) or did not end
            within ``RUN_SECONDS``.
    """
    seen: set[str] = set()
    end = time.monotonic() + RUN_SECONDS
    while time.monotonic() < end:
        check()
        state = api.run_state(run_id)
        tasks = api.task_states(run_id)
        for task in tasks:
            if task.state == "success" and task.task_id not in seen:
                seen.add(task.task_id)
                finished(task)
        working(_activity(tasks, state))
        if state == "success":
            return
        if state in ENDED:
            raise _failed(api, run_id, tasks)
        time.sleep(POLL_SECONDS)
    raise ServiceUnavailable(f"run {run_id} did not end within {RUN_SECONDS:.0f} s")


def _activity(tasks: list[TaskState], run_state: str) -> str:
    busy = [f"{task.task_id} {task.state}" for task in tasks if task.state in BUSY]
    done = sum(1 for task in tasks if task.state == "success")
    return f"{done} of {len(tasks)} tasks; {', '.join(busy) or run_state}"


BUSY: Final = frozenset({"queued", "running", "up_for_retry", "up_for_reschedule", "restarting"})


def _failed(api: AirflowApi, run_id: str, tasks: list[TaskState]) -> ServiceUnavailable:
    failed = next((task.task_id for task in tasks if task.state == "failed"), None)
    if failed is None:
        return ServiceUnavailable(f"run {run_id} failed", found="no task is marked as failed")
    lines = api.task_log(run_id, failed).splitlines()[-LOG_LINES:]
    return ServiceUnavailable(f"task {failed} of run {run_id} failed", found="\n".join(lines))
