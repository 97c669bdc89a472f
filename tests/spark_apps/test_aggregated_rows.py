"""Rows of dates are written with the digest last."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from mqcap.domain.datasets import METRIC_HOURLY, METRIC_INTERVAL
from mqcap.lake.aggregated import source_digests
from mqcap.lake.layout import hour_partition
from spark_apps import aggregated_rows as module
from spark_apps.aggregated_rows import (
    KEYS,
    SharedDate,
    kept_dates,
    put_together,
    replace_rows,
    write_shares,
)
from tests.spark_apps.manifests import DAY, NEXT

DIGESTS = {DAY: "first", NEXT: "second"}


def rows(*dates: date) -> dict[str, pl.DataFrame]:
    """A row of each dataset on each date."""
    return {
        dataset: pl.DataFrame({"hour_date": dates}, {"hour_date": pl.Date}).with_columns(
            pl.lit("x").alias(name) for name in key if name != "hour_date"
        )
        for dataset, key in KEYS.items()
    }


def present(lake: Path, day: date) -> set[str]:
    return {dataset for dataset in KEYS if hour_partition(lake, dataset, day).is_dir()}


@pytest.mark.parametrize(
    ("first", "kept"),
    [(DAY, {DAY, NEXT}), (NEXT, {NEXT}), (NEXT + timedelta(days=1), set())],
)
def test_single_intervals_are_kept_from_a_date_on_and_all_else_of_every_date(
    first: date, kept: set[date]
) -> None:
    assert kept_dates(METRIC_INTERVAL.name, DIGESTS, first) == kept
    assert kept_dates(METRIC_HOURLY.name, DIGESTS, first) == {DAY, NEXT}


def test_every_dataset_is_replaced_and_then_the_digests_are_written(tmp_path: Path) -> None:
    assert replace_rows(tmp_path, rows(DAY, NEXT), DIGESTS, NEXT) == 0
    assert present(tmp_path, DAY) == {*KEYS} - {METRIC_INTERVAL.name}
    assert present(tmp_path, NEXT) == {*KEYS}
    assert source_digests(tmp_path) == DIGESTS
    assert replace_rows(tmp_path, rows(NEXT), {DAY: "third"}, DAY) == 1
    assert present(tmp_path, DAY) == set()


def test_hours_are_written_after_all_else() -> None:
    assert list(KEYS)[-1] == METRIC_HOURLY.name


def test_without_all_rows_no_digest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError("no space left on device")

    monkeypatch.setattr(module, "replace_dates", full)
    with pytest.raises(OSError, match="no space"):
        replace_rows(tmp_path, rows(DAY), {DAY: "first"}, DAY)
    assert source_digests(tmp_path) == {}


def test_shares_are_put_together_with_their_digest(tmp_path: Path) -> None:
    write_shares(tmp_path, rows(DAY), DAY, 0)
    write_shares(tmp_path, rows(), DAY, 1)
    assert source_digests(tmp_path) == {}
    assert present(tmp_path, DAY) == set()
    assert put_together(SharedDate(tmp_path, DAY, "first", NEXT)) == 0
    assert present(tmp_path, DAY) == {*KEYS} - {METRIC_INTERVAL.name}
    assert source_digests(tmp_path) == {DAY: "first"}
    assert not [path for path in tmp_path.rglob(".*") if "share" in path.name]
