"""Backfill: the steps of many days, one after the other, in one Spark session.

Each day is judged with what was known on it, so that the result is that of as many daily runs;
nothing is sent, and what would have been said is stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from mqcap.steps import runner

MOST_DAYS: Final = 3_660
"""Days of one backfill: ten years; more is taken for a slip of the pen (ours)."""


def backfill(settings: Settings, first: date, last: date, say: Callable[[str], None]) -> None:
    """Load what has arrived, then replay every day from ``first`` to ``last``, both included.

    ``say`` is given one line for each step of the load and one for each day. A backfill that was
    killed is repeated: every day replaces its own rows. Raises ConfigurationError for a range
    that is none.
    """
    days = list(_days(first, last))
    from spark_apps.runtime.session import (  # noqa: PLC0415 - pyspark is slow to import
        spark_session,
    )

    with spark_session("backfill", settings.spark):
        for step in runner.LOAD:
            say(runner.line(step.__name__, step(settings, date.min)))
        for day in days:
            say(_replay(settings, day))


def _replay(settings: Settings, day: date) -> str:
    """One day; its line says how long each step has taken."""
    seconds = {}
    counts: runner.Counts = {}
    for step in (*runner.JUDGE, _tell_nobody):
        begun = time.monotonic()
        counts = step(settings, day)
        seconds[step.__name__.strip("_")] = round(time.monotonic() - begun, 2)
    return runner.line(f"{day}", {**counts, "seconds": seconds})


def _tell_nobody(settings: Settings, day: date) -> runner.Counts:
    return runner.alert(settings, day, replay=True)


def _days(first: date, last: date) -> Iterator[date]:
    count = (last - first).days + 1
    if not 1 <= count <= MOST_DAYS:
        raise ConfigurationError(
            "this is no range of days",
            found=f"{first} to {last}",
            expected=f"a first day, and a last day not before it, at most {MOST_DAYS} days",
        )
    return (first + timedelta(days=number) for number in range(count))
