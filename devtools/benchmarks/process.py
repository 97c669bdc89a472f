"""Cost of a command as a process: wall time, CPU seconds with its children, peak memory."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    """Cost of a process; memory is that of its largest single process."""

    wall_seconds: float
    cpu_seconds: float
    peak_mib: float


def run(command: Sequence[str], processors: int, runs: int, out: Path | None = None) -> Cost:
    """The median of some runs on so many processors; raises RuntimeError when one fails.

    ``out`` is the folder that it writes, removed before every run: deleting what stood there is
    not part of the work. Modules are compiled already, as they are where a product is installed.
    """
    costs = []
    for _ in range(runs):
        if out is not None:
            shutil.rmtree(out, ignore_errors=True)
        costs.append(_once(command, processors))
    return Cost(*(statistics.median(values) for values in zip(*costs, strict=True)))


def usable_processors() -> list[int]:
    """The processors that this process may use."""
    return sorted(os.sched_getaffinity(0))


def _once(command: Sequence[str], processors: int) -> Cost:
    chosen = usable_processors()[-processors:]
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, chosen),  # noqa: PLW1509 - no threads here
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
