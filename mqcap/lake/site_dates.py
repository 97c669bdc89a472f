"""Read the rows of datasets that are partitioned by UTC date and have a site date."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.datasets import Dataset
from mqcap.lake.layout import hour_partition, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.partitions import partitions
from mqcap.lake.tables import read_rows

_ONE_DAY: Final = timedelta(days=1)
_NOT_LISTED_DAYS: Final = 14
"""Up to so many folders are looked at without a list of all of them (ours)."""


def rows_of_site_dates(
    lake: Location,
    dataset: Dataset,
    first: date,
    last: date,
    columns: Iterable[str],
    wanted: pc.Expression | None = None,
) -> list[dict[str, Any]]:
    """Return the wanted rows of the site dates from first to last; all of them by default.

    A site date that spans two UTC dates has the rows of both. Empty where the lake has none.
    """
    table = table_of_site_dates(lake, dataset, first, last, columns, wanted)
    found: list[dict[str, Any]] = [] if table is None else table.to_pylist()
    return found


def table_of_site_dates(
    lake: Location,
    dataset: Dataset,
    first: date,
    last: date,
    columns: Iterable[str],
    wanted: pc.Expression | None = None,
) -> pa.Table | None:
    """Return the same rows as ``rows_of_site_dates`` as a table; ``None`` without any file."""
    folders = _partitions(lake, dataset, first - _ONE_DAY, last + _ONE_DAY)
    paths = [path for folder in folders for path in parquet_files(folder)]
    if not paths:
        return None
    site_date = pc.field("site_date")
    rows = (site_date >= pa.scalar(first)) & (site_date <= pa.scalar(last))
    if wanted is not None:
        rows &= wanted
    return read_rows(paths, list(columns), rows)


def _partitions(lake: Location, dataset: Dataset, first: date, last: date) -> list[Location]:
    """Return the folders of the UTC dates from first to last, in order.

    Those of a short range may not exist; for a longer one the folders of the dataset are listed.
    """
    count = (last - first).days + 1
    if count <= _NOT_LISTED_DAYS:
        days = (first + timedelta(days=number) for number in range(count))
        return [hour_partition(lake, dataset.name, day) for day in days]
    return [
        folder for day, folder in partitions(lake, dataset.name).items() if first <= day <= last
    ]
