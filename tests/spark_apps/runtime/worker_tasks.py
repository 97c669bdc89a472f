"""Tasks for worker processes, which import them from here."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time

from mqcap.domain.errors import InputError
from spark_apps.runtime.worker_processes import WorkerProcesses


def late(seconds: float, result: int) -> int:
    """Return the result after a while."""
    time.sleep(seconds)
    return result


def threads() -> str:
    """Return how many threads linear algebra may have."""
    return os.environ["OMP_NUM_THREADS"]


def niceness() -> int:
    """Return the niceness of this process."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def niceness_of_a_child() -> int:
    """Return the niceness of a process that this one starts."""
    workers = WorkerProcesses(1)
    [child] = workers.results([niceness])
    workers.close()
    return child


def printed() -> str:
    """Print something, and return it."""
    sys.stdout.write("printed")
    os.write(1, b"printed too\n")
    return "printed"


def killed(number: signal.Signals) -> None:
    """End this process by a signal."""
    os.kill(os.getpid(), number)
    time.sleep(60)


def fails(kind: str) -> None:
    """Raise an error of a kind."""
    if kind == "input":
        raise InputError("too short", file="a.csv", found="1", expected="2")
    if kind == "disk":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a.csv")
    raise KeyError(kind)
