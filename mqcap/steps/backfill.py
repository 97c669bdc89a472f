"""Backfill: the steps of many days, one after the other, in one Spark session at most.

The session is started by the first step that needs one, if any does. Each day is evaluated as of
that day, so that the result is that of as many daily runs; notifications are stored and not sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.steps import runner
from spark_apps.runtime.kept import kept_session

MAX_DAYS: Final = 3_660
"""Days of one backfill: ten years; a longer range is taken for a typing error (our choice)."""


def backfill(settings: Settings, first: date, last: date, progress: Callable[[str], None]) -> None:
    """Load what has arrived, then replay every day from ``first`` to ``last``, both included.

    ``progress`` receives one line for each step of the load and one for each day. A backfill that
    was interrupted may be repeated: every day replaces its own rows.

    Raises:
        ConfigurationError: the range is empty, or longer than ``MAX_DAYS``.
    """
    days = list(_days(first, last))
    with kept_session():
        for step in runner.LOAD:
            progress(runner.line(step.__name__, step(settings, date.min)))
        for day in tracked(days, "backfill", "days"):
            progress(_replay(settings, day))


def _replay(settings: Settings, day: date) -> str:
    """Run the steps of one day; return its log line with the seconds of each step."""
    steps = {step.__name__: step for step in runner.JUDGE}
    steps["alert"] = partial(runner.alert, replay=True)
    seconds = {}
    counts: runner.Counts = {}
    for name, step in steps.items():
        started = time.monotonic()
        counts = step(settings, day)
        seconds[name] = round(time.monotonic() - started, 2)
    return runner.line(f"{day}", {**counts, "seconds": seconds})


def _days(first: date, last: date) -> Iterator[date]:
    count = (last - first).days + 1
    if not 1 <= count <= MAX_DAYS:
        raise ConfigurationError(
            "invalid range of days",
            found=f"{first} to {last}",
            expected=f"a first day, and a last day not before it, at most {MAX_DAYS} days",
        )
    return (first + timedelta(days=number) for number in range(count))
