"""Prove that a backfill of many days is as many daily runs: ``python -m tests.faults.year``.

One simulated site is lived three times at the same place. Day by day, each day's files arriving
before its run; at once, everything arriving before one backfill; and once more, a week in the
middle backfilled again while all later days are known. What they leave is compared row by row and
file by file, and every difference is named.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Final, TypeVar

from mqcap.notifications.problem_history import problems_on
from mqcap.settings import SparkSettings, load_settings
from mqcap.steps.backfill import backfill
from mqcap.store.database import open_store
from spark_apps.runtime.session import spark_session
from tests.faults.notified import comparable, sent, sent_otherwise
from tests.faults.site import (
    LAST_DAY,
    ORDER,
    Contents,
    Site,
    contents,
    inside,
    simulate_days,
)

LIVE: Final = "live"
AT_ONCE: Final = "at once"
WEEK_DAYS: Final = 7
SHOWN: Final = 40
"""Differences that are printed one by one; the others are counted."""

Say = Callable[[str], None]
T = TypeVar("T")


def compare(folder: Path, days: int, say: Say, minutes: float = math.inf) -> list[str]:
    """Names of all differences between the lives of a site; none is what is wanted.

    The days that cannot be lived in so many ``minutes`` are left out of everything.
    """
    first = LAST_DAY - timedelta(days=days - 1)
    site = simulate_days(folder, days)
    site.keep("empty")
    with inside(site), _one_session():
        last = _timed(say, "live", lambda: _live(site, first, say, minutes))
        lived, result = _kept(site, LIVE, (first, last), say)
        site.back_to("empty")
        site.deliver(last)
        _timed(say, f"backfill {first} to {last}", lambda: _replay(first, last))
        at_once, more = _kept(site, AT_ONCE, (first, last), say)
    result += more
    result += [f"not sent as stored: {item}" for item in sent_otherwise(lived)]
    result += [f"sent by the backfill: {item}" for item in sent(at_once)]
    ours, theirs = (comparable(item) for item in (at_once, lived))
    result += [f"{AT_ONCE}, and {LIVE}: {item}" for item in _unlike(ours, theirs)]
    say(f"{(last - first).days + 1} days, {len(theirs)} compared: {_counted(theirs)}")
    say(f"sent {LIVE}: {_counted(dict.fromkeys(sent(lived)))}; {AT_ONCE}: {len(sent(at_once))}")
    return result


def _kept(site: Site, name: str, days: tuple[date, date], say: Say) -> tuple[Contents, list[str]]:
    """What there is now; and what differs when a past week is backfilled once more."""
    site.keep(name)
    wanted, again = site.left_after(name), _a_week(*days)
    _timed(say, f"{again[0]} to {again[1]} again", lambda: _again(site, again, days[1]))
    return wanted, [
        f"a week again, {name}: {item}" for item in _unlike(contents(site.work), wanted)
    ]


@contextmanager
def _one_session() -> Iterator[None]:
    options = SparkSettings(master="local[2]", shuffle_partitions=2, driver_memory="1g")
    with spark_session("year", options):
        yield


def _live(site: Site, first: date, say: Say, minutes: float) -> date:
    """Each day as its files arrive: every step, email and tickets. Returns the last day."""
    day, deadline = first, time.monotonic() + 60.0 * minutes
    while True:
        site.deliver(day, since=day)
        begun = time.monotonic()
        for step in ORDER:
            site.run(step, day)
        say(f"{day}: {time.monotonic() - begun:.1f} s")
        if day == LAST_DAY or time.monotonic() > deadline:
            return day
        day += timedelta(days=1)


def _replay(first: date, last: date) -> None:
    backfill(load_settings(), first, last, lambda _: None)


def _again(site: Site, days: tuple[date, date], last: date) -> None:
    """Backfill some days; the newest day run again forgets their models, which are too old.

    It also follows the problems of all later days again.
    """
    _replay(*days)
    for step in ("store_forecasts", "size"):
        site.run(step, last)
    problems_on(load_settings(), open_store(site.store_url), last)


def _a_week(first: date, last: date) -> tuple[date, date]:
    """A past week, or less of a short history, in its second half; never the last day."""
    length = min(WEEK_DAYS, (last - first).days)
    latest = (last - first).days - length
    begin = first + timedelta(days=random.Random(7).randint(latest // 2, latest))  # noqa: S311
    return begin, begin + timedelta(days=length - 1)


def _unlike(actual: Contents, wanted: Contents) -> list[str]:
    """Each name that only one side has, or that differs, with both sides if they are short."""
    result = []
    for name in sorted(actual.keys() | wanted.keys()):
        here, there = (json.dumps(item.get(name), default=str) for item in (actual, wanted))
        if here != there:
            result.append(f"{name}: {_around(here, there)}")
    return result


def _around(here: str, there: str) -> str:
    """The two texts from where they part."""
    same = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), 0)
    begin = max(0, same - 40)
    return f"...{here[begin : same + 80]}... not ...{there[begin : same + 80]}..."


def _counted(names: Contents) -> str:
    kinds = Counter(_kind(name) for name in names)
    return ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))


def _kind(name: str) -> str:
    """A table, a dataset of the lake, or ``mail``."""
    parts = name.partition(" ")[0].split("/")
    return "/".join(parts[:2]) if parts[0] == "lake" else parts[0]


def _timed(say: Say, what: str, work: Callable[[], T]) -> T:
    begun = time.monotonic()
    result = work()
    say(f"{what}: {time.monotonic() - begun:.0f} s")
    return result


def main() -> int:
    """Run it, say what differs; 1 when anything does."""
    parser = argparse.ArgumentParser(description="A backfill against as many daily runs.")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--minutes", type=float, default=math.inf, help="for the daily runs")
    parser.add_argument("--folder", type=Path, help="kept; otherwise a temporary folder")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mqcap-year-") as temporary:
        folder = given.folder or Path(temporary)
        shutil.rmtree(folder, ignore_errors=True)
        differences = compare(folder, given.days, _print, given.minutes)
    for line in differences[:SHOWN]:
        _print(line)
    _print(f"{len(differences)} differences")
    return int(bool(differences))


def _print(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
