"""A value of a file never ends a run: any number in any column that aggregation reads."""

import math
import warnings
from typing import Final

import polars as pl

from spark_apps.attribution.by_date import attribution
from spark_apps.attribution.wholes import wholes
from spark_apps.digests import Placement
from spark_apps.measure import (
    columns_read,
    every_interval,
    interval_rows,
    metric_interval,
    with_series,
)
from spark_apps.read import file_schema, row_schema
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.intervals import Sections
from tests.spark_apps.rows import COMMON, START, sections

SITE_DAYS: Final = Placement().site_days
FLOATS: Final = (7e75, -7e75, math.nan, math.inf, -math.inf)
INTEGERS: Final[dict[pl.DataType, tuple[int, ...]]] = {
    pl.Int32(): (2**31 - 1, -(2**31)),
    pl.Int64(): (2**63 - 1, -(2**63)),
}
_IDENTITY: Final = {"record_hash", "section_index", "record_type", "record_subtype"}


def aggregate(rows: Sections) -> None:
    """Make all that workers make of a date."""
    every = every_interval(rows)
    interval_rows(with_series(every), [START.date()])
    made = [metric_interval(every.lazy()), feed_intervals(rows)]
    _, _, whole = pl.collect_all([*made, wholes(every.lazy(), rows, SITE_DAYS)])
    with warnings.catch_warnings():  # NumPy warns of products that no longer fit
        warnings.simplefilter("ignore", RuntimeWarning)
        attribution(rows, [START.date()], whole, SITE_DAYS, 5)


def test_no_value_of_a_column_stops_the_aggregation() -> None:
    aggregate(sections(None, None, None, **{name: extremes(name) for name in columns_read()}))


def extremes(dataset: str) -> list[dict[str, float]]:
    """Return a plain row, and one for each extreme value of each column."""
    types = {**row_schema(dataset), **file_schema(dataset)}
    columns = [name for name in columns_read()[dataset] if name not in _IDENTITY]
    base: dict[str, float] = {
        name: 1 for name in columns if types[name].is_numeric() and name not in COMMON
    }
    rows = [base]
    for name in columns:
        values: tuple[float, ...] = INTEGERS.get(types[name], ())
        values = FLOATS if types[name].is_float() else values
        rows += [{**base, name: value} for value in values]
    return rows
