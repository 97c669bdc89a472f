"""Spark app: forecast every series of the training dataset, in batches on the workers.

A batch is a range of series of the export; its worker reads it directly, so that no row passes
through a shuffle before it is forecast.

Run by ``spark-submit --day D``, or in process through ``main``. Reads
``training/cutoff_date=D``, in which nothing is later than D, and replaces
``forecast_result/cutoff_date=D``; likewise ``hold_out_training`` of rolling origins, if any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from math import ceil
from pathlib import Path
from typing import Final

import pandas as pd
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.datasets import (
    FORECAST_RESULT,
    HOLD_OUT_RESULT,
    HOLD_OUT_TRAINING,
    TRAINING,
)
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.numbers import figure
from mqcap.lake.layout import cutoff_partition, parquet_files
from mqcap.lake.locks import LakePart, exclusive
from mqcap.lake.partitions import partitions
from mqcap.settings import ForecastSettings
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, leave_counts, spark_session

APP: Final = "forecast"
WORKERS_IMPORT: Final = "spark_apps.forecast"
BATCHES_PER_CORE: Final = 4
"""Few series are cut into at least so many batches, so that all cores have work to the end."""
_KEY: Final = ["series_id", "statistic"]
_RESULT: Final = "series_id string, statistic string, document string, model string"


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Forecast what was exported for ``--day``; returns the counts of ``forecast``.

    Raises ConfigurationError without ``--day``, InputError when nothing was exported for it.
    """
    args = arguments("Forecast every series as seen on one day.", argv)
    if args.day is None:
        raise ConfigurationError("--day is missing", expected="the cutoff date, YYYY-MM-DD")
    with (
        exclusive(args.lake, LakePart.forecast),
        spark_session(APP, args.settings.spark, WORKERS_IMPORT) as spark,
    ):
        counts = forecast(spark, args.lake, args.settings.forecast, args.day)
        return counts | hold_out(spark, args.lake, args.settings.forecast)


def hold_out(spark: SparkSession, lake: Path, settings: ForecastSettings) -> dict[str, int]:
    """Forecast as of each rolling origin that was exported; returns their number, if any."""
    origins = partitions(lake.absolute(), HOLD_OUT_TRAINING.name)
    for origin in origins:
        forecast(spark, lake, settings, origin, HOLD_OUT_TRAINING.name, HOLD_OUT_RESULT.name)
    return {"hold_out_days": len(origins)} if origins else {}


def forecast(
    spark: SparkSession,
    lake: Path,
    settings: ForecastSettings,
    cutoff_date: date,
    training: str = TRAINING.name,
    result: str = FORECAST_RESULT.name,
) -> dict[str, int]:
    """Write a document per series and statistic, refusals included; returns their counts.

    Raises InputError when nothing was exported for the date.
    """
    source = cutoff_partition(lake.absolute(), training, cutoff_date)
    if not source.is_dir():
        raise InputError(
            "no training data for this day",
            file=str(source),
            remedy="Run the step that exports it first.",
        )
    count = _series_count(source)
    batches = batch_count(count, settings.series_per_batch, spark.sparkContext.defaultParallelism)
    work = _batch_work(source, ceil(count / batches), forecast_options(settings), cutoff_date)
    results = spark.range(0, batches, 1, batches).mapInPandas(work, _RESULT)
    target = cutoff_partition(lake.absolute(), result, cutoff_date)
    ordered = results.repartition(1).sortWithinPartitions(*_KEY)
    what = f"forecast {figure(count)} series as of {cutoff_date}"
    with job_progress(spark.sparkContext, what, batches + 1):
        ordered.write.mode("overwrite").parquet(str(target))
    return {"series": count, "batches": batches}


def batch_count(series_count: int, series_per_batch: int, cores: int) -> int:
    """Return the number of batches: at most ``series_per_batch`` each, and work for every core."""
    wanted = max(ceil(series_count / series_per_batch), BATCHES_PER_CORE * cores)
    return max(1, min(series_count, wanted))


def forecast_options(settings: ForecastSettings) -> ForecastOptions:
    """Return the site's forecast settings as the options of ``forecasting``."""
    return ForecastOptions(
        **settings.model_dump(exclude={"series_per_batch", "keep_models_days", "hold_out_origins"})
    )


def _series_count(source: Path) -> int:
    """Return the number of series and statistics of the export, from its row-group statistics."""
    last = -1
    for path in parquet_files(source):
        metadata = pq.read_metadata(path)
        column = metadata.schema.to_arrow_schema().get_field_index("series_number")
        groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
        last = max(
            [last, *(group.column(column).statistics.max for group in groups if group.num_rows)]
        )
    return last + 1


def _batch_work(
    source: Path, size: int, options: ForecastOptions, cutoff_date: date
) -> Callable[[Iterator[pd.DataFrame]], Iterator[pd.DataFrame]]:
    """Return a function that forecasts ``size`` series for each number of a batch.

    It reads them itself and yields a row per series and statistic: its forecast as JSON document.
    """

    def work(numbers: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for number in (int(value) for frame in numbers for value in frame["id"]):
            batch = [
                ("series_number", ">=", number * size),
                ("series_number", "<", (number + 1) * size),
            ]
            rows = pq.read_table(source, filters=batch, partitioning=None).to_pandas()
            forecasts = forecast_series(rows.drop(columns="series_number"), options, cutoff_date)
            yield pd.DataFrame(
                [
                    (made.series_id, str(made.statistic), made.model_dump_json(), made.stored_model)
                    for made in forecasts
                ],
                columns=["series_id", "statistic", "document", "model"],
            )

    return work


if __name__ == "__main__":
    leave_counts(APP, main())
