"""Datasets that Spark reads and writes as Arrow, and their columns."""

from datetime import UTC, date, datetime

import polars as pl
import pytest

from spark_apps.measure import Result, arrow_table, columns_read, columns_used
from spark_apps.read import row_schema
from spark_apps.registry import datasets_read, families
from tests.spark_apps.rows import sections

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
