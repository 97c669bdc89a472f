"""Backfill: the steps of many days, one after the other, in one Spark session at most.

Each day is evaluated as of that day; notifications are stored and not sent.
"""

import time
from collections.abc import Callable, Generator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import duration
from mqcap.progress.shown import work
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.step_words import step_line

MAX_DAYS: Final = 3_660
"""Days of one backfill: ten years; a longer range is taken for a typing error (our choice)."""


class ReplayedDay(NamedTuple):
    """What a replay of a day did."""

    day: date
    counts: runner.Counts
    """Of its notifications."""
    seconds: dict[str, float]
    """Time that each step took."""


def backfill(settings: Settings, first: date, last: date, progress: Callable[[str], None]) -> None:
    """Load what has arrived, then replay every day from ``first`` to ``last``, both included.

    ``progress`` receives a line for each step of the load and for each day. It may be repeated.
    Raises ConfigurationError for a range that is empty or longer than ``MAX_DAYS``.
    """
    count = (last - first).days + 1
    if not 1 <= count <= MAX_DAYS:
        raise ConfigurationError(
            "invalid range of days",
            found=f"{first} to {last}",
            expected=f"a first day, and a last day not before it, at most {MAX_DAYS} days",
        )
    days = [first + timedelta(days=number) for number in range(count)]
    with runner.one_session():
        for step in runner.LOAD:
            progress(step_line(step.__name__, step(settings, date.min)))
        with work("backfill", len(days), "days") as shown:
            for replay in replayed(settings, days):
                seconds = sum(replay.seconds.values())
                progress(f"{step_line(str(replay.day), replay.counts)}; {duration(seconds)}")
                shown.advance()


def replayed(settings: Settings, days: Sequence[date]) -> Generator[ReplayedDay, None, None]:
    """Replay days that are loaded; yield each when it is done."""
    for day in days:
        seconds: dict[str, float] = {}
        counts: runner.Counts = {}
        steps: dict[str, Callable[[], runner.Counts]] = {
            step.__name__: partial(step, settings, day) for step in (*runner.FORECAST, runner.size)
        }
        steps["alert"] = partial(runner.alert, settings, day, replay=True)
        for name, run in steps.items():
            started = time.monotonic()
            counts = run()
            seconds[name] = round(time.monotonic() - started, 2)
        yield ReplayedDay(day, counts, seconds)
