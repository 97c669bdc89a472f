"""A date of a dataset is one sorted file, replaced at once."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from spark_apps.partition_files import (
    FILE,
    replace_dates,
    shares_of,
    unfinished_partitions,
    write_share,
)
from tests.spark_apps.manifests import DAY, NEXT

DATASET = "metric_hourly"
SCHEMA = {"hour_date": pl.Date, "name": pl.String, "n": pl.Int64}


def rows(*values: tuple[date, str, int]) -> pl.DataFrame:
    return pl.DataFrame(values, SCHEMA, orient="row")


def stored(lake: Path) -> dict[str, list[tuple[str, int]]]:
    return {
        folder.name: pl.DataFrame(pq.read_table(folder / FILE, partitioning=None)).rows()
        for folder in sorted((lake / DATASET).iterdir())
    }


def test_each_date_has_its_rows_in_order_of_the_key_and_not_the_date_itself(tmp_path: Path) -> None:
    made = rows((NEXT, "b", 1), (DAY, "b", 2), (DAY, "a", 3))
    assert replace_dates(tmp_path, DATASET, made, {DAY, NEXT}, ["name"]) == 0
    assert stored(tmp_path) == {
        "hour_date=2025-03-10": [("a", 3), ("b", 2)],
        "hour_date=2025-03-11": [("b", 1)],
    }


def test_texts_are_in_order_of_their_characters_and_nulls_come_first(tmp_path: Path) -> None:
    texts = ["b", "B", "", "é", "a/10", "a/9", None]
    made = pl.DataFrame([(DAY, text, 1) for text in texts], SCHEMA, orient="row")
    replace_dates(tmp_path, DATASET, made, {DAY}, ["name", "n"])
    [stored_rows] = stored(tmp_path).values()
    assert [name for name, _ in stored_rows] == [None, "", "B", "a/10", "a/9", "b", "é"]


def test_a_date_without_rows_is_removed_and_counted_and_others_stay(tmp_path: Path) -> None:
    made = rows((DAY, "a", 1), (NEXT, "a", 2))
    replace_dates(tmp_path, DATASET, made, {DAY, NEXT}, ["name"])
    none = rows()
    assert replace_dates(tmp_path, DATASET, none, {DAY, date(2025, 3, 12)}, ["name"]) == 1
    assert stored(tmp_path) == {"hour_date=2025-03-11": [("a", 2)]}


def test_rows_of_other_dates_are_not_written(tmp_path: Path) -> None:
    replace_dates(tmp_path, DATASET, rows((DAY, "a", 1), (NEXT, "a", 2)), {NEXT}, ["name"])
    assert stored(tmp_path) == {"hour_date=2025-03-11": [("a", 2)]}


def test_a_partition_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_dates(tmp_path, DATASET, rows((DAY, "a", 1)), {DAY}, ["name"])

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(OSError, match="no space"):
        replace_dates(tmp_path, DATASET, rows((DAY, "a", 2)), {DAY}, ["name"])
    assert stored(tmp_path) == {"hour_date=2025-03-10": [("a", 1)]}


def test_shares_of_a_date_are_hidden_until_they_are_put_together_and_then_gone(
    tmp_path: Path,
) -> None:
    write_share(tmp_path, DATASET, rows((DAY, "b", 1)), DAY, 0)
    write_share(tmp_path, DATASET, rows(), DAY, 1)
    write_share(tmp_path, DATASET, rows((NEXT, "c", 1)), NEXT, 0)
    assert len(list(unfinished_partitions(tmp_path, DATASET))) == 3
    with shares_of(tmp_path, DATASET, DAY) as together:
        assert together.rows() == [(DAY, "b", 1)]
    [left] = unfinished_partitions(tmp_path, DATASET)
    assert f"{NEXT}" in left.name


def test_a_share_that_is_written_again_counts_once(tmp_path: Path) -> None:
    for _ in range(2):
        write_share(tmp_path, DATASET, rows((DAY, "b", 1)), DAY, 0)
    with shares_of(tmp_path, DATASET, DAY) as together:
        assert together.height == 1


def test_shares_stay_where_they_could_not_be_put_together(tmp_path: Path) -> None:
    write_share(tmp_path, DATASET, rows((DAY, "b", 1)), DAY, 0)
    with pytest.raises(OSError, match="full"), shares_of(tmp_path, DATASET, DAY):
        raise OSError("full")
    assert len(list(unfinished_partitions(tmp_path, DATASET))) == 1
