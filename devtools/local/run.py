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
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from devtools.local import sample
from devtools.local.airflow import AIRFLOW, EARLY, LATE, USER, LocalAirflow, local_airflow
from devtools.local.airflow_api import ENDED, AirflowApi, TaskState
from devtools.local.folders import LocalFolders, local_folders
from devtools.local.postgres import shared_postgres
from devtools.local.processes import (
    FIRST_PORT,
    StartedPrograms,
    end_leftovers,
    own_port,
    polled,
)
from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.shown_text import harmless
from mqcap.installation.airflow_needs import declared_pools
from mqcap.reports.terminal_table import data_lines, table
from mqcap.settings import load_settings
from mqcap.settings.loader import write_environment_file
from mqcap.store.database import open_store
from mqcap.store.tickets import read_tickets

INTERRUPTED: Final = 130
DAG_SECONDS: Final = 300.0


class Stopped(BaseException):
    """Somebody asked us to end; not an error, so nothing that handles errors sees it."""


class LocalRun(NamedTuple):
    """The parts of one local run."""

    progress: ProgressDisplay
    programs: StartedPrograms
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
    return LocalRun(progress, programs, airflow, days)


def _work(local: LocalRun) -> date:
    with ThreadPoolExecutor(max_workers=2) as pool:
        try:
            airflow = pool.submit(_start_airflow, local)
            history = pool.submit(_load_history, local)
            both: list[Future[Any]] = [airflow, history]
            for ended in wait(both, return_when=FIRST_EXCEPTION).done:
                ended.result()  # the error that came first
            day, api = history.result(), airflow.result()
        except BaseException:
            local.programs.stop()  # before anybody waits for the threads that wait for them
            raise
    with local.progress.phase("daily run in Airflow") as working:
        run_id = api.start_day(day, {"wait_minutes": 0})
        api.set_paused(paused=False)
        follow(
            api,
            run_id,
            finished=lambda task: local.progress.print_line(
                f"  [dim]{task.task_id} {task.duration_s or 0:.1f} s[/dim]"
            ),
            working=working,
            check=local.programs.check,
        )
    print_summary(local.progress.console, local.airflow, day)
    return day


def _start_airflow(local: LocalRun) -> AirflowApi:
    with local.progress.phase("create Airflow's database"):
        command = (AIRFLOW, "db", "migrate")
        local.programs.complete("airflow-migrate", command, local.airflow.environment)
    with local.progress.phase("start Airflow"):
        local.airflow.start(local.programs, EARLY)
        local.airflow.wait_until_healthy(local.programs)
        api = local.airflow.api()
        api.wait_for_dag(DAG_SECONDS)
        for pool in declared_pools():
            api.put_pool(pool.name, pool.slots, pool.description)
    return api


def _load_history(local: LocalRun) -> date:
    folders, env = local.airflow.folders, local.airflow.environment
    with local.progress.phase("simulate the sample estate") as working:
        estate = sample.simulate(folders, local.programs, local.days, env, working)
    with local.progress.phase("load its history with Spark") as working:
        sample.load_history(folders, local.programs, estate, env, working)
    sample.deliver_last_day(folders, estate)
    return estate.last_day


def _serve(local: LocalRun) -> None:
    local.airflow.start(local.programs, LATE)
    console = local.progress.console
    console.print(f"\nOpen {local.airflow.url} as [bold]{USER}[/bold] with the password")
    console.print(f"[bold]{local.airflow.keys.password}[/bold]; the page is under Capacity.")
    console.print(commands_text(local.airflow.folders), soft_wrap=True)
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
def _only_one(folders: LocalFolders) -> Iterator[None]:
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


POLL_SECONDS: Final = 1.0
RUN_SECONDS: Final = 1_800.0
LOG_LINES: Final = 25
BUSY: Final = frozenset({"queued", "running", "up_for_retry", "up_for_reschedule", "restarting"})


def follow(
    api: AirflowApi,
    run_id: str,
    finished: Callable[[TaskState], None],
    working: Callable[[str], None],
    check: Callable[[], None],
) -> None:
    """Report each finished task and the running ones; return when the run has succeeded.

    Raises ServiceUnavailable when the run failed (with the end of the failed task's log) or did
    not end within ``RUN_SECONDS``.
    """
    seen: set[str] = set()
    for _ in polled(RUN_SECONDS, POLL_SECONDS):
        check()
        state, tasks = api.run_state(run_id), api.task_states(run_id)
        done = [task for task in tasks if task.state == "success"]
        for task in done:
            if task.task_id not in seen:
                seen.add(task.task_id)
                finished(task)
        busy = [f"{task.task_id} {task.state}" for task in tasks if task.state in BUSY]
        working(f"{len(done)} of {len(tasks)} tasks; {', '.join(busy) or state}")
        if state == "success":
            return
        if state in ENDED:
            for task in tasks:
                if task.state == "failed":
                    lines = api.task_log(run_id, task.task_id).splitlines()[-LOG_LINES:]
                    raise ServiceUnavailable(
                        f"task {task.task_id} of run {run_id} failed", found="\n".join(lines)
                    )
            raise ServiceUnavailable(f"run {run_id} failed", found="no task is marked as failed")
    raise ServiceUnavailable(f"run {run_id} did not end within {RUN_SECONDS:.0f} s")


def print_summary(console: Console, airflow: LocalAirflow, day: date) -> None:
    """Print what is over its limit, now or by forecast, and where to find emails and tickets."""
    settings = load_settings()
    engine = open_store(settings.store.url.get_secret_value())
    try:
        shown, missing = table(settings, engine, day), data_lines(engine, day)
        counted = Counter(str(ticket.state) for ticket in read_tickets(engine))
    finally:
        engine.dispose()
    states = ", ".join(f"{count} {state}" for state, count in sorted(counted.items())) or "none"
    folder = airflow.folders.mail
    mails = sorted(folder.rglob("*.eml"), key=lambda file: file.stat().st_mtime)
    mail = mails[-1] if mails else f"none was due; the folder is {folder}"
    console.print(shown, crop=False)
    console.print("\n".join(map(harmless, missing)), markup=False, soft_wrap=True)
    console.print(f"Email: {mail}", soft_wrap=True)
    console.print(f"Tickets: {states}; on the page {airflow.url}/plugin/capacity", soft_wrap=True)


LINE_SECONDS: Final = 15.0
"""Between two lines about a phase in a file (ours)."""


class ProgressDisplay(Progress):
    """Display of phases that may overlap; a file gets lines at their begin, end and between."""

    def __init__(self, console: Console) -> None:
        super().__init__(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[detail]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    @contextmanager
    def phase(self, name: str) -> Iterator[Callable[[str], None]]:
        """Show a phase; print its time when it has succeeded.

        Yields what shows its current activity, in a file every ``LINE_SECONDS``.
        """
        begin = printed = time.monotonic()
        is_file = not self.console.is_terminal
        if is_file:
            self.print_line(f"begin {name}")
        phase = self.add_task(name, total=None, detail="")

        def working(text: str) -> None:
            nonlocal printed
            self.update(phase, detail=text)
            now = time.monotonic()
            if is_file and now - printed >= LINE_SECONDS:
                printed = now
                self.print_line(f"  {name}: {text}")

        try:
            yield working
        finally:
            self.remove_task(phase)
        seconds = time.monotonic() - begin
        self.print_line(f"[green]done[/green] {name} [dim]({seconds:.1f} s)[/dim]")

    def print_line(self, text: str) -> None:
        """Print one line above the display."""
        self.console.print(text, soft_wrap=True)
