"""Spark app: forecast every series of the training dataset, in batches on the workers.

A batch is a range of series of the export; its worker reads and writes the lake itself, so that no
row passes the JVM.

Run by ``spark-submit --day D``, or in process through ``main``. Reads
``training/cutoff_date=D``, in which nothing is later than D, and replaces
``forecast_result/cutoff_date=D``; likewise ``hold_out_training`` of rolling origins, if any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyspark.sql import SparkSession

from mqcap.domain.errors import ConfigurationError
from mqcap.lake.location import Location
from mqcap.lake.locks import LakePart
from mqcap.locks import exclusive
from mqcap.settings import ForecastSettings
from spark_apps.forecast_batches import begun, put_together
from spark_apps.forecast_few import without_spark
from spark_apps.forecast_work import ForecastWork, forecast_work, hold_out_work, nothing_to_fit
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, leave_counts, spark_session
from spark_apps.runtime.task_errors import reporting

APP: Final = "forecast"


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Forecast what was exported for ``--day``; returns the counts of ``forecast``.

    Without a series to forecast, or with few, no session is started.

    Raises ConfigurationError without ``--day``, InputError when nothing was exported for it.
    """
    args = arguments("Forecast every series as seen on one day.", argv)
    if args.day is None:
        raise ConfigurationError("--day is missing", expected="the cutoff date, YYYY-MM-DD")
    counts = without_spark(args.settings, args.day)
    if counts is not None:
        return counts
    with (
        exclusive(args.settings, LakePart.forecast),
        spark_session(APP, args.settings.spark) as spark,
    ):
        work = forecast_work(args.lake, args.settings.forecast, args.day)
        counts = forecast(spark, args.settings.forecast, work)
        return counts | hold_out(spark, args.lake, args.settings.forecast)


def hold_out(spark: SparkSession, lake: Location, settings: ForecastSettings) -> dict[str, int]:
    """Forecast as of each rolling origin that was exported; returns their number, if any."""
    origins = hold_out_work(lake, settings)
    for origin in origins:
        forecast(spark, settings, origin)
    return {"hold_out_days": len(origins)} if origins else {}


def forecast(spark: SparkSession, settings: ForecastSettings, work: ForecastWork) -> dict[str, int]:
    """Write a document per series and statistic, refusals included; returns their counts."""
    if work.is_stored:
        return nothing_to_fit(work)
    batches = begun(work, settings, spark.sparkContext.defaultParallelism)
    with job_progress(spark, work.what):
        numbers = spark.range(0, batches.count, 1, batches.count)
        numbers.mapInArrow(reporting(batches.written), "number bigint").collect()
    return put_together(batches, work, batches.shares())


if __name__ == "__main__":
    leave_counts(APP, main())
