"""Cost of a step in this process and all that it starts: time, processor time, peak memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

import psutil

from mqcap.domain.units import MIB_BYTES

SAMPLE_SECONDS: Final = 0.2
"""Time between two looks at the processes."""


class StepCost(NamedTuple):
    """Cost of a step in all its processes; the memory is the highest sum of theirs."""

    name: str
    seconds: float
    cpu_seconds: float
    peak_mib: float


@contextmanager
def measured(costs: list[StepCost], name: str) -> Iterator[None]:
    """Add the cost of the block."""
    ended, peak = threading.Event(), [0.0]
    before = _cpu_by_process()
    seen = dict(before)

    def look() -> None:
        peak[0] = max(peak[0], _memory_mib())
        seen.update(_cpu_by_process())

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            look()

    watcher = threading.Thread(target=watch, daemon=True)
    started = time.perf_counter()
    watcher.start()
    try:
        yield
    finally:
        seconds = time.perf_counter() - started
        ended.set()
        watcher.join()
        look()
    cpu = sum(seen.values()) - sum(before.values())
    costs.append(StepCost(name, seconds, cpu, peak[0]))


def _processes() -> list[psutil.Process]:
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def _memory_mib() -> float:
    """Return the resident memory of all processes; shared pages count in each."""
    total = 0
    for process in _processes():
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total / MIB_BYTES


def _cpu_by_process() -> dict[tuple[int, float], float]:
    """Return the seconds of each process, by id and start; a process that ended keeps its last."""
    found: dict[tuple[int, float], float] = {}
    for process in _processes():
        with suppress(psutil.NoSuchProcess):
            found[process.pid, process.create_time()] = sum(process.cpu_times()[:2])
    return found
