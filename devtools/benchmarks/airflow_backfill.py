"""Time of backfilled days in Airflow, by task.

``python -m devtools.benchmarks.airflow_backfill`` needs the folder that ``make demo`` has left
(``--var``). It starts its PostgreSQL and its Airflow, asks for a backfill of the days before the
last one, and prints of each day the time from its first task to its last, and of each task its
time and the time before it in which no task of the day ran. With ``--times 2`` that is a second
backfill, before which nothing has changed. Everything is stopped at the end; the rows of the days
are the same as before.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from devtools.local import sample
from devtools.local.airflow import EARLY, local_airflow
from devtools.local.airflow_api import DAILY, ENDED, AirflowApi, wait_for_dag
from devtools.local.folders import local_folders
from devtools.local.ports import FIRST_PORT, own_port
from devtools.local.postgres import shared_postgres
from devtools.local.processes import StartedPrograms
from mqcap.domain.errors import ServiceUnavailable

DAG_SECONDS: Final = 120.0
LIMIT_SECONDS: Final = 1_800.0
"""Time after which the benchmark gives up."""


class TaskTime(NamedTuple):
    """When a task was started and ended."""

    task_id: str
    started: datetime
    ended: datetime


def main(argv: Sequence[str] | None = None) -> None:
    """Run the backfill and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--var", type=Path, help="Folder of `make demo`; default: var.")
    parser.add_argument("--days", type=int, default=3, help="Days of the backfill.")
    parser.add_argument("--times", type=int, default=1, help="Times that it is done; the last one.")
    arguments = parser.parse_args(argv)
    with ExitStack() as stack:
        folders = local_folders(arguments.var)
        postgres = stack.enter_context(shared_postgres(folders.postgres))
        settings = sample.environment(folders, postgres)
        os.environ.update(settings)
        port = stack.enter_context(own_port(FIRST_PORT))
        airflow = local_airflow(folders, postgres, settings, port)
        programs = StartedPrograms(folders.logs)
        stack.callback(programs.stop)
        airflow.start(programs, EARLY)
        airflow.wait_until_healthy(programs)
        api = airflow.api()
        wait_for_dag(api, DAG_SECONDS)
        api.set_paused(paused=False)
        made = json.loads((folders.sample / sample.MADE).read_text(encoding="utf-8"))
        last = date.fromisoformat(made["last_day"]) - timedelta(days=1)
        first = last - timedelta(days=arguments.days - 1)
        _end_backfills(api)
        runs: dict[date, str] = {}
        for _ in range(arguments.times):
            api.create_backfill(first, last, reprocess="completed")
            runs = _ended(api, programs, first, last)
            _end_backfills(api)
        for day, run_id in runs.items():
            print("\n".join(lines(day, _tasks(api, run_id))))


def lines(day: date, tasks: Sequence[TaskTime]) -> Iterator[str]:
    """Yield what is printed of a day: its tasks in the order of their starts."""
    in_order = sorted(tasks, key=lambda task: task.started)
    whole = (max(task.ended for task in tasks) - in_order[0].started).total_seconds()
    busy = sum((task.ended - task.started).total_seconds() for task in tasks)
    yield f"{day}  {whole:6.1f} s from the first task to the last, {busy:6.1f} s in tasks"
    before = in_order[0].started
    for task in in_order:
        waited = (task.started - before).total_seconds()
        took = (task.ended - task.started).total_seconds()
        yield f"  {task.task_id:26} {waited:5.1f} s before it, {took:5.1f} s"
        before = task.ended


def _end_backfills(api: AirflowApi) -> None:
    """End the backfills that Airflow takes for running: it starts no other before."""
    for backfill in api.call("GET", f"/api/v2/backfills?dag_id={DAILY}")["backfills"]:
        if backfill["completed_at"] is None:
            api.call("PUT", f"/api/v2/backfills/{backfill['id']}/cancel")


def _ended(api: AirflowApi, programs: StartedPrograms, first: date, last: date) -> dict[date, str]:
    """Wait for the runs of the days; return their ids."""
    wanted = {first + timedelta(days=number) for number in range((last - first).days + 1)}
    end = time.monotonic() + LIMIT_SECONDS
    began = datetime.now().astimezone()
    while time.monotonic() < end:
        programs.check()
        runs = [run for run in _backfilled(api) if run[0] in wanted and run[2] in ENDED]
        done = {day: run_id for day, run_id, _, ended in runs if ended > began}
        if set(done) == wanted:
            return dict(sorted(done.items()))
        time.sleep(1)
    raise ServiceUnavailable(f"the backfill did not end within {LIMIT_SECONDS:.0f} s")


def _backfilled(api: AirflowApi) -> Iterator[tuple[date, str, str, datetime]]:
    """Yield day, id, state and end of each run that has ended."""
    answer = api.call("GET", f"/api/v2/dags/{DAILY}/dagRuns?limit=100&order_by=-logical_date")
    for run in answer["dag_runs"]:
        if run["end_date"]:
            day = datetime.fromisoformat(run["logical_date"]).date()
            yield day, run["dag_run_id"], run["state"], datetime.fromisoformat(run["end_date"])


def _tasks(api: AirflowApi, run_id: str) -> list[TaskTime]:
    path = f"/api/v2/dags/{DAILY}/dagRuns/{quote(run_id, safe='')}/taskInstances?limit=100"
    items: list[dict[str, Any]] = api.call("GET", path)["task_instances"]
    return [
        TaskTime(
            item["task_id"],
            datetime.fromisoformat(item["start_date"]),
            datetime.fromisoformat(item["end_date"]),
        )
        for item in items
        if item["start_date"]
    ]


if __name__ == "__main__":
    main()
