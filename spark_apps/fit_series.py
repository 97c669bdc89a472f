"""What Spark's workers do for a forecast: read rows, fit a series, write the forecasts of a day.

Apart from the driver's part, because each worker imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from forecasting import ForecastOptions, forecast_series
from mqcap.lake.files import replace_folder
from mqcap.lake.forecast_results import SCHEMA
from mqcap.lake.layout import COMPLETE
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source

ROWS: Final = (
    "series_number int, series_id string, statistic string, site_date date, value double, "
    "ceiling double, country string, calendar string, known_changes string, driver string"
)
FORECASTS: Final = "series_number int, series_id string, statistic string, document string"
NUMBER: Final = "series_number"
_NAMES: Final = tuple(column.split()[0] for column in ROWS.split(", "))
_FILE: Final = "part-0.parquet"


@dataclass(frozen=True)
class ReadRows:
    """The function of `mapInArrow`: from numbers of row groups to their rows, ``ROWS``."""

    groups: tuple[tuple[Location, int], ...]

    def __call__(self, numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read the row groups. Raises OSError or LakeUnavailable when the lake cannot be read."""
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                location, group = self.groups[number]
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
        [number] = rows.pop(NUMBER).unique()
        [made] = forecast_series(rows.sort_values("site_date"), self.options, self.cutoff_date)
        row = (number, made.series_id, str(made.statistic), made.model_dump_json())
        return pd.DataFrame([row], columns=[NUMBER, *SCHEMA.names])


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
