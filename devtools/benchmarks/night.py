"""Cost of a night of a large site: ``python -m devtools.benchmarks.night``.

Simulated are 10 sysplexes with 10 queue managers and 2 coupling facilities each, in intervals of 15
minutes, with 500 queues in the queue statistics of each queue manager and no accounting of tasks.
One day (or ``--days``) is landed, decoded, aggregated and rolled up, then forecast, judged and
notified without sending. Smaller counts take seconds. Printed are time, processor time and peak
memory of each step, rows and sizes, each per queue manager and day. Series of a day or a few are
too short to be fitted: the time of forecasts is that of ``devtools.benchmarks.forecast``.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from devtools.benchmarks.estates import LAST, Size, large_estate
from devtools.benchmarks.ratios import COST_COLUMNS, StepCost, loop_seconds, measured, table, tell
from devtools.simulator import generate
from mqcap.domain.units import MIB_BYTES
from mqcap.lake.layout import LANDING
from mqcap.lake.manifest import manifests
from mqcap.settings import load_settings
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.steps import runner
from spark_apps.runtime.session import spark_session

RATIO: Final = "CPU of a queue manager's day : plain loop"


def main() -> int:
    """Generate, run the night, print what it took; 1 if it got worse."""
    parser = argparse.ArgumentParser(description="Cost of a night of a large site.")
    for name, count in Size()._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=count)
    size = Size(**vars(parser.parse_args()))
    days = size.manager_days
    with tempfile.TemporaryDirectory() as name:
        costs = night(Path(name), size)
        sizes = [(of, figure, figure / days) for of, figure in sizes_of(Path(name))]
    print(f"{size.sysplexes * size.managers} queue managers, {size.days} day(s)")
    steps = [(*cost, 1_000 * cost.cpu_seconds / days) for cost in costs]
    print("\n".join(table((*COST_COLUMNS, "ms of CPU each"), steps)))
    print("\n".join(table(("", "site", "each"), sizes)))
    nightly = sum(cost.cpu_seconds for cost in costs if cost.name != "simulate")
    return tell("night", {RATIO: nightly / days / loop_seconds()}) if size == Size() else 0


def night(folder: Path, size: Size) -> list[StepCost]:
    """Simulate the site and run all steps of its last day in a lake and a store of the folder."""
    costs: list[StepCost] = []
    first = LAST - timedelta(days=size.days - 1)
    with measured(costs, "simulate"):
        made = generate(large_estate(size), folder / "made", first_date=first, last_date=LAST)
    os.environ |= {
        FILE_VARIABLE: str(made.settings_file),
        "MQCAP_LAKE": str(folder / "lake"),
        "MQCAP_STORE__URL": f"sqlite:///{folder / 'store.db'}",
    }
    settings = load_settings()
    inputs = [str(file) for file in (*made.dumps, *made.console_logs)]
    with measured(costs, "land"):
        runner.land(settings, date.min, inputs=inputs)
    with spark_session("benchmark", settings.spark):
        for step in (*runner.LOAD[1:], *runner.FORECAST, runner.size):
            with measured(costs, step.__name__):
                step(settings, LAST)
        with measured(costs, "alert"):
            runner.alert(settings, LAST, replay=True)
    return costs


def sizes_of(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield rows and MiB of lake and store in a folder."""
    lake = folder / "lake"
    landed = _mib_below(lake / LANDING)
    yield "section rows", float(sum(sum(manifest.rows.values()) for manifest in manifests(lake)))
    hourly = (lake / "metric_hourly").glob("*/*.parquet")
    yield "hourly rows", float(sum(pq.read_metadata(file).num_rows for file in hourly))
    yield "as delivered, MiB", landed
    yield "lake without that, MiB", _mib_below(lake) - landed
    store = sum(file.stat().st_size for file in folder.glob("store.db*"))
    yield "store, MiB", store / MIB_BYTES


def _mib_below(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MIB_BYTES


if __name__ == "__main__":
    raise SystemExit(main())
