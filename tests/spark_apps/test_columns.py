"""Columns that aggregation reads and writes, with any value in them."""

import math
import warnings
from datetime import UTC, date, datetime
from typing import Final

import polars as pl
import pytest

from spark_apps.attribution.by_date import attribution
from spark_apps.attribution.wholes import wholes
from spark_apps.digests import Placement
from spark_apps.measure import (
    Result,
    arrow_table,
    columns_read,
    columns_used,
    every_interval,
    interval_rows,
    metric_interval,
    with_series,
)
from spark_apps.read import file_schema, row_schema
from spark_apps.registry import datasets_read, families
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.intervals import Sections
from tests.spark_apps.rows import COMMON, START, sections

SCHEMAS = {name: pl.Schema({each: pl.Int64() for each in "abcdef"}) for name in ("one", "other")}
FRAME = pl.DataFrame(
    {"text": ["a", None], "count": [1, 2], "at": [datetime(2026, 1, 1, tzinfo=UTC)] * 2,
     "day": [date(2026, 1, 1)] * 2},
    schema_overrides={"at": pl.Datetime("us", "UTC")},
)  # fmt: skip


def used(*results: Result) -> dict[str, tuple[str, ...]]:
    return columns_used(results, SCHEMAS)


def test_columns_that_are_selected_compared_joined_or_grouped_are_used() -> None:
    assert used(
        lambda made: made["one"].filter(pl.col("b") > 1).select("a"),
        lambda made: made["one"].group_by("c").agg(pl.len()),
        lambda made: made["one"].select("d").join(made["other"].select("d", "e"), on="d"),
    ) == {"one": ("a", "b", "c", "d"), "other": ("d", "e")}


@pytest.mark.thorough
def test_every_metric_computes_of_its_columns_alone() -> None:
    columns = columns_read()
    assert set(columns) == set(datasets_read())
    assert sum(map(len, columns.values())) < sum(len(row_schema(name)) for name in columns) / 4
    made = sections()
    pruned = {name: made[name].select(names) for name, names in columns.items()}
    for family in families():
        assert family.intervals(type(made)(pruned)).collect().is_empty()


def test_a_field_that_a_metric_states_is_read() -> None:
    columns = columns_read()
    for field, dataset in (("qjstbffl", "section_qjst"), ("r744slem", "section_r744s")):
        assert field in columns[dataset]
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        sections()["section_qjst"].select("none").collect()


def test_rows_are_in_one_piece_however_many_frames_they_come_from() -> None:
    many = pl.concat([FRAME, FRAME], rechunk=False)
    assert arrow_table(many)["count"].num_chunks == 1
    assert arrow_table(FRAME.clear()).num_rows == 0


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
