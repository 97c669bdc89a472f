"""What there is to forecast of an export; no Spark is needed to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from mqcap.domain.datasets import (
    FORECAST_RESULT,
    HOLD_OUT_RESULT,
    HOLD_OUT_TRAINING,
    TRAINING,
)
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import figure
from mqcap.lake.forecast_inputs import ForecastInputs, forecast_basis, read_inputs
from mqcap.lake.layout import cutoff_partition, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.partitions import partitions
from mqcap.lake.tables import read_metadata
from mqcap.settings import ForecastSettings


@dataclass(frozen=True)
class ForecastWork:
    """The series of an export that have to be forecast."""

    source: Location
    """Folder of the export."""
    target: Location
    """Folder of the results."""
    cutoff_date: date
    series: Sequence[int]
    """Their numbers, in order."""
    unchanged_count: int = 0
    """Series of which the stored forecast is that of the export."""
    inputs: ForecastInputs | None = None
    """Digests of the export; ``None`` where it has none."""
    has_other_basis: bool = False
    """The export was made with other settings or code: its digests are not those of a fit now."""

    @property
    def is_stored(self) -> bool:
        """True where the forecast of every series is stored, so that there is nothing to do."""
        return self.inputs is not None and not self.series

    @property
    def what(self) -> str:
        """The work in words: ``forecast 148 series as of 2026-11-23``."""
        return f"forecast {figure(len(self.series))} series as of {self.cutoff_date}"


def forecast_work(
    lake: Location,
    settings: ForecastSettings,
    cutoff_date: date,
    training: str = TRAINING.name,
    result: str = FORECAST_RESULT.name,
) -> ForecastWork:
    """Return what there is to forecast as of a date: all where digests are missing or of no use.

    Raises:
        InputError: nothing was exported for the date.
    """
    source = cutoff_partition(lake.absolute(), training, cutoff_date)
    target = cutoff_partition(lake.absolute(), result, cutoff_date)
    if not source.is_dir():
        raise InputError(
            "no training data for this day",
            file=str(source),
            remedy="Run the step that exports it first.",
        )
    inputs = read_inputs(source)
    count = _series_count(source)
    if inputs is None or len(inputs.series) != count:
        return ForecastWork(source, target, cutoff_date, range(count))
    basis = forecast_basis(settings, cutoff_date)
    is_other = inputs.basis != basis
    if is_other:
        inputs = replace(inputs, basis=basis, stored=frozenset())
    to_fit = inputs.to_fit()
    unchanged = count - len(to_fit)
    return ForecastWork(source, target, cutoff_date, to_fit, unchanged, inputs, is_other)


def hold_out_work(lake: Location, settings: ForecastSettings) -> list[ForecastWork]:
    """Return what there is to forecast of each rolling origin that was exported, in order."""
    names = (HOLD_OUT_TRAINING.name, HOLD_OUT_RESULT.name)
    origins = partitions(lake.absolute(), HOLD_OUT_TRAINING.name)
    return [forecast_work(lake, settings, origin, *names) for origin in origins]


def nothing_to_fit(work: ForecastWork) -> dict[str, int]:
    """Return the counts of a day of which nothing had to be forecast."""
    return {"series": 0, "batches": 0, "unchanged": work.unchanged_count}


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
