import json
import random
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from devtools.simulator import SimulationResult
from devtools.simulator.encode.framing import WrittenFraming, write_dump
from mqcap.completeness.arrivals import read_arrivals
from mqcap.completeness.gaps import FeedContext, judge_feeds
from mqcap.domain.datasets import (
    METRIC_HOURLY,
    METRIC_INTERVAL,
    METRIC_PART,
    QMGR_SAMPLE,
    SITE_SAMPLE,
    SOURCE_PAIR,
    ZOS_SAMPLE,
    ZTPF_SAMPLE,
    ZTPF_SWEEP,
)
from mqcap.domain.feed import FeedKind, FeedState
from mqcap.lake.manifest import manifests
from mqcap.settings import load_settings
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import aggregate, decode, decode_and_aggregate
from spark_apps.registry import all_metrics
from tests.spark_apps.lakes import (
    FIRST,
    dataset_table,
    hourly_table,
    land,
    partition_digests,
    records_of,
    simulated,
)

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> SimulationResult:
    return simulated(tmp_path_factory.mktemp("estate"))


@pytest.fixture(scope="module")
def reference(
    spark: SparkSession, estate: SimulationResult, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A lake with the whole estate, decoded and aggregated."""
    lake = tmp_path_factory.mktemp("reference")
    land(lake, [*estate.dumps, *estate.console_logs])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FILE_VARIABLE, str(estate.settings_file))
        decode_and_aggregate.main(["--lake", str(lake)])
    return lake


@pytest.fixture
def lake(
    tmp_path: Path, reference: Path, estate: SimulationResult, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A copy of the reference lake to change."""
    monkeypatch.setenv(FILE_VARIABLE, str(estate.settings_file))
    return Path(shutil.copytree(reference, tmp_path / "lake"))


def test_the_lake_knows_which_intervals_have_arrived(
    reference: Path, estate: SimulationResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FILE_VARIABLE, str(estate.settings_file))
    days = [FIRST + timedelta(days=number) for number in range(3)]
    settings = load_settings()
    arrivals = read_arrivals(reference, [*days, FIRST - timedelta(days=1)])
    feeds = FeedContext(
        arrivals, settings.complete_estate(), settings.zones(), "UTC", learn_days=35
    )
    judged = judge_feeds(feeds, days)
    kinds = {(item.kind, item.site_date) for item in judged}
    of_records = set(FeedKind) - {FeedKind.comparison}
    assert kinds == {(kind, day) for kind in of_records for day in days}
    assert {item.state for item in judged} <= {FeedState.complete, FeedState.stopped}


def test_every_byte_of_every_dump_is_accounted_for(reference: Path) -> None:
    for manifest in manifests(reference):
        sizes = manifest.bytes
        parts = sizes["decoded"] + sizes["skipped"] + sizes["quarantined"]
        assert (manifest.problem, parts) == (None, sizes["content"])


ACCOUNTING = 116
"""Type of the records of accounting."""
NOT_SIMULATED = {"long_unit_of_work_count", "recovery_remaining_s", "trace_lost_count"}
"""Of messages that the simulated console does not have."""
OTHER_INPUTS = (QMGR_SAMPLE, SITE_SAMPLE, ZOS_SAMPLE, ZTPF_SAMPLE, ZTPF_SWEEP)
"""Datasets of files that are neither dumps nor console logs."""


def test_all_metrics_of_dumps_and_consoles_have_hours_and_all_are_in_the_catalogue(
    reference: Path,
) -> None:
    others = {dataset.name for dataset in OTHER_INPUTS}
    of_others = {metric.name for metric in all_metrics() if others & set(metric.reads)}
    table = hourly_table(reference)
    names = {metric.name for metric in all_metrics()}
    catalogue = json.loads((reference / "metric_catalogue.json").read_text("utf-8"))
    assert {entry["name"] for entry in catalogue} == names
    without_hours = names - set(pc.unique(table["metric"]).to_pylist())
    assert without_hours - of_others == NOT_SIMULATED
    assert set(METRIC_HOURLY.columns) - set(table.column_names) == {"hour_date"}
    keys = table.select(list(METRIC_HOURLY.key))
    assert keys.group_by(keys.column_names).aggregate([]).num_rows == table.num_rows


def test_a_history_loaded_at_once_keeps_the_same_intervals_of_its_newest_dates_alone(
    lake: Path, reference: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aggregate, "INTERVAL_DAYS", 2)
    for recorded in (lake / "metric_sources").glob("hour_date=*.json"):
        recorded.unlink()
    counts = aggregate.main(["--lake", str(lake)])
    every = sorted(folder.name for folder in (reference / METRIC_INTERVAL.name).glob("hour_date=*"))
    kept = sorted(folder.name for folder in (lake / METRIC_INTERVAL.name).glob("hour_date=*"))
    assert counts["hour_dates"] == len(every) > 2
    assert kept == every[-2:]
    for name in kept:
        made, before = (
            pq.read_table(there / METRIC_INTERVAL.name / name, partitioning=None)
            for there in (lake, reference)
        )
        assert made == before
    assert hourly_table(lake) == hourly_table(reference)


def test_every_date_is_one_sorted_file(reference: Path) -> None:
    folders = sorted((reference / METRIC_HOURLY.name).glob("hour_date=*"))
    assert len(folders) >= 3
    for folder in folders:
        (file,) = folder.glob("*.parquet")
        table = pq.read_table(file, columns=list(METRIC_HOURLY.key), partitioning=None)
        rows = [tuple(row.values()) for row in table.to_pylist()]
        assert rows == sorted(rows)


def test_the_peak_of_an_hour_is_its_highest_interval(reference: Path) -> None:
    """Of all series: the intervals that the page shows are those that the hours are made of."""
    highest: dict[tuple[str, datetime], float] = {}
    for row in dataset_table(reference, METRIC_INTERVAL).to_pylist():
        hour = row["interval_start_utc"].replace(minute=0, second=0, microsecond=0)
        while hour < row["interval_end_utc"]:
            key = (row["series_id"], hour)
            highest[key] = max(highest.get(key, row["level"]), row["level"])
            hour += timedelta(hours=1)
    hours = hourly_table(reference).to_pylist()
    assert highest == {(item["series_id"], item["hour_utc"]): item["peak"] for item in hours}


def test_log_bytes_of_all_dumps_are_those_of_the_records(reference: Path) -> None:
    written = pq.read_table(reference / "section_qjst", columns=["qjstbffl"], partitioning=None)
    table = hourly_table(reference)
    growth = table.filter(pc.equal(table["metric"], "log_growth_mib_per_s"))
    assert pc.sum(growth["total"]) == pc.sum(pc.multiply(written["qjstbffl"], 4_096.0))
    assert pc.max(table["covered_seconds"]).as_py() == 3_600


def test_running_again_finds_nothing_to_do(lake: Path) -> None:
    before = hourly_table(lake)
    assert decode_and_aggregate.main(["--lake", str(lake)]) == {
        "files": 0, "problems": 0, "records": 0, "hour_dates": 0, "removed": 0
    }  # fmt: skip
    assert hourly_table(lake).equals(before)


def test_a_lost_file_takes_its_rows_with_it_and_a_late_one_rewrites_only_its_dates(
    lake: Path, estate: SimulationResult
) -> None:
    before, whole = partition_digests(lake), hourly_table(lake)
    dates_before = len(list((lake / METRIC_HOURLY.name).glob("hour_date=*")))
    touched: set[str] = set()
    newest = max(manifests(lake), key=lambda m: (m.source == "smf", max(m.hour_dates)))
    for manifest in manifests(lake):
        if max(manifest.hour_dates) >= max(newest.hour_dates):
            touched |= {f"hour_date={day}" for day in manifest.hour_dates}
            (lake / "manifest" / f"{manifest.sha256}.json").unlink()
            for landed in (lake / "landing").glob(f"*/*/{manifest.sha256}*"):
                landed.unlink()
    counts = decode_and_aggregate.main(["--lake", str(lake)])
    assert counts["removed"] >= 1
    left = len(list((lake / METRIC_HOURLY.name).glob("hour_date=*")))
    assert left == dates_before - counts["removed"]
    untouched = before.keys() - touched
    assert untouched
    kept = {name: before[name] for name in untouched}
    assert kept.items() <= partition_digests(lake).items()
    land(lake, [*estate.dumps, *estate.console_logs])
    decode_and_aggregate.main(["--lake", str(lake)])
    assert hourly_table(lake).equals(whole)
    assert kept.items() <= partition_digests(lake).items()


def test_a_bad_file_is_named_and_the_others_go_on(
    lake: Path, tmp_path: Path, estate: SimulationResult
) -> None:
    text = b"This dump was transferred as text.\r\n" * 40
    contents = {"text": text, "cut": estate.dumps[0].read_bytes()[:-100], "empty": b""}
    bad = [tmp_path / f"{name}.smf" for name in contents]
    for file, content in zip(bad, contents.values(), strict=True):
        file.write_bytes(content)
    before = hourly_table(lake)
    land(lake, bad)
    counts = decode_and_aggregate.main(["--lake", str(lake)])
    assert counts["files"] == 3
    problems = [manifest.problem for manifest in manifests(lake) if manifest.problem]
    assert len(problems) == counts["problems"] >= 2
    assert all(len(problem) > 40 for problem in problems)
    assert hourly_table(lake).equals(before)


@settings(
    max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32), file_count=st.integers(1, 5))
def test_partition_order_and_duplication_of_dumps_do_not_matter(
    reference: Path,
    estate: SimulationResult,
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    file_count: int,
) -> None:
    rng = random.Random(seed)  # noqa: S311 - a shuffle, not a secret
    piles: list[list[bytes]] = [[] for _ in range(file_count)]
    for dump in estate.dumps:
        # of an interval of accounting the file with the most records counts, so they stay together
        of_accounting = rng.sample(piles, min(2, file_count))
        for record in records_of(dump):
            chosen = rng.sample(piles, rng.randint(1, min(2, file_count)))
            for pile in of_accounting if record[5] == ACCOUNTING else chosen:
                pile.append(record)
    folder, lake = tmp_path_factory.mktemp("piles"), tmp_path_factory.mktemp("lake")
    files = [folder / f"{number}.smf" for number in range(file_count)]
    for file, pile in zip(files, piles, strict=True):
        rng.shuffle(pile)
        pile.extend(pile[: rng.randint(0, 5)])
        write_dump(file, pile, rng.choice([WrittenFraming.rdw, WrittenFraming.rdwseg]))
    arrivals = [*files, *estate.console_logs]
    rng.shuffle(arrivals)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FILE_VARIABLE, str(estate.settings_file))
        split = rng.randint(0, len(arrivals))
        for part in (arrivals[:split], arrivals[split:]):
            land(lake, part)
            decode.main(["--lake", str(lake)])
            aggregate.main(["--lake", str(lake)])
    for dataset in (METRIC_HOURLY, METRIC_PART, SOURCE_PAIR):
        assert dataset_table(lake, dataset).equals(dataset_table(reference, dataset))
    assert not list((lake / "conflict").glob("hour_date=*"))
