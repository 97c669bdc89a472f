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
    before = _cpu_seconds()

    def look() -> None:
        peak[0] = max(peak[0], _memory_mib())

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
    costs.append(StepCost(name, seconds, _cpu_seconds() - before, peak[0]))


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


def _cpu_seconds() -> float:
    """Return the seconds of all processes, with those of the children whose end they have seen."""
    total = 0.0
    for process in _processes():
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])
    return total
