"""The columns that metrics use are found by asking the metrics."""

from __future__ import annotations

import polars as pl
import pytest

from spark_apps.columns import Result, columns_used
from spark_apps.measure import columns_read
from spark_apps.read import row_schema
from spark_apps.registry import datasets_read, families
from tests.spark_apps.rows import sections

SCHEMAS = {name: pl.Schema({each: pl.Int64() for each in "abcdef"}) for name in ("one", "other")}


def used(*results: Result) -> dict[str, tuple[str, ...]]:
    return columns_used(results, SCHEMAS)


def test_columns_that_are_selected_compared_joined_or_grouped_are_used() -> None:
    assert used(
        lambda made: made["one"].filter(pl.col("b") > 1).select("a"),
        lambda made: made["one"].group_by("c").agg(pl.len()),
        lambda made: made["one"].select("d").join(made["other"].select("d", "e"), on="d"),
    ) == {"one": ("a", "b", "c", "d"), "other": ("d", "e")}


def test_a_dataset_that_no_result_reads_has_no_columns() -> None:
    assert used() == {"one": (), "other": ()}


def test_a_result_of_all_columns_uses_all() -> None:
    assert used(lambda made: made["one"])["one"] == tuple("abcdef")


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
