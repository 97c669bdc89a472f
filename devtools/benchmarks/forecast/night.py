"""Cost of the forecasts of one night: ``python -m devtools.benchmarks.forecast.night DATA``.

Simulated metrics of 240 to 900 days (``crossing_dev2``) are exported as the step
``export_training`` does, and forecast on Spark with the default settings, as ``fit`` does. Printed
are processor time of all processes, Java too, by series too, and that time shared by the workers:
what a machine with so many processors and no other work needs. The time by the clock is beside it.
The start of the session is part of it, so that fewer series seem to cost more each.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from devtools.benchmarks.forecast.outcomes import LimitSet, limits_of
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
SIMULATED: Final = LimitSet("simulated", "crossing_dev2")
Limit = tuple[dict[Any, Any], pd.DataFrame]
"""What became of a limit, and the days of its series."""
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
    """Export, forecast and print."""
    parser = argparse.ArgumentParser(description="Cost of the forecasts of one night.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    items = limits_of(arguments.data, SIMULATED, 1)[: arguments.series]
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(night(Path(folder), items, arguments.processes).lines()))
    return 0


def night(lake: Path, items: Sequence[Limit], processes: int) -> NightCost:
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


def export(lake: Path, items: Sequence[Limit]) -> None:
    """Write the days of the series, moved to end on ``CUTOFF``, as its training dataset."""
    folder = cutoff_partition(lake, TRAINING.name, CUTOFF)
    folder.mkdir(parents=True)
    named = sorted((f"{truth['metric']}/SIM/{truth['unique_id']}", rows) for truth, rows in items)
    tables = [_table(name, rows, number) for number, (name, rows) in enumerate(named)]
    with pq.ParquetWriter(folder / "part-0.parquet", tables[0].schema) as writer:
        for first in range(0, len(tables), SERIES_PER_ROW_GROUP):
            writer.write_table(pa.concat_tables(tables[first : first + SERIES_PER_ROW_GROUP]))


def _table(name: str, rows: pd.DataFrame, number: int) -> pa.Table:
    count, days = len(rows), rows["site_date"]
    columns = (
        pa.array([name] * count, pa.string()),
        pa.array(["peak"] * count, pa.string()),
        pa.array(days + (CUTOFF - days.iloc[-1]), pa.date32()),
        pa.array(rows["value"], pa.float64()),
        pa.array([None if name.startswith("log_") else 100.0] * count, pa.float64()),
        pa.array(["DE"] * count, pa.string()),
        pa.array([number] * count, pa.int32()),
    )
    return pa.table(dict(zip(_COLUMNS, columns, strict=True)))


if __name__ == "__main__":
    sys.exit(main())
