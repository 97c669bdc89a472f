"""Spark app: forecast every series of the training dataset.

A task per row group reads the export; each series is forecast by itself; the forecasts of a day are
one file, in their order. Reads ``training/cutoff_date=D``, in which nothing is later than D, and
replaces ``forecast_result/cutoff_date=D``; likewise ``hold_out_training`` of rolling origins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.datasets import FORECAST_RESULT, HOLD_OUT_RESULT, HOLD_OUT_TRAINING, TRAINING
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.lake.files import remove_unfinished, replace_folder
from mqcap.lake.forecast_results import SCHEMA
from mqcap.lake.layout import COMPLETE, cutoff_partition, parquet_files, partitions
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source, read_metadata
from mqcap.locks import LakePart, exclusive
from mqcap.settings import ForecastSettings
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, spark_session
from spark_apps.runtime.task_errors import reporting

APP: Final = "forecast"
PARTITIONS_PER_CORE: Final = 12
"""So that no core waits long for the last series (ours)."""
_NUMBER: Final = "series_number"
_NAMES: Final = (*(name for name in TRAINING.columns if name != "cutoff_date"), "driver")
ROWS: Final = ", ".join(f"{name} {TRAINING.columns.get(name, 'string')}" for name in _NAMES)
FORECASTS: Final = "series_number int, series_id string, statistic string, document string"
_FILE: Final = "part-0.parquet"


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Forecast what was exported for ``--day``; ConfigurationError or InputError without it."""
    args = arguments("Forecast every series as seen on one day.", argv)
    if args.day is None:
        raise ConfigurationError("--day is missing", expected="the cutoff date, YYYY-MM-DD")
    options = forecast_options(args.settings.forecast)
    with exclusive(args.settings, LakePart.forecast):
        day, *origins = exports(args.lake, args.day)
        with spark_session(APP, args.settings.spark) as spark:
            counts = {"series": forecast(spark, day, options)}
            for origin in origins:
                forecast(spark, origin, options)
    return counts | ({"hold_out_days": len(origins)} if origins else {})


class Export(NamedTuple):
    """Daily series up to a date, and where their forecasts belong."""

    cutoff_date: date
    source: Location
    """Folder of the rows."""
    target: Location
    """Folder of the forecasts."""


def exports(lake: Location, day: date) -> list[Export]:
    """Return the export of a day, and those of the rolling origins; InputError without one."""
    root = lake.absolute()
    names = TRAINING.name, FORECAST_RESULT.name
    source, target = (cutoff_partition(root, name, day) for name in names)
    if not source.is_dir():
        raise InputError(
            "no training data for this day",
            file=str(source),
            remedy="Run the step that exports it first.",
        )
    origins = partitions(root, HOLD_OUT_TRAINING.name).items()
    return [Export(day, source, target)] + [
        Export(origin, rows, cutoff_partition(root, HOLD_OUT_RESULT.name, origin))
        for origin, rows in origins
    ]


def forecast_options(settings: ForecastSettings) -> ForecastOptions:
    """Return the settings on which a figure depends."""
    return ForecastOptions(**settings.model_dump(include=set(ForecastOptions.model_fields)))


def forecast(spark: SparkSession, export: Export, options: ForecastOptions) -> int:
    """Write a document per series and statistic, refusals included; returns their number."""
    remove_unfinished(export.target.parent.glob(f".{export.target.name}.*"))
    with job_progress(spark, f"forecast series as of {export.cutoff_date}"):
        written = forecasts(spark, export, options).repartition(1).sortWithinPartitions(_NUMBER)
        write = WriteForecasts(export.target)
        counts = written.mapInArrow(reporting(write), "count bigint").collect()
        if not counts:  # without a row Spark runs no task, and the day stays incomplete
            list(write(iter(())))
        return sum(row["count"] for row in counts)


def forecasts(spark: SparkSession, export: Export, options: ForecastOptions) -> DataFrame:
    """Return the program that forecasts: a row per series and statistic, ``FORECASTS``."""
    read = ReadRows(tuple(row_groups(export.source)))
    most = PARTITIONS_PER_CORE * spark.sparkContext.defaultParallelism
    groups = spark.range(0, len(read.groups), 1, max(1, min(most, len(read.groups))))
    rows = groups.mapInArrow(reporting(read), ROWS)
    fit = FitSeries(options, export.cutoff_date)
    # A number of partitions of its own: few bytes are hours of work, which AQE cannot know.
    return rows.repartition(most, _NUMBER).groupBy(_NUMBER).applyInPandas(reporting(fit), FORECASTS)


def row_groups(folder: Location) -> Iterator[tuple[Location, int]]:
    """Yield each row group of the files of an export, with its number in the file."""
    for file in parquet_files(folder):
        for number in range(read_metadata(file).num_row_groups):
            yield file, number


@dataclass(frozen=True)
class ReadRows:
    """The function of `mapInArrow`: from numbers of row groups to their rows, ``ROWS``."""

    groups: tuple[tuple[Location, int], ...]

    def __call__(self, numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read the row groups. Raises OSError or LakeUnavailable when the lake cannot be read."""
        for batch in numbers:
            for location, group in map(self.groups.__getitem__, batch.column(0).to_pylist()):
                with pq.ParquetFile(parquet_source(location)) as file:
                    rows = file.read_row_group(group)
                for name in set(_NAMES) - set(rows.column_names):
                    rows = rows.append_column(name, pa.nulls(rows.num_rows, pa.string()))
                yield from rows.select(_NAMES).to_batches()


@dataclass(frozen=True)
class FitSeries:
    """The function of `applyInPandas`: from the rows of one series to its forecast."""

    options: ForecastOptions
    cutoff_date: date

    def __call__(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Forecast; the rows of a series come in any order."""
        [number] = rows.pop(_NUMBER).unique()
        [made] = forecast_series(rows.sort_values("site_date"), self.options, self.cutoff_date)
        row = (number, made.series_id, str(made.statistic), made.model_dump_json())
        return pd.DataFrame([row], columns=[_NUMBER, *SCHEMA.names])


@dataclass(frozen=True)
class WriteForecasts:
    """The function of `mapInArrow` that replaces the forecasts of a day, and yields their count."""

    target: Location

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Write all at once: killed half-way, the forecasts of before stay."""
        written = 0

        def write(file: Path) -> None:
            nonlocal written
            with pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
                for batch in batches:
                    writer.write_batch(batch.select(SCHEMA.names))
                    written += batch.num_rows

        replace_folder(self.target, {_FILE: write, COMPLETE: Path.touch}, durable=True)
        yield pa.RecordBatch.from_pydict({"count": [written]})


if __name__ == "__main__":
    main()
