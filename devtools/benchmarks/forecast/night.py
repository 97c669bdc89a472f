"""Cost of the forecasts of one night: ``python -m devtools.benchmarks.forecast.night``.

Simulated metrics (``simulated``) of 240 to 900 days are exported as the step ``export_training``
does, and forecast on Spark with the default settings, as ``fit`` does. Printed are processor time
of all processes, Java too, by series too, and that time shared by the workers: what a machine with
so many processors and no other work needs. The time by the clock is beside it. The start of the
session is part of it, so that fewer series seem to cost more each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from devtools.benchmarks.forecast.simulated import Simulated, simulated
from devtools.benchmarks.ratios import StepCost, measured
from mqcap.domain.datasets import TRAINING
from mqcap.lake.layout import cutoff_partition
from mqcap.settings import ForecastSettings, SparkSettings
from spark_apps.forecast import APP, exports, forecast, forecast_options
from spark_apps.runtime.session import spark_session

CUTOFF: Final = date(2026, 6, 30)
TARGET_SERIES: Final = 3000
TARGET_SECONDS: Final = 120.0
"""Of so many series by two processes."""
SERIES_PER_ROW_GROUP: Final = 32
_COLUMNS: Final = (
    "series_id", "statistic", "site_date", "value", "ceiling", "country", "series_number",
)  # fmt: skip


class NightCost(NamedTuple):
    """Cost of the forecasts of some series."""

    series_count: int
    processes: int
    seconds: float
    cpu_seconds: float
    """Of all processes."""

    def lines(self) -> list[str]:
        """Return the cost in words."""
        each = self.cpu_seconds / self.series_count
        by_process = each * TARGET_SERIES / self.processes
        what = f"{self.series_count} series by {self.processes} processes"
        cpu = f"{self.cpu_seconds:.1f} s of CPU, {1000 * each:.1f} ms a series"
        share = f"{by_process / TARGET_SECONDS:.2f} of {TARGET_SECONDS:.0f} s"
        return [
            f"{what}: {cpu}, {self.seconds:.1f} s by the clock",
            f"{TARGET_SERIES} series so: {by_process:.1f} s of CPU for each process, {share}",
        ]


def main() -> int:
    """Simulate, forecast and print."""
    parser = argparse.ArgumentParser(description="Cost of the forecasts of one night.")
    parser.add_argument("--series", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    items = simulated(arguments.series, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(night(Path(folder), items, arguments.processes).lines()))
    return 0


def night(lake: Path, items: Sequence[Simulated], processes: int) -> NightCost:
    """Export and forecast the series in an empty lake; return the cost of the forecasts alone."""
    export(lake, items)
    costs: list[StepCost] = []
    [of_day] = exports(lake, CUTOFF)
    with ExitStack() as stack, measured(costs, "night"):
        options = SparkSettings(master=f"local[{processes}]")
        spark = stack.enter_context(spark_session(APP, options))
        count = forecast(spark, of_day, forecast_options(ForecastSettings()))
    [cost] = costs
    return NightCost(count, processes, cost.seconds, cost.cpu_seconds)


def export(lake: Path, items: Sequence[Simulated]) -> None:
    """Write the observed days of the series as the training dataset of ``CUTOFF``."""
    folder = cutoff_partition(lake, TRAINING.name, CUTOFF)
    folder.mkdir(parents=True)
    named = sorted((f"{item.metric}/SIM/{item.unique_id}", item) for item in items)
    tables = [_rows(name, item, number) for number, (name, item) in enumerate(named)]
    with pq.ParquetWriter(folder / "part-0.parquet", tables[0].schema) as writer:
        for first in range(0, len(tables), SERIES_PER_ROW_GROUP):
            writer.write_table(pa.concat_tables(tables[first : first + SERIES_PER_ROW_GROUP]))


def _rows(name: str, item: Simulated, number: int) -> pa.Table:
    seen = np.flatnonzero(np.isfinite(item.observed))
    days = np.datetime64(CUTOFF, "D") - (len(item.observed) - 1 - seen)
    ceiling = None if item.metric == "log_mb_hour" else 100.0
    count = len(seen)
    columns = (
        pa.array([name] * count, pa.string()),
        pa.array(["peak"] * count, pa.string()),
        pa.array(days, pa.date32()),
        pa.array(item.observed[seen], pa.float64()),
        pa.array([ceiling] * count, pa.float64()),
        pa.array(["DE"] * count, pa.string()),
        pa.array([number] * count, pa.int32()),
    )
    return pa.table(dict(zip(_COLUMNS, columns, strict=True)))


if __name__ == "__main__":
    sys.exit(main())
