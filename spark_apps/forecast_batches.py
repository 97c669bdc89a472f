"""Forecast batches of series: the task of a Spark worker, and the result of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.forecast import Forecast
from mqcap.lake.files import remove, replace_folder, replacing
from mqcap.lake.layout import COMPLETE, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source, read_rows

_FILE: Final = "part-0.parquet"
_SCHEMA: Final = pa.schema(
    {name: pa.string() for name in ("series_id", "statistic", "document", "model")}
)


@dataclass(frozen=True)
class ForecastBatches:
    """Forecasts of an export, in batches of successive series."""

    source: Location
    """Folder of the export."""
    target: Location
    """Folder of the results."""
    size: int
    """Series and statistics in a batch; the last one may have fewer."""
    options: ForecastOptions
    cutoff_date: date

    def write(self, number: int) -> None:
        """Forecast the batch of a number, and write its results for ``put_together``.

        Safe to repeat. Raises OSError or LakeUnavailable when the lake cannot be read or written.
        """
        series = pc.field("series_number")
        of_batch = (series >= number * self.size) & (series < (number + 1) * self.size)
        rows = read_rows(parquet_files(self.source), wanted=of_batch).to_pandas()
        made = forecast_series(rows.drop(columns="series_number"), self.options, self.cutoff_date)
        table = pa.Table.from_pylist([_row(forecast) for forecast in made], _SCHEMA)
        with replacing(self._share(number)) as file:
            pq.write_table(table.sort_by([("series_id", "ascending"), ("statistic", "ascending")]),
                           file, compression="zstd")  # fmt: skip

    def put_together(self, count: int) -> None:
        """Replace the results by those of all batches, in the order of the series."""
        shares = [self._share(number) for number in range(count)]

        def write(file: Path) -> None:
            with pq.ParquetWriter(file, _SCHEMA, compression="zstd") as writer:
                for share in shares:
                    writer.write_table(pq.read_table(parquet_source(share), partitioning=None))

        replace_folder(self.target, {_FILE: write, COMPLETE: Path.touch})
        for share in shares:
            remove(share)

    def _share(self, number: int) -> Location:
        return self.target.with_name(f".{self.target.name}.share-{number}")


def _row(forecast: Forecast) -> dict[str, str | None]:
    return {
        "series_id": forecast.series_id,
        "statistic": str(forecast.statistic),
        "document": forecast.model_dump_json(),
        "model": forecast.stored_model,
    }
