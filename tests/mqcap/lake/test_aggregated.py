from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.lake.aggregated import (
    AGGREGATED,
    metric_catalogue,
    source_digests,
    write_metric_catalogue,
    write_source_digest,
)
from mqcap.lake.layout import hour_partition, metric_catalogue_path
from mqcap.lake.partitions import remove_before

LONG_AGO_NS = 1_700_000_000_000_000_000

DAY = date(2026, 3, 9)


def test_digests_are_kept_by_date(tmp_path: Path) -> None:
    assert source_digests(tmp_path) == {}
    write_source_digest(tmp_path, DAY, "first")
    write_source_digest(tmp_path, date(2026, 3, 8), "other")
    write_source_digest(tmp_path, DAY, "second")
    assert source_digests(tmp_path) == {date(2026, 3, 8): "other", DAY: "second"}


def test_an_unfinished_digest_is_not_read(tmp_path: Path) -> None:
    write_source_digest(tmp_path, DAY, "first")
    (tmp_path / "metric_sources" / ".hour_date=2026-03-10.json.17").write_text("{", "utf-8")
    assert source_digests(tmp_path) == {DAY: "first"}


Damage = Callable[[Path], object]
DAMAGES: dict[str, Damage] = {
    "gone": Path.unlink,
    "folder gone": lambda file: shutil.rmtree(file.parent),
    "emptied": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
}


@pytest.mark.parametrize("dataset", AGGREGATED)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_date_of_which_rows_are_gone_or_damaged_counts_as_not_aggregated(
    tmp_path: Path, dataset: str, damage: Damage
) -> None:
    days = [DAY + timedelta(days=number) for number in range(3)]
    for day in days:
        file = hour_partition(tmp_path, dataset, day) / "rows.parquet"
        file.parent.mkdir(parents=True)
        pq.write_table(pa.table({"value": [1.0]}), file)
        write_source_digest(tmp_path, day, "digest")
    assert list(source_digests(tmp_path)) == days
    damage(hour_partition(tmp_path, dataset, days[1]) / "rows.parquet")
    assert list(source_digests(tmp_path)) == [days[0], days[2]]


def test_single_intervals_of_old_dates_may_be_removed(tmp_path: Path) -> None:
    for day in (DAY, DAY + timedelta(days=40)):
        file = hour_partition(tmp_path, "metric_interval", day) / "rows.parquet"
        file.parent.mkdir(parents=True)
        pq.write_table(pa.table({"value": [1.0]}), file)
        write_source_digest(tmp_path, day, "digest")
    remove_before(tmp_path, "metric_interval", DAY + timedelta(days=1))
    assert len(source_digests(tmp_path)) == 2


@pytest.mark.parametrize("content", ["", "{", "[1]", "null", '{"sources_digest": 7}'])
def test_results_that_cannot_be_read_are_as_if_not_there(tmp_path: Path, content: str) -> None:
    write_source_digest(tmp_path, DAY, "digest")
    write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct"}])
    for path in tmp_path.rglob("*.json"):
        path.write_text(content, "utf-8")
    assert source_digests(tmp_path) == {}
    write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct"}])
    assert metric_catalogue(tmp_path) == [{"name": "cf_busy_pct"}]


def test_the_catalogue_is_empty_before_the_first_aggregation(tmp_path: Path) -> None:
    assert metric_catalogue(tmp_path) == []
    write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct", "unit": "%"}])
    assert metric_catalogue(tmp_path) == [{"name": "cf_busy_pct", "unit": "%"}]


def test_the_file_of_an_unchanged_catalogue_is_not_written_again(tmp_path: Path) -> None:
    written = []
    for unit in ("%", "%", "MiB", "MiB"):
        write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct", "unit": unit}])
        file = metric_catalogue_path(tmp_path)
        written.append(file.stat().st_mtime_ns != LONG_AGO_NS)
        os.utime(file, ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert written == [True, False, True, False]
