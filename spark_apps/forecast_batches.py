"""Forecast batches of series: the task of a worker, and the result of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.forecast import Forecast, ForecastKey
from mqcap.lake.files import remove, remove_unfinished, replace_folder, replacing
from mqcap.lake.forecast_inputs import NOT_OF_A_FIT, write_inputs
from mqcap.lake.forecast_results import SCHEMA, results_with
from mqcap.lake.layout import COMPLETE, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source, read_rows
from mqcap.settings import ForecastSettings
from spark_apps.forecast_work import ForecastWork

BATCHES_PER_PROCESS: Final = 4
"""Few series are cut into at least so many batches, so that all processes have work to the end."""
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

    @property
    def count(self) -> int:
        """Number of batches, one at least."""
        return max(1, ceil(len(self.series) / self.size))

    def made(self, number: int) -> pa.Table:
        """Return the forecasts of the batch of a number, in order, with no digests.

        Raises OSError or LakeUnavailable when the lake cannot be read.
        """
        of_batch = _among(self.series[number * self.size : (number + 1) * self.size])
        rows = read_rows(parquet_files(self.source), wanted=of_batch).to_pandas()
        made = forecast_series(rows.drop(columns="series_number"), self.options, self.cutoff_date)
        table = pa.Table.from_pylist([_row(forecast) for forecast in made], _SHARE)
        return table.sort_by([("series_id", "ascending"), ("statistic", "ascending")])

    def write(self, number: int) -> None:
        """Make the forecasts of a batch, and write them for ``shares``.

        Safe to repeat. Raises OSError or LakeUnavailable when the lake cannot be read or written.
        """
        with replacing(self._share(number)) as file:
            pq.write_table(self.made(number), file, compression="zstd")

    def written(self, numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Write the batches of some numbers: the function of `mapInArrow`; yields the numbers."""
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                self.write(number)
            yield pa.RecordBatch.from_arrays([batch.column(0)], ["number"])

    def shares(self) -> Iterator[pa.Table]:
        """Yield what ``write`` has written of each batch; at the end it is removed."""
        shares = [self._share(number) for number in range(self.count)]
        for share in shares:
            yield pq.read_table(parquet_source(share), partitioning=None)
        for share in shares:
            remove(share)

    def replace(self, made: Iterable[pa.Table], digests: Mapping[ForecastKey, str]) -> None:
        """Replace the results by those of all batches, each with the digest of its inputs.

        Earlier results that have the digest of a series that was not forecast again follow.
        """

        def write(file: Path) -> None:
            kept = dict(digests)
            with pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
                for table in made:
                    keys = zip(*(table[name].to_pylist() for name in _SHARE.names[:2]), strict=True)
                    column = pa.array([kept.pop(key, None) for key in keys], pa.string())
                    writer.write_table(table.append_column("input_sha256", column))
                for table in results_with(self.target, kept):
                    writer.write_table(table)

        replace_folder(self.target, {_FILE: write, COMPLETE: Path.touch}, durable=True)

    def _share(self, number: int) -> Location:
        return self.target.with_name(f".{self.target.name}.share-{number}")


def begun(work: ForecastWork, settings: ForecastSettings, processes: int) -> ForecastBatches:
    """Return the batches of what there is to forecast, for so many processes.

    Digests of another basis are replaced first, so that they say what the forecasts will be made
    from; what an earlier run has left unfinished is removed.
    """
    if work.inputs is not None and work.has_other_basis:
        write_inputs(work.source, work.inputs)
    for left in (f".{work.target.name}.*", f"..{work.target.name}.*"):  # shares, and a part of one
        remove_unfinished(work.target.parent.glob(left))
    count = len(work.series)
    size = ceil(count / batch_count(count, settings.series_per_batch, processes))
    options = ForecastOptions(**settings.model_dump(exclude=set(NOT_OF_A_FIT)))
    return ForecastBatches(
        work.source, work.target, work.series, max(1, size), options, work.cutoff_date
    )


def batch_count(series_count: int, series_per_batch: int, processes: int) -> int:
    """Return the number of batches: at most ``series_per_batch`` each, and work for every one."""
    wanted = max(ceil(series_count / series_per_batch), BATCHES_PER_PROCESS * processes)
    return max(1, min(series_count, wanted))


def put_together(
    batches: ForecastBatches, work: ForecastWork, made: Iterable[pa.Table]
) -> dict[str, int]:
    """Replace the results by what was made of each batch; returns the counts of the application.

    Results of series that need no forecast stay, where they are those of the export.
    """
    batches.replace(made, work.inputs.digests() if work.inputs else {})
    counts = {"series": len(work.series), "batches": batches.count}
    return counts | {"unchanged": work.unchanged_count}


def _among(numbers: Sequence[int]) -> pc.Expression:
    """Return the condition of rows of these series; a stretch of them skips other row groups."""
    series = pc.field("series_number")
    if not numbers:
        return series < 0
    stretch = (series >= numbers[0]) & (series <= numbers[-1])
    is_whole = len(numbers) == numbers[-1] - numbers[0] + 1
    return stretch if is_whole else stretch & series.isin(list(numbers))


def _row(forecast: Forecast) -> dict[str, str]:
    return {
        "series_id": forecast.series_id,
        "statistic": str(forecast.statistic),
        "document": forecast.model_dump_json(),
    }
