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
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

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
SITE: Final = Size()
Steps = Mapping[str, Callable[..., Any]]
LOAD: Final[Steps] = {step.__name__: step for step in runner.LOAD[1:]}
NIGHT: Final[Steps] = {
    **LOAD,
    **{step.__name__: step for step in (*runner.FORECAST, runner.size)},
    "alert": partial(runner.alert, replay=True),
}


def main(benchmark: str = "night", usual: Size = SITE, steps: Steps = NIGHT) -> int:
    """Simulate a site, run steps of its last day, print what they took; 1 if it got worse."""
    parser = argparse.ArgumentParser(description=f"Cost of a {benchmark} of a large site.")
    for name, count in usual._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=count)
    size = Size(**vars(parser.parse_args()))
    days = size.manager_days
    with tempfile.TemporaryDirectory() as name:
        costs = _run(Path(name), size, steps)
        sizes = [(of, figure, figure / days) for of, figure in _sizes_of(Path(name))]
    print(f"{size.sysplexes * size.managers} queue managers, {size.days} day(s)")
    rows = [(*cost, 1_000 * cost.cpu_seconds / days) for cost in costs]
    print("\n".join(table((*COST_COLUMNS, "ms of CPU each"), rows)))
    print("\n".join(table(("", "site", "each"), sizes)))
    in_all = sum(cost.cpu_seconds for cost in costs if cost.name != "simulate")
    return tell(benchmark, {RATIO: in_all / days / loop_seconds()}) if size == usual else 0


def _run(folder: Path, size: Size, steps: Steps) -> list[StepCost]:
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
        for name, step in steps.items():
            with measured(costs, name):
                step(settings, LAST)
    return costs


def _sizes_of(folder: Path) -> Iterator[tuple[str, float]]:
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
