from __future__ import annotations

from datetime import date
from pathlib import Path

from mqcap.lake.layout import hour_partition
from mqcap.lake.partitions import (
    partitions,
    remove_before,
)

DATASET = "metric_hourly"
FIRST, SECOND, THIRD = (date(2026, 3, day) for day in (1, 2, 3))


def dataset(lake: Path, *days: date) -> None:
    for day in days:
        folder = hour_partition(lake, DATASET, day)
        folder.mkdir(parents=True)
        (folder / "old.parquet").touch()


def test_partitions_are_in_order_of_date_without_temporary_folders(tmp_path: Path) -> None:
    dataset(tmp_path, SECOND, FIRST)
    (tmp_path / DATASET / ".hour_date=2026-03-03.17").mkdir()
    assert list(partitions(tmp_path, DATASET)) == [FIRST, SECOND]
    assert partitions(tmp_path, "none") == {}


def test_partitions_before_a_date_are_removed(tmp_path: Path) -> None:
    dataset(tmp_path, FIRST, SECOND, THIRD)
    assert remove_before(tmp_path, DATASET, THIRD) == 2
    assert remove_before(tmp_path, DATASET, THIRD) == 0
    assert list(partitions(tmp_path, DATASET)) == [THIRD]
