"""Cost of a backfilled day on the command line: ``python -m devtools.benchmarks.backfill``.

The newest days of the configured lake and store are replayed as ``mqcap backfill`` does, in a copy
of both. Printed are the time of each step, and time and processor time of a day: means of the days
between the first one, which starts what is needed once, and the last one. The lake has to be a
folder, the store SQLite.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from devtools.benchmarks.ratios import StepCost, loop_seconds, measured, table, tell
from mqcap.settings import load_settings
from mqcap.steps import backfill, runner

RATIO: Final = "CPU of a backfilled day : plain loop"
_SQLITE: Final = "sqlite:///"


class TimedDay(NamedTuple):
    """Time of each step, and cost from the end of the day before to its own, in all processes."""

    seconds: dict[str, float]
    cost: StepCost


def main() -> int:
    """Copy, replay and print; 1 where there is nothing to copy or no day."""
    parser = argparse.ArgumentParser(description="Cost of a backfilled day on the command line.")
    parser.add_argument("--days", type=int, default=3, help="Days between first and last (3).")
    days = parser.parse_args().days
    settings = load_settings()
    url = settings.store.url.get_secret_value()
    last = runner.last_day(settings) if url.startswith(_SQLITE) else None
    if last is None or not Path(settings.lake).is_dir():
        print("Needed are a lake in a folder and a SQLite store with observations.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        lake, store = Path(folder) / "lake", Path(folder) / "store.db"
        shutil.copytree(settings.lake, lake)
        shutil.copyfile(url.removeprefix(_SQLITE), store)
        os.environ |= {"MQCAP_LAKE": str(lake), "MQCAP_STORE__URL": f"{_SQLITE}{store}"}
        dates = [last - timedelta(days=back) for back in range(days + 1, -1, -1)]
        found = replayed(dates)[1:-1]
    steps = [(step, fmean(day.seconds[step] for day in found)) for step in found[0].seconds]
    cpu_seconds = fmean(day.cost.cpu_seconds for day in found)
    print("\n".join(table(("", "s"), steps)))
    print(f"a day: {fmean(day.cost.seconds for day in found):.2f} s, {cpu_seconds:.2f} s of CPU")
    return tell("backfill", {RATIO: cpu_seconds / loop_seconds()})


def replayed(days: Sequence[date]) -> list[TimedDay]:
    """Return the cost of each day, replayed one after the other."""
    costs: list[StepCost] = []
    found = []
    with runner.one_session(), closing(backfill.replayed(load_settings(), days)) as made:
        for day in days:
            with measured(costs, f"{day}"):
                replay = next(made)
            found.append(TimedDay(replay.seconds, costs[-1]))
    return found


if __name__ == "__main__":
    sys.exit(main())
