"""Spark app: forecast every series of the training dataset, in batches on the workers.

A batch is a range of series of the export; its worker reads and writes the lake itself, so that no
row passes the JVM.

Run by ``spark-submit --day D``, or in process through ``main``. Reads
``training/cutoff_date=D``, in which nothing is later than D, and replaces
``forecast_result/cutoff_date=D``; likewise ``hold_out_training`` of rolling origins, if any.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil
from typing import Final

from pyspark.sql import SparkSession

from forecasting import ForecastOptions
from mqcap.domain.datasets import (
    FORECAST_RESULT,
    HOLD_OUT_RESULT,
    HOLD_OUT_TRAINING,
    TRAINING,
)
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.numbers import figure
from mqcap.lake.files import remove_unfinished
from mqcap.lake.layout import cutoff_partition, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.locks import LakePart
from mqcap.lake.partitions import partitions
from mqcap.lake.tables import read_metadata
from mqcap.locks import exclusive
from mqcap.settings import ForecastSettings
from spark_apps.forecast_batches import ForecastBatches
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, leave_counts, spark_session
from spark_apps.runtime.task_errors import Reporting

APP: Final = "forecast"
WORKERS_IMPORT: Final = "spark_apps.forecast_batches"
BATCHES_PER_CORE: Final = 4
"""Few series are cut into at least so many batches, so that all cores have work to the end."""


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Forecast what was exported for ``--day``; returns the counts of ``forecast``.

    Raises ConfigurationError without ``--day``, InputError when nothing was exported for it.
    """
    args = arguments("Forecast every series as seen on one day.", argv)
    if args.day is None:
        raise ConfigurationError("--day is missing", expected="the cutoff date, YYYY-MM-DD")
    with (
        exclusive(args.settings, LakePart.forecast),
        spark_session(APP, args.settings.spark, WORKERS_IMPORT) as spark,
    ):
        counts = forecast(spark, args.lake, args.settings.forecast, args.day)
        return counts | hold_out(spark, args.lake, args.settings.forecast)


def hold_out(spark: SparkSession, lake: Location, settings: ForecastSettings) -> dict[str, int]:
    """Forecast as of each rolling origin that was exported; returns their number, if any."""
    origins = partitions(lake.absolute(), HOLD_OUT_TRAINING.name)
    for origin in origins:
        forecast(spark, lake, settings, origin, HOLD_OUT_TRAINING.name, HOLD_OUT_RESULT.name)
    return {"hold_out_days": len(origins)} if origins else {}


def forecast(
    spark: SparkSession,
    lake: Location,
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
    context = spark.sparkContext
    batches = batch_count(count, settings.series_per_batch, context.defaultParallelism)
    target = cutoff_partition(lake.absolute(), result, cutoff_date)
    remove_unfinished(target.parent.glob(f".{target.name}.*"))
    work = ForecastBatches(
        source, target, ceil(count / batches), forecast_options(settings), cutoff_date
    )
    what = f"forecast {figure(count)} series as of {cutoff_date}"
    with job_progress(context, what, batches):
        context.parallelize(range(batches), batches).foreach(Reporting(work.write))
    work.put_together(batches)
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


def _series_count(source: Location) -> int:
    """Return the number of series and statistics of the export, from its row-group statistics."""
    last = -1
    for path in parquet_files(source):
        metadata = read_metadata(path)
        column = metadata.schema.to_arrow_schema().get_field_index("series_number")
        groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
        last = max(
            [last, *(group.column(column).statistics.max for group in groups if group.num_rows)]
        )
    return last + 1


if __name__ == "__main__":
    leave_counts(APP, main())
