"""Everything on this machine: sample estate, history, one daily run in Airflow, the pages.

The slow parts overlap: Airflow's database is made while the estate is simulated, and Airflow
starts while Spark loads the history. Running it again reuses what is there.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import signal
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from devtools.local import sample
from devtools.local.airflow import EARLY, LATE, USER, LocalAirflow, local_airflow
from devtools.local.airflow_api import AirflowApi, wait_for_dag
from devtools.local.folders import LocalFolders, local_folders
from devtools.local.follow import follow
from devtools.local.leftovers import end_leftovers
from devtools.local.ports import FIRST_PORT, own_port
from devtools.local.postgres import Postgres, shared_postgres
from devtools.local.processes import StartedPrograms
from devtools.local.progress import ProgressDisplay
from devtools.local.summary import print_summary
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.installation.airflow_needs import declared_pools
from mqcap.settings.environment_file import write_environment_file

INTERRUPTED: Final = 130
DAG_SECONDS: Final = 300.0


class Stopped(BaseException):
    """Somebody asked us to end; not an error, so nothing that handles errors sees it."""


@dataclass(frozen=True)
class LocalRun:
    """The parts of one local run."""

    folders: LocalFolders
    progress: ProgressDisplay
    programs: StartedPrograms
    postgres: Postgres
    airflow: LocalAirflow
    days: int


def run(*, serve: bool = True, days: int = 400, var: Path | None = None) -> int:
    """Do it all; returns the exit code of the command.

    ``days`` is the length of the simulated history. With ``serve`` it returns after Ctrl-C.
    """
    console = Console(highlight=False)
    folders = local_folders(var)
    begin = time.monotonic()
    ready = False
    try:
        with ExitStack() as stack:
            stack.enter_context(_only_one(folders))
            stack.enter_context(_asked_to_stop())
            local = _prepare(stack, folders, console, days)
            day = _work(local)
            ready = True
            console.print(f"Ready after {time.monotonic() - begin:.0f} s.")
            if serve:
                _serve(local)
            else:
                console.print(f"The report is for {day}. `make run` leaves the pages open.")
                console.print(commands_text(folders), soft_wrap=True)
    except Stopped:
        return 0 if ready else INTERRUPTED
    except CapacityError as error:
        console.print("[red]error:[/red]", escape(str(error)), soft_wrap=True)
        return 1
    return 0


def _prepare(stack: ExitStack, folders: LocalFolders, console: Console, days: int) -> LocalRun:
    if ended := end_leftovers(folders.var):
        console.print(
            f"Ended {ended} programs that a run in this folder had left when it was killed."
        )
    progress = stack.enter_context(ProgressDisplay(console))
    with progress.phase("start PostgreSQL"):
        postgres = stack.enter_context(shared_postgres(folders.postgres))
    settings = sample.environment(folders, postgres)
    write_environment_file(folders.environment_file, settings)
    os.environ.update(settings)  # this process reads the settings too, for the table
    port = stack.enter_context(own_port(FIRST_PORT))
    airflow = local_airflow(folders, postgres, settings, port)
    if port != FIRST_PORT:
        progress.print_line(f"Port {FIRST_PORT} is taken: Airflow uses {port}.")
    programs = StartedPrograms(folders.logs)
    stack.callback(programs.stop)
    return LocalRun(folders, progress, programs, postgres, airflow, days)


def _work(local: LocalRun) -> date:
    """Do everything up to the printed report; return the day it is about."""
    with ThreadPoolExecutor(max_workers=2) as pool, _stop_first(local.programs):
        airflow = pool.submit(_start_airflow, local)
        history = pool.submit(_load_history, local)
        both: list[Future[Any]] = [airflow, history]
        for ended in wait(both, return_when=FIRST_EXCEPTION).done:
            ended.result()  # the error that came first
        day, api = history.result(), airflow.result()
    with local.progress.phase("daily run in Airflow"):
        _daily_run(local, api, day)
    print_summary(local.progress.console, local.airflow, local.folders, day)
    return day


def _start_airflow(local: LocalRun) -> AirflowApi:
    with local.progress.phase("create Airflow's database"):
        local.airflow.migrate(local.programs)
    with local.progress.phase("start Airflow"):
        local.airflow.start(local.programs, EARLY)
        local.airflow.wait_until_healthy(local.programs)
        api = local.airflow.api()
        wait_for_dag(api, DAG_SECONDS)
        for pool in declared_pools():
            api.put_pool(pool.name, pool.slots, pool.description)
    return api


def _load_history(local: LocalRun) -> date:
    env = local.airflow.environment
    simulate, load = "simulate the sample estate", "load its history with Spark"
    with local.progress.phase(simulate):
        working = partial(local.progress.detail, simulate)
        estate = sample.simulate(local.folders, local.programs, local.days, env, working)
    with local.progress.phase(load):
        working = partial(local.progress.detail, load)
        sample.load_history(local.folders, local.programs, estate, env, working)
    sample.deliver_last_day(local.folders, estate)
    return estate.last_day


def _daily_run(local: LocalRun, api: AirflowApi, day: date) -> None:
    run_id = api.start_day(day, {"wait_minutes": 0})
    api.set_paused(paused=False)
    follow(
        api,
        run_id,
        finished=lambda task: local.progress.print_line(
            f"  [dim]{task.task_id} {task.duration_s or 0:.1f} s[/dim]"
        ),
        working=lambda text: local.progress.detail("daily run in Airflow", text),
        check=local.programs.check,
    )


def _serve(local: LocalRun) -> None:
    local.airflow.start(local.programs, LATE)
    console = local.progress.console
    console.print(f"\nOpen {local.airflow.url} as [bold]{USER}[/bold] with the password")
    console.print(f"[bold]{local.airflow.keys.password}[/bold]; the page is under Capacity.")
    console.print(commands_text(local.folders), soft_wrap=True)
    console.print("Ctrl-C stops everything.")
    while True:
        time.sleep(1)
        local.programs.check()


def commands_text(folders: LocalFolders) -> str:
    """Return the line to type in another terminal for ``mqcap`` commands on the sample data."""
    return (
        "Commands on this data, in any terminal: "
        f"[bold]cd {shlex.quote(str(folders.checkout))}; . .venv/bin/activate; mqcap plan[/bold]"
    )


@contextmanager
def _stop_first(programs: StartedPrograms) -> Iterator[None]:
    """Stop the programs on any error, before anybody waits for the threads that wait for them."""
    try:
        yield
    except BaseException:
        programs.stop()
        raise


@contextmanager
def _only_one(folders: LocalFolders) -> Iterator[None]:
    """Hold the lock of this installation; ConfigurationError when another run has it."""
    with (folders.var / "run.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConfigurationError(
                f"another `make run` is using {folders.var}",
                remedy="End it with Ctrl-C in its terminal.",
            ) from error
        yield


@contextmanager
def _asked_to_stop() -> Iterator[None]:
    """Turn the first Ctrl-C, SIGTERM or closed terminal into ``Stopped``; ignore further ones."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(_number: int, _frame: FrameType | None) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise Stopped

    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
