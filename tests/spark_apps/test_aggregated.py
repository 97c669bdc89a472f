"""Dates are aggregated by one program; how Spark divides them changes nothing."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.datasets import FEED_INTERVAL, METRIC_HOURLY, METRIC_INTERVAL, METRIC_PART
from mqcap.domain.errors import ServiceUnavailable
from mqcap.lake.aggregated import source_digests
from mqcap.lake.layout import hour_partition
from mqcap.lake.manifest import Manifest
from spark_apps import aggregate
from spark_apps.aggregate import BLOCK_ROWS, PARTITION_ROWS_MAX, divided
from spark_apps.aggregate import aggregated as program
from spark_apps.digests import Placement
from spark_apps.measure import Aggregation, every_interval, metric_interval
from spark_apps.replace_dates import KEYS
from spark_apps.runtime.task_errors import reported
from tests.spark_apps.lakes import RECEIVED, stored
from tests.spark_apps.manifests import DAY, NEXT, manifest
from tests.spark_apps.rows import HALF_HOUR, between, intervals_of, records, sections

pytestmark = pytest.mark.spark
PLACE: Final = Placement(sysplex_by_smfid={"SYS1": "PLEX1", "SYS2": "PLEX2"})
MIDNIGHT: Final = datetime(2025, 3, 10, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
DATES: Final = tuple(DAY + timedelta(days=number) for number in range(-1, 3))
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def source(lake: Path, sha256: str, rows: Rows, **facts: Any) -> Manifest:
    """A file with some rows that may touch any of ``DATES``."""
    for dataset, some in rows.items():
        stored(lake, sha256, dataset, *some)
    known = {
        "rows": {name: len(some) for name, some in rows.items()},
        "received_date": RECEIVED,
        "hour_dates": DATES,
        "smfids": ("SYS1", "SYS2"),
    }
    return manifest(sha256, **{**known, **facts})


def aggregated(
    spark: SparkSession,
    lake: Path,
    sources: Sequence[Manifest],
    *groups: Sequence[date],
) -> dict[str, dict[str, Any]]:
    """Aggregate groups of dates, one after the other; all rows of each file by dataset."""
    for group in groups or (DATES,):
        digests = {day: f"digest of {day}" for day in group}
        of = Aggregation(lake, digests, tuple(sources), PLACE, DATES[0])
        program(spark, of).collect()
    return {dataset: dict(contents(lake, dataset)) for dataset in KEYS}


def contents(lake: Path, dataset: str) -> Iterator[tuple[str, Any]]:
    for file in sorted((lake / dataset).glob("hour_date=*/*.parquet")):
        yield file.parent.name, pq.read_table(file, partitioning=None)


def log(start: datetime, length: timedelta = HALF_HOUR, **more: Any) -> dict[str, Any]:
    return {**between(start, start + length), "qjstbffl": 1_001, "qjstwtb": 3, **more}


def spanning() -> Rows:
    """Statistics of two systems, and messages, across the midnights of three dates."""
    length = timedelta(minutes=50)
    starts = [MIDNIGHT + number * length - 3 * HOUR for number in range(80)]
    put = {"qqstqnam": "A", "qqstputs": 8, "qqstppt": 8, "qqstputb": 9_000, "qqstppb": 9_000}
    every = [
        (number, {"smfid": smfid, **between(start, start + length)}, plex)
        for number, start in enumerate(starts)
        for smfid, plex in (("SYS1", "PLEX1"), ("SYS2", "PLEX2"))
    ]
    return {
        "section_qjst": [{"qjstbffl": 997 + number, "qjstwtb": 3, **of} for number, of, _ in every],
        "section_qqst": [{**put, **of} for _, of, _ in every],
        "section_r744p": [
            {"sysplex": plex, "r744pbsy": 40 + number, "r744pwai": 60, "r744pnum": 0, **of}
            for number, of, plex in every
        ],
        "console_event": [
            {"message_id": "CSQX004I", "used_31bit_mib": 400.0 + number,
             "free_31bit_mib": 900.0, "event_utc": start}
            for number, start in enumerate(starts[::2])
        ],
    }  # fmt: skip


@dataclass(frozen=True)
class Whole:
    """All dates, aggregated at once in a lake of one file."""

    lake: Path
    sources: Sequence[Manifest]
    made: Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def whole(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    lake = tmp_path_factory.mktemp("whole")
    sources = [source(lake, "a", spanning())]
    return Whole(lake, sources, aggregated(spark, lake, sources))


def test_every_dataset_has_a_file_of_each_date_with_its_columns(whole: Whole) -> None:
    for dataset in (METRIC_HOURLY, METRIC_INTERVAL, METRIC_PART, FEED_INTERVAL):
        assert list(whole.made[dataset.name]) == [f"hour_date={day}" for day in DATES]
        for table in whole.made[dataset.name].values():
            assert table.column_names == [name for name in dataset.columns if name != "hour_date"]
            assert table.num_rows > 0
    assert source_digests(whole.lake) == {day: f"digest of {day}" for day in DATES}


@pytest.mark.parametrize(
    "groups",
    [[[day] for day in DATES], [DATES[1:3], DATES[:1], DATES[3:]]],
    ids=["each alone", "the middle first"],
)
def test_dates_aggregated_apart_are_those_of_the_whole_history(
    spark: SparkSession, whole: Whole, groups: list[Sequence[date]]
) -> None:
    assert aggregated(spark, whole.lake, whole.sources, *groups) == whole.made


def test_any_division_among_partitions_gives_the_same_rows(
    spark: SparkSession, whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aggregate, "BLOCK_ROWS", 60)
    monkeypatch.setattr(aggregate, "PARTITION_ROWS_MAX", 60)
    assert aggregated(spark, whole.lake, whole.sources) == whole.made


def test_a_large_date_is_divided_by_sysplexes_and_sites(
    spark: SparkSession, tmp_path: Path
) -> None:
    large = {"section_qjst": PARTITION_ROWS_MAX}
    sources = (manifest("a", rows=large), manifest("b", hour_dates=(NEXT,)))
    of = Aggregation(tmp_path, {DAY: "", NEXT: ""}, sources, PLACE, DAY)
    blocks = PARTITION_ROWS_MAX // BLOCK_ROWS + 1
    by_share = {(DAY, 0, 2): blocks - blocks // 2, (DAY, 1, 2): blocks // 2, (NEXT, 0, 1): 1}
    assert Counter(map(tuple, divided(spark, of.rows()).collect())) == by_share


def test_the_files_are_those_that_touch_the_dates(tmp_path: Path) -> None:
    sources = (manifest("a"), manifest("b", hour_dates=(DAY, NEXT)))
    of = Aggregation(tmp_path, {}, sources, PLACE, DAY)
    both, last = of.files((DAY, NEXT)), of.files((NEXT,))
    assert [Path(file).stem for file in both.files["section_qjst"]] == ["a", "b"]
    assert [Path(file).stem for file in last.files["section_qjst"]] == ["b"]
    assert ("section_qjst" in both.repeated, "section_qjst" in last.repeated) == (True, False)


def test_contradicting_records_are_reported_on_their_date_until_one_is_gone(
    spark: SparkSession, tmp_path: Path
) -> None:
    files = [
        source(
            tmp_path, name, {"section_qjst": [log(MIDNIGHT, record_hash=number, qjstbffl=number)]}
        )
        for name, number in (("a", 5), ("b", 2))
    ]
    [(folder, table)] = aggregated(spark, tmp_path, files)["conflict"].items()
    assert folder == f"hour_date={DAY}"
    [row] = table.to_pylist()
    assert (row["dataset"], row["subject"]) == ("section_qjst", "SYS1/CSQ1")
    assert (row["kept_hash"], row["other_hash"]) == (2, 5)
    assert aggregated(spark, tmp_path, files[:1])["conflict"] == {}


def test_sections_without_a_declared_key_do_not_contradict(
    spark: SparkSession, tmp_path: Path
) -> None:
    files = [
        source(tmp_path, name, {"section_wtas": [{"record_hash": number, "section_index": 0}]})
        for name, number in (("a", 5), ("b", 2))
    ]
    assert aggregated(spark, tmp_path, files, [DAY])["conflict"] == {}


def test_a_date_whose_files_are_gone_loses_its_partitions(
    spark: SparkSession, tmp_path: Path, whole: Whole
) -> None:
    lake = Path(shutil.copytree(whole.lake, tmp_path / "lake"))
    [row] = program(spark, Aggregation(lake, {DAY: "none"}, (), PLACE, DATES[0])).collect()
    assert (row.hour_date, row.removed) == (DAY, True)
    left = [hour_partition(lake, METRIC_HOURLY.name, day).exists() for day in (DAY, NEXT)]
    assert left == [False, True]
    assert source_digests(lake)[DAY] == "none"


def test_a_date_whose_rows_cannot_be_written_is_done_again(
    spark: SparkSession, tmp_path: Path, whole: Whole
) -> None:
    sources = [source(tmp_path, "a", spanning())]
    in_the_way = tmp_path / METRIC_INTERVAL.name
    in_the_way.write_bytes(b"no folder")
    with pytest.raises(ServiceUnavailable, match="cannot read or write"), reported("aggregate"):
        aggregated(spark, tmp_path, sources)
    assert source_digests(tmp_path) == {}
    in_the_way.unlink()
    assert aggregated(spark, tmp_path, sources) == whole.made


def test_a_file_that_cannot_be_read_stops_its_dates(spark: SparkSession, tmp_path: Path) -> None:
    sources = [source(tmp_path, "a", spanning())]
    [path] = tmp_path.glob("section_qjst/**/*.parquet")
    path.write_bytes(b"no file of rows")
    with pytest.raises(Exception, match=r"(?i)parquet"):
        aggregated(spark, tmp_path, sources)
    assert source_digests(tmp_path) == {}


def test_intervals_of_everything_or_only_those_that_reach_into_the_dates(tmp_path: Path) -> None:
    logs = [log(MIDNIGHT - HALF_HOUR), log(MIDNIGHT - HALF_HOUR / 2), log(MIDNIGHT + 24 * HOUR)]
    made = sections(section_qjst=logs)
    only_day = Aggregation(tmp_path, {}, (), PLACE, DAY).files((DAY,))
    assert {*every_interval(made)["interval_start_utc"]} == {
        row["interval_start_utc"] for row in logs
    }
    assert {*every_interval(made, only_day)["interval_start_utc"]} == {MIDNIGHT - HALF_HOUR / 2}


@pytest.mark.parametrize(
    ("length", "kept"),
    [
        (timedelta(microseconds=-1), False),
        (timedelta(0), False),
        (timedelta(microseconds=1), True),
        (timedelta(hours=25), True),
        (timedelta(hours=25, microseconds=1), False),
    ],
)
def test_only_intervals_that_a_record_can_cover_are_kept(length: timedelta, *, kept: bool) -> None:
    start = MIDNIGHT + 23 * HOUR
    rows = intervals_of(("busy", "PLEX1/CF01", start, start + length, 5.0, None, None))
    found = [(row.series_id, row.level, row.hour_date) for row in records(metric_interval(rows))]
    assert found == ([("busy/PLEX1/CF01", 5.0, DAY)] if kept else [])
