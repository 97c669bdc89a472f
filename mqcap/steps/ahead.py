"""Forecasts of the next day of a backfill, by another process while the rules of a day are judged.

What forecasts rest on - observations, estate, drivers, forecasts of the days before - is there once
the forecasts of the day before are stored; no finding, plan or notification is among it. Nor does a
day's judgement look at later forecasts, so that the rows are those of one step after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from functools import partial
from typing import Final

from mqcap.settings import Settings
from mqcap.steps import runner
from spark_apps.runtime.worker_processes import WorkerProcesses

Seconds = dict[str, float]
"""Time of each step by its name."""
NICENESS: Final = 5
"""Of the process that is a day ahead, above that of the command, which is waited for (ours)."""


@contextmanager
def forecast_days(settings: Settings, days: Sequence[date]) -> Iterator[Iterator[Seconds]]:
    """Yield what forecasts day after day: a day's forecasts are stored when its seconds are given.

    Those of the next day are then begun by a process of its own, which ends with the block. What
    needs Spark is done in this process, and so is the forecast of a single day.
    """
    if len(days) == 1:
        yield (_completed(settings, day, {}) for day in days)
        return
    process = WorkerProcesses(1, NICENESS)
    with ThreadPoolExecutor(1) as thread:
        try:
            yield _each(
                settings, days, lambda day: thread.submit(_asked, process, settings, day).result
            )
        finally:
            process.close()


def _each(
    settings: Settings, days: Sequence[date], begin: Callable[[date], Callable[[], Seconds]]
) -> Iterator[Seconds]:
    coming = begin(days[0])
    for number, day in enumerate(days, 1):
        seconds = _completed(settings, day, coming())
        if number < len(days):
            coming = begin(days[number])
        yield seconds


def _asked(process: WorkerProcesses, settings: Settings, day: date) -> Seconds:
    [seconds] = process.results([partial(made_ahead, settings, day)])
    return seconds


def made_ahead(settings: Settings, day: date) -> Seconds:
    """Make the forecasts of a day as far as no Spark is needed; return the seconds of each step.

    Rolling origins are left to be stored in turn: rules look at the newest of those before a day.
    """
    seconds: Seconds = {}
    with timed(seconds, "export_training"):
        runner.export_training(settings, day)
    with timed(seconds, "fit"):
        counts = runner.without_spark(settings, day, "fit", runner.FORECAST_APP)
    if counts is None:
        del seconds["fit"]
    elif "hold_out_days" not in counts:
        with timed(seconds, "store_forecasts"):
            runner.store_forecasts(settings, day)
    return seconds


def _completed(settings: Settings, day: date, done: Seconds) -> Seconds:
    """Run the steps of the forecasts that are not done; return the seconds of all."""
    for step in runner.FORECAST:
        if step.__name__ not in done:
            with timed(done, step.__name__):
                step(settings, day)
    return done


@contextmanager
def timed(seconds: Seconds, step: str) -> Iterator[None]:
    """Add the time of the block."""
    started = time.monotonic()
    yield
    seconds[step] = round(time.monotonic() - started, 2)
