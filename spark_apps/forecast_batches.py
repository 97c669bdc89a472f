"""Forecast batches of series: the task of a Spark worker, and the result of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.forecast import Forecast, ForecastKey
from mqcap.lake.files import remove, replace_folder, replacing
from mqcap.lake.forecast_results import SCHEMA, results_with
from mqcap.lake.layout import COMPLETE, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source, read_rows

_FILE: Final = "part-0.parquet"
_SHARE: Final = SCHEMA.remove(SCHEMA.get_field_index("input_sha256"))


@dataclass(frozen=True)
class ForecastBatches:
    """Forecasts of an export, in batches of successive series."""

    source: Location
    """Folder of the export."""
    target: Location
    """Folder of the results."""
    series: Sequence[int]
    """Numbers of the series and statistics to be forecast, in order."""
    size: int
    """Series and statistics in a batch; the last one may have fewer."""
    options: ForecastOptions
    cutoff_date: date

    def write(self, number: int) -> None:
        """Forecast the batch of a number, and write its results for ``put_together``.

        Safe to repeat. Raises OSError or LakeUnavailable when the lake cannot be read or written.
        """
        of_batch = _among(self.series[number * self.size : (number + 1) * self.size])
        rows = read_rows(parquet_files(self.source), wanted=of_batch).to_pandas()
        made = forecast_series(rows.drop(columns="series_number"), self.options, self.cutoff_date)
        table = pa.Table.from_pylist([_row(forecast) for forecast in made], _SHARE)
        with replacing(self._share(number)) as file:
            pq.write_table(table.sort_by([("series_id", "ascending"), ("statistic", "ascending")]),
                           file, compression="zstd")  # fmt: skip

    def put_together(self, count: int, digests: Mapping[ForecastKey, str]) -> None:
        """Replace the results by those of all batches, each with the digest of its inputs.

        Earlier results that have the digest of a series that was not forecast again follow.
        """
        shares = [self._share(number) for number in range(count)]

        def write(file: Path) -> None:
            kept = dict(digests)
            with pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
                for share in shares:
                    made = pq.read_table(parquet_source(share), partitioning=None)
                    keys = zip(*(made[name].to_pylist() for name in _SHARE.names[:2]), strict=True)
                    column = pa.array([kept.pop(key, None) for key in keys], pa.string())
                    writer.write_table(made.append_column("input_sha256", column))
                for table in results_with(self.target, kept):
                    writer.write_table(table)

        replace_folder(self.target, {_FILE: write, COMPLETE: Path.touch})
        for share in shares:
            remove(share)

    def _share(self, number: int) -> Location:
        return self.target.with_name(f".{self.target.name}.share-{number}")


def _among(numbers: Sequence[int]) -> pc.Expression:
    """Return the condition of rows of these series; a stretch of them skips other row groups."""
    series = pc.field("series_number")
    if not numbers:
        return series < 0
    stretch = (series >= numbers[0]) & (series <= numbers[-1])
    is_whole = len(numbers) == numbers[-1] - numbers[0] + 1
    return stretch if is_whole else stretch & series.isin(list(numbers))


def _row(forecast: Forecast) -> dict[str, str | None]:
    return {
        "series_id": forecast.series_id,
        "statistic": str(forecast.statistic),
        "document": forecast.model_dump_json(),
        "model": forecast.stored_model,
    }
