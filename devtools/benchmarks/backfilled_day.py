"""Cost of a backfilled day on the command line: ``python -m devtools.benchmarks.backfilled_day``.

The newest days of the configured lake and store are replayed as ``mqcap backfill`` does, in a copy
of both, in one Spark session at most; then once more. Printed are time and processor time of each
step, the mean of the days after the first one, which starts what is needed once: of days whose
forecasts are made, and of the same days again, when forecasts that are stored are not made again.
The lake has to be a folder, the store SQLite.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from devtools.benchmarks.step_costs import StepCost, measured
from mqcap.settings import load_settings
from mqcap.steps import runner
from spark_apps.runtime.kept import kept_session

FIRST_SECONDS: Final = 4.3
"""Time of such a day at a6c623b, on two processors, with far fewer rules."""
_SQLITE: Final = "sqlite:///"


def main() -> int:
    """Copy, replay and print; 1 where there is nothing to copy or no day."""
    parser = argparse.ArgumentParser(description="Cost of a backfilled day on the command line.")
    parser.add_argument("--days", type=int, default=3, help="Days after the first one (3).")
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
        dates = [last - timedelta(days=back) for back in range(days, -1, -1)]
        for title in ("forecasts made", "forecasts stored"):
            print("\n".join([title, *lines(replayed(dates)[1:])]))
    return 0


def replayed(days: Sequence[date]) -> list[list[StepCost]]:
    """Return the costs of the steps of each day, replayed one after the other."""
    settings = load_settings()
    steps = {step.__name__: step for step in runner.JUDGE}
    steps["alert"] = partial(runner.alert, replay=True)
    costs: list[list[StepCost]] = []
    with kept_session():
        for day in days:
            costs.append([])
            for name, step in steps.items():
                with measured(costs[-1], name):
                    step(settings, day)
    return costs


def lines(costs: Sequence[Sequence[StepCost]]) -> Iterator[str]:
    """Yield the mean cost of each step of the days, then that of a day and its ratio."""
    count = len(costs)
    seconds = cpu_seconds = 0.0
    for of_step in zip(*costs, strict=True):
        mean = sum(cost.seconds for cost in of_step) / count
        mean_cpu = sum(cost.cpu_seconds for cost in of_step) / count
        seconds, cpu_seconds = seconds + mean, cpu_seconds + mean_cpu
        yield f"{of_step[0].name:18}{mean:8.2f} s{mean_cpu:8.2f} s of CPU"
    yield f"{'a day':18}{seconds:8.2f} s{cpu_seconds:8.2f} s of CPU"
    yield f"{seconds / FIRST_SECONDS:.2f} of the {FIRST_SECONDS} s of a6c623b"


if __name__ == "__main__":
    sys.exit(main())
