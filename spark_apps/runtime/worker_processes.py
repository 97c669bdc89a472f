"""Python processes of this machine that work like Spark's workers, for work that needs no Spark.

A Spark session costs several seconds of processor time before its first task.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, Final, TypeVar

from mqcap.domain.errors import ServiceUnavailable
from mqcap.ingest.parallel import processors
from spark_apps.runtime.kept import at_its_end

Result = TypeVar("Result")

WORKER_ENVIRONMENT: Final[Mapping[str, str]] = {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
"""Of every worker, Spark's too: they share the processors, and figures do not depend on threads."""
_MODULE: Final = "spark_apps.runtime.worker_process"
_ENDED: Final = (EOFError, BrokenPipeError, pickle.UnpicklingError)


class WorkerProcesses:
    """Processes that are started when there are tasks for them, one for each processor at most."""

    def __init__(self, count: int, niceness: int = 0) -> None:
        """The largest number of processes; none is started yet.

        Each yields to this process by ``niceness`` (of ``nice``), and so do those that it starts.
        """
        self.count = count
        self._niceness = niceness
        self._started: list[subprocess.Popen[bytes]] = []

    def results(self, tasks: Sequence[Callable[[], Result]]) -> Iterator[Result]:
        """Yield the result of each task in their order; tasks and results must be picklable.

        Tasks of the same numbers as before go to the same processes, which may have kept something,
        as long as no process is idle. Raises the first error of a task, and ServiceUnavailable when
        a process ends without an answer.
        """
        wanted = min(self.count, len(tasks))
        while len(self._started) < wanted:
            self._started.append(_started(self._niceness))
        answers: list[Future[Result]] = [Future() for _ in tasks]
        left, turn = set(range(len(tasks))), Lock()

        def work(place: int) -> None:
            while True:
                with turn:
                    if not left:
                        return
                    number = next_task(left, place, wanted)
                    left.remove(number)
                try:
                    answers[number].set_result(_asked(self._started[place], tasks[number]))
                except Exception as error:  # noqa: BLE001 - raised where the result is asked for
                    answers[number].set_exception(error)

        with ThreadPoolExecutor(wanted or 1) as pool:
            for place in range(wanted):
                pool.submit(work, place)
            try:
                for answer in answers:
                    yield answer.result()
            finally:
                with turn:
                    left.clear()

    def close(self) -> None:
        """End all processes, those that work too."""
        for process in self._started:
            process.kill()
        for process in self._started:
            process.communicate()
        self._started.clear()


def next_task(left: Collection[int], place: int, count: int) -> int:
    """Return the task that the process of a place does next: its own ones first, by their number.

    Each of ``count`` processes has every ``count``-th task; then it takes those of the others.
    """
    return min(left, key=lambda number: (number % count != place, number))


@contextmanager
def worker_processes(master: str) -> Iterator[WorkerProcesses]:
    """Yield processes, as many as Spark would have workers here; they end with the block.

    The end is that of the block of ``kept_session``, where there is one around: its next step, or
    day, has the same processes. ``master`` is ``spark.master`` of the settings.
    """
    if _kept:
        yield _kept[-1]
        return
    _kept.append(WorkerProcesses(worker_count(master)))
    with at_its_end(_end):
        yield _kept[-1]


_kept: Final[list[WorkerProcesses]] = []


def _end() -> None:
    _kept.pop().close()


def worker_count(master: str) -> int:
    """Return n of a master ``local[n]``, at most the number of processors, else that number."""
    local = re.fullmatch(r"local(?:\[(\d+)\])?", master)
    return min(int(local[1] or 1), processors()) if local else processors()


def _started(niceness: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 - this Python, and a module of ours
        [sys.executable, "-P", "-m", _MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **WORKER_ENVIRONMENT},
    )
    if niceness:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        with suppress(PermissionError):  # it is slower then, and as right
            os.setpriority(os.PRIO_PROCESS, process.pid, own + niceness)
    return process


def _asked(process: subprocess.Popen[bytes], task: Callable[[], Result]) -> Result:
    """Send a task to a process, and return its result or raise its error."""
    given: Any
    try:
        pickle.dump(task, process.stdin)  # type: ignore[arg-type]  # a pipe
        process.stdin.flush()  # type: ignore[union-attr]  # a pipe
        given = pickle.load(process.stdout)  # type: ignore[arg-type]  # noqa: S301 - our own process
    except _ENDED as error:
        raise ServiceUnavailable(
            "a worker process has ended before its task",
            found=_end_of(process),
            expected="an answer",
            remedy="See its last words above, and whether memory was short; then run the step "
            "again.",
        ) from error
    if given.error is not None:
        raise given.error
    return given.result  # type: ignore[no-any-return]  # of this task


def _end_of(process: subprocess.Popen[bytes]) -> str:
    code = process.wait()
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
