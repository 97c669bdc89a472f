"""Spark app: forecast every series of the training dataset, in batches on the workers.

A batch is a range of series of the export; its worker reads and writes the lake itself, so that no
row passes the JVM.

Run by ``spark-submit --day D``, or in process through ``main``. Reads
``training/cutoff_date=D``, in which nothing is later than D, and replaces
``forecast_result/cutoff_date=D``; likewise ``hold_out_training`` of rolling origins, if any.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from pyspark.sql import SparkSession

from forecasting import ForecastOptions
from mqcap.domain.datasets import HOLD_OUT_RESULT, HOLD_OUT_TRAINING
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure
from mqcap.lake.files import remove_unfinished
from mqcap.lake.forecast_inputs import NOT_OF_A_FIT, write_inputs
from mqcap.lake.location import Location
from mqcap.lake.locks import LakePart
from mqcap.lake.partitions import partitions
from mqcap.locks import exclusive
from mqcap.settings import ForecastSettings
from spark_apps.forecast_batches import ForecastBatches
from spark_apps.forecast_work import ForecastWork, forecast_work, nothing_to_fit, without_spark
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, leave_counts, spark_session
from spark_apps.runtime.task_errors import Reporting

APP: Final = "forecast"
WORKERS_IMPORT: Final = "spark_apps.forecast_batches"
BATCHES_PER_CORE: Final = 4
"""Few series are cut into at least so many batches, so that all cores have work to the end."""


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Forecast what was exported for ``--day``; returns the counts of ``forecast``.

    Without a series to forecast no session is started.

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
        spark_session(APP, args.settings.spark, WORKERS_IMPORT) as spark,
    ):
        work = forecast_work(args.lake, args.settings.forecast, args.day)
        counts = forecast(spark, args.settings.forecast, work)
        return counts | hold_out(spark, args.lake, args.settings.forecast)


def hold_out(spark: SparkSession, lake: Location, settings: ForecastSettings) -> dict[str, int]:
    """Forecast as of each rolling origin that was exported; returns their number, if any."""
    origins = partitions(lake.absolute(), HOLD_OUT_TRAINING.name)
    for origin in origins:
        names = (HOLD_OUT_TRAINING.name, HOLD_OUT_RESULT.name)
        forecast(spark, settings, forecast_work(lake, settings, origin, *names))
    return {"hold_out_days": len(origins)} if origins else {}


def forecast(spark: SparkSession, settings: ForecastSettings, work: ForecastWork) -> dict[str, int]:
    """Write a document per series and statistic, refusals included; returns their counts.

    Results of series that need no forecast stay, where they are those of the export. Digests of
    another basis are replaced first, so that they say what the forecasts will be made from.
    """
    if work.inputs is not None and not work.series:
        return nothing_to_fit(work)
    if work.inputs is not None and work.has_other_basis:
        write_inputs(work.source, work.inputs)
    count = len(work.series)
    context = spark.sparkContext
    batches = batch_count(count, settings.series_per_batch, context.defaultParallelism)
    remove_unfinished(work.target.parent.glob(f".{work.target.name}.*"))
    task = ForecastBatches(
        work.source,
        work.target,
        work.series,
        ceil(count / batches),
        forecast_options(settings),
        work.cutoff_date,
    )
    what = f"forecast {figure(count)} series as of {work.cutoff_date}"
    with job_progress(context, what, batches):
        context.parallelize(range(batches), batches).foreach(Reporting(task.write))
    task.put_together(batches, work.inputs.digests() if work.inputs else {})
    return {"series": count, "batches": batches, "unchanged": work.unchanged_count}


def batch_count(series_count: int, series_per_batch: int, cores: int) -> int:
    """Return the number of batches: at most ``series_per_batch`` each, and work for every core."""
    wanted = max(ceil(series_count / series_per_batch), BATCHES_PER_CORE * cores)
    return max(1, min(series_count, wanted))


def forecast_options(settings: ForecastSettings) -> ForecastOptions:
    """Return the site's forecast settings as the options of ``forecasting``."""
    return ForecastOptions(**settings.model_dump(exclude=set(NOT_OF_A_FIT)))


if __name__ == "__main__":
    leave_counts(APP, main())
