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
from datetime import date
from pathlib import Path
from typing import Any, Final

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
SCHEMA: Final = pa.schema(
    {
        "series_id": pa.string(),
        "statistic": pa.string(),
        "site_date": pa.date32(),
        "value": pa.float64(),
        "ceiling": pa.float64(),
        "country": pa.string(),
        "series_number": pa.int32(),
    }
)


def main() -> int:
    """Export, forecast and print."""
    parser = argparse.ArgumentParser(description="Cost of the forecasts of one night.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    items = limits_of(arguments.data, SIMULATED, 1)[: arguments.series]
    with tempfile.TemporaryDirectory() as folder:
        count, cost = night(Path(folder), items, arguments.processes)
    each = cost.cpu_seconds / count
    by_process = each * TARGET_SERIES / arguments.processes
    print(
        f"{count} series by {arguments.processes} processes: {cost.cpu_seconds:.1f} s of CPU,"
        f" {1000 * each:.1f} ms a series, {cost.seconds:.1f} s by the clock\n"
        f"{TARGET_SERIES} series so: {by_process:.1f} s of CPU for each process,"
        f" {by_process / TARGET_SECONDS:.2f} of {TARGET_SECONDS:.0f} s"
    )
    return 0


def night(lake: Path, items: Sequence[Limit], processes: int) -> tuple[int, StepCost]:
    """Export and forecast in an empty lake; return the number of series, and the latter's cost."""
    export(lake, items)
    costs: list[StepCost] = []
    [of_day] = exports(lake, CUTOFF)
    settings = SparkSettings(master=f"local[{processes}]")
    with measured(costs, "night"), spark_session(APP, settings) as spark:
        count = forecast(spark, of_day, forecast_options(ForecastSettings()))
    return count, costs[0]


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
    days = rows["site_date"]
    columns = {
        "series_id": name,
        "statistic": "peak",
        "site_date": days + (CUTOFF - days.iloc[-1]),
        "value": rows["value"],
        "ceiling": None if name.startswith("log_") else 100.0,
        "country": "DE",
        "series_number": number,
    }
    return pa.Table.from_pandas(pd.DataFrame(columns), SCHEMA, preserve_index=False)


if __name__ == "__main__":
    sys.exit(main())
