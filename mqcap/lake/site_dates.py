"""Read the rows of datasets that are partitioned by UTC date and have a site date."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.datasets import Dataset
from mqcap.lake.layout import parquet_files
from mqcap.lake.location import Location
from mqcap.lake.partitions import partitions
from mqcap.lake.tables import read_rows

_ONE_DAY: Final = timedelta(days=1)


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
    paths = [
        path
        for day, folder in partitions(lake, dataset.name).items()
        if first - _ONE_DAY <= day <= last + _ONE_DAY
        for path in parquet_files(folder)
    ]
    if not paths:
        return []
    site_date = pc.field("site_date")
    rows = (site_date >= pa.scalar(first)) & (site_date <= pa.scalar(last))
    if wanted is not None:
        rows &= wanted
    table = read_rows(paths, list(columns), rows)
    found: list[dict[str, Any]] = table.to_pylist()
    return found
