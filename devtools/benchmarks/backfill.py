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
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from typing import Final

from devtools.benchmarks.ratios import StepCost, loop_seconds, measured, table, tell
from mqcap.settings import load_settings
from mqcap.steps import backfill, runner

RATIO: Final = "CPU of a backfilled day : plain loop"
_SQLITE: Final = "sqlite:///"


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
        costs: list[StepCost] = []
        replays = []
        with runner.one_session(), closing(backfill.replayed(load_settings(), dates)) as made:
            for day in dates:
                with measured(costs, f"{day}"):
                    replays.append(next(made))
    found = [replay.seconds for replay in replays[1:-1]]
    steps = [(step, fmean(of_day[step] for of_day in found)) for step in found[0]]
    print("\n".join(table(("", "s"), steps)))
    cpu_seconds = fmean(cost.cpu_seconds for cost in costs[1:-1])
    print(f"a day: {fmean(cost.seconds for cost in costs[1:-1]):.2f} s, {cpu_seconds:.2f} s of CPU")
    return tell("backfill", {RATIO: cpu_seconds / loop_seconds()})


if __name__ == "__main__":
    sys.exit(main())
