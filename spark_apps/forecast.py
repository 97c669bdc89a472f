"""Forecast every series of the training dataset, in batches on the Spark workers.

Run by ``spark-submit --day D``, or in process through ``main``. Reads
``training/cutoff_date=D``, in which nothing is later than D, and replaces
``forecast_result/cutoff_date=D``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from math import ceil
from pathlib import Path
from typing import Final

import pandas as pd
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from domain.datasets import FORECAST_RESULT, TRAINING
from domain.errors import ConfigurationError, InputError
from forecasting import ForecastOptions, forecast_series
from settings import ForecastSettings
from spark_apps.session import arguments, spark_session

BATCHES_PER_CORE: Final = 2
"""Few series are dealt into at least so many batches, so that all cores have work."""
_KEY: Final = ["series_id", "statistic"]
_RESULT: Final = "series_id string, statistic string, document string"


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Forecast what was exported for ``--day``; returns the counts of ``forecast``."""
    given = arguments("Forecast every series as seen on one day.", argv)
    if given.day is None:
        raise ConfigurationError("--day is missing", expected="the cutoff date, YYYY-MM-DD")
    with spark_session("forecast", given.settings.spark) as spark:
        return forecast(spark, given.lake, given.settings.forecast, given.day)


def forecast(
    spark: SparkSession, lake: Path, settings: ForecastSettings, cutoff_date: date
) -> dict[str, int]:
    """Write one document per series and statistic, refusals included; returns how many.

    Raises InputError when nothing was exported for the date.
    """
    source = lake.absolute() / TRAINING.name / f"cutoff_date={cutoff_date.isoformat()}"
    if not source.is_dir():
        raise InputError(
            "no training data for this day",
            file=str(source),
            remedy="Run the step that exports it first.",
        )
    training = spark.read.parquet(str(source))
    count = training.select(*_KEY).distinct().count()
    batches = batch_count(count, settings.series_per_batch, spark.sparkContext.defaultParallelism)
    results = forecasts(in_batches(training, batches), forecast_options(settings), cutoff_date)
    target = lake.absolute() / FORECAST_RESULT.name / f"cutoff_date={cutoff_date.isoformat()}"
    results.repartition(1).sortWithinPartitions(*_KEY).write.mode("overwrite").parquet(str(target))
    return {"series": count, "batches": batches}


def batch_count(series_count: int, series_per_batch: int, cores: int) -> int:
    """How many batches: no more series in each than asked, and work for every core."""
    wanted = max(ceil(series_count / series_per_batch), BATCHES_PER_CORE * cores)
    return max(1, min(series_count, wanted))


def forecast_options(settings: ForecastSettings) -> ForecastOptions:
    """The site's forecast settings as the options of ``forecasting``."""
    return ForecastOptions(**settings.model_dump(exclude={"series_per_batch"}))


def in_batches(training: DataFrame, batches: int) -> DataFrame:
    """``training`` with column ``batch``: series are dealt in turn, so batches are even."""
    series = training.select(*_KEY).distinct()
    number = sf.row_number().over(Window.orderBy(*_KEY))
    dealt = series.withColumn("batch", number % sf.lit(batches))
    return training.join(sf.broadcast(dealt), on=_KEY).repartition(batches, "batch")


def forecasts(training: DataFrame, options: ForecastOptions, cutoff_date: date) -> DataFrame:
    """One row per series and statistic: its forecast as a JSON document."""
    return training.groupBy("batch").applyInPandas(_of_batch(options, cutoff_date), _RESULT)


def _of_batch(
    options: ForecastOptions, cutoff_date: date
) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def of_batch(rows: pd.DataFrame) -> pd.DataFrame:
        found = forecast_series(rows.drop(columns="batch"), options, cutoff_date)
        return pd.DataFrame(
            [(one.series_id, str(one.statistic), one.model_dump_json()) for one in found],
            columns=["series_id", "statistic", "document"],
        )

    return of_batch


if __name__ == "__main__":
    main()
