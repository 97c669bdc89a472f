"""Attribution of some UTC dates, one after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import Final, NamedTuple

import polars as pl
import pyarrow as pa

from spark_apps.arrow import arrow_table
from spark_apps.attribution import compare
from spark_apps.attribution.compare import source_pairs
from spark_apps.attribution.daily import MODULES, parts_of_day
from spark_apps.attribution.days import DAYS, SiteDays
from spark_apps.attribution.rows import SYSTEMS, DayRows, days_of, moment_of
from spark_apps.read import row_schema
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL

DATASETS: Final = tuple(sorted({name for module in (*MODULES, compare) for name in module.READS}))
"""Datasets that attribution reads."""
_WHOLES: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("metric", "subject")),
        pa.field(DAYS[1], pa.date32()),
        *(pa.field(name, pa.float64()) for name in ("value", "covered_seconds")),
        pa.field("base", pa.int64()),
    ]
)


class AttributionRows(NamedTuple):
    """Rows of METRIC_PART and of SOURCE_PAIR."""

    parts: pl.DataFrame
    pairs: pl.DataFrame


def attribution(
    sections: Sections,
    dates: Iterable[date],
    wholes: pl.DataFrame,
    site_days: SiteDays,
    parts_per_day: int,
) -> AttributionRows:
    """Return the parts of metrics on some dates, and the figures that two sources have.

    ``wholes`` are the metrics that have parts, of these dates and maybe of others.
    """
    by_date = wholes.partition_by(DAYS[0], include_key=False, as_dict=True)
    none = wholes.clear().drop(DAYS[0])
    parts, pairs = [], []
    for rows in days_of(sections, dates, columns_read()):
        of_day = arrow_table(by_date.get((rows.day,), none))
        parts.append(parts_of_day(rows, of_day, site_days, parts_per_day))
        pairs.append(source_pairs(rows, site_days))
    return AttributionRows(_joined(parts), _joined(pairs))


@cache
def columns_read() -> Mapping[str, tuple[str, ...]]:
    """Return the columns of each dataset that attribution is made of."""
    noted = _NotedRows()
    parts_of_day(noted, pa.Table.from_batches([], _WHOLES), SiteDays(), 1)
    source_pairs(noted, SiteDays())
    return {name: tuple(sorted(columns)) for name, columns in noted.used.items()}


class _NotedRows(DayRows):
    """A date without rows, which notes what is read of it."""

    def __init__(self) -> None:
        super().__init__(date.min, {})
        self.used: defaultdict[str, set[str]] = defaultdict(set)

    def has(self, *datasets: str) -> bool:
        """Return that there are some, so that all of them are read."""
        return bool(datasets)

    def of(self, dataset: str, *columns: str) -> pa.Table:
        """Return no rows."""
        schema = row_schema(dataset)
        always = [name for name in (*SYSTEMS, *INTERVAL, moment_of(dataset)) if name in schema]
        self.used[dataset].update(always, columns)
        wanted = sorted({*always, *columns})
        return arrow_table(
            pl.DataFrame(schema={name: schema[name] for name in wanted}), encode=True
        )


def _joined(tables: Iterable[pa.Table]) -> pl.DataFrame:
    return pl.DataFrame(pa.concat_tables(tables))
