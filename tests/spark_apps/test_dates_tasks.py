"""Dates, and systems of a large date, are divided among tasks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mqcap.lake.manifest import Manifest, SiteFigureFact
from spark_apps import dates_tasks as module
from spark_apps.dates_tasks import (
    SHARE_ROWS_MIN,
    TASK_ROWS_MAX,
    TASK_ROWS_MIN,
    dates_tasks,
    divided,
    files_of_dates,
    rows_by_date,
    rows_by_root,
    share_count,
    shares,
    task_count,
)
from spark_apps.digests import Placement
from spark_apps.distributed_placement import DistributedPlacement
from tests.spark_apps.manifests import DAY, NEXT, manifest

BOTH: dict[str, Any] = {
    "hour_dates": (DAY, NEXT),
    "last_interval_utc": datetime(2025, 3, 11, 12, tzinfo=UTC),
}
MIDNIGHT = datetime(2025, 3, 11, tzinfo=UTC)
PLACE = Placement(
    sysplex_by_smfid={"SYS1": "PLEX1", "SYS2": "PLEX2"},
    distributed=DistributedPlacement({"QM1": "EAST"}, site_by_ztpf={"TPF1": "EAST"}),
)


def with_rows(sha256: str, rows: int, **changed: Any) -> Manifest:
    return manifest(sha256, rows={"section_qjst": rows}, **changed)


@pytest.mark.parametrize(
    ("rows", "cores", "count"),
    [
        (0, 2, 1),
        (TASK_ROWS_MIN, 2, 1),
        (TASK_ROWS_MIN + 1, 2, 2),
        (10 * TASK_ROWS_MIN, 2, 4),
        (4 * TASK_ROWS_MAX, 2, 4),
        (4 * TASK_ROWS_MAX + 1, 2, 5),
        (10 * TASK_ROWS_MIN, 8, 10),
    ],
)
def test_tasks_are_twice_the_cores_but_neither_tiny_nor_too_large(
    rows: int, cores: int, count: int
) -> None:
    assert task_count(rows, cores) == count


@example([1, 0], 1)
@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=40), st.integers(1, 9))
def test_every_date_is_in_one_group_of_successive_dates(rows: list[int], count: int) -> None:
    dates = {DAY + timedelta(days=number): float(each) for number, each in enumerate(rows)}
    groups = list(divided(dates, count))
    assert [day for group in groups for day in group] == sorted(dates)
    assert 1 <= len(groups) <= count
    largest = max(sum(dates[day] for day in group) for group in groups)
    assert largest <= sum(rows) / count + max(rows) or len(groups) == 1


def test_without_dates_there_are_no_tasks(tmp_path: Path) -> None:
    assert dates_tasks(tmp_path, {}, [manifest("a")], PLACE, DAY, cores=2) == []


def test_rows_of_a_file_are_divided_among_its_dates_by_its_time_in_each() -> None:
    sources = [with_rows("a", 10), with_rows("b", 9, **BOTH)]
    assert rows_by_date([DAY, NEXT], sources) == {DAY: 16, NEXT: 3}
    assert rows_by_date([NEXT], sources) == {NEXT: 3}
    further = with_rows("b", 9, **BOTH | {"last_interval_utc": MIDNIGHT})
    assert rows_by_date([DAY, NEXT], [further]) == {DAY: 9, NEXT: 0}
    other = manifest("c", rows={"section_none_of_ours": 7})
    assert rows_by_date([DAY], [other]) == {DAY: 0}


@pytest.mark.parametrize("moment", [None, MIDNIGHT])
def test_rows_of_a_file_without_a_stretch_of_time_are_divided_equally(
    moment: datetime | None,
) -> None:
    times = {"first_interval_utc": moment, "last_interval_utc": moment}
    assert rows_by_date([DAY, NEXT], [with_rows("b", 8, **BOTH | times)]) == {DAY: 4, NEXT: 4}


def test_a_task_has_the_files_that_touch_its_dates(tmp_path: Path) -> None:
    sources = [manifest("a"), manifest("b", **BOTH)]
    names = {
        day: [Path(file).stem for file in found.files["section_qjst"]]
        for day in (DAY, NEXT)
        for found in [files_of_dates(tmp_path, [day], sources)]
    }
    assert names == {DAY: ["a", "b"], NEXT: ["b"]}


def test_rows_are_compared_where_the_files_of_the_dates_can_overlap(tmp_path: Path) -> None:
    sources = [manifest("a"), manifest("b", **BOTH)]
    assert "section_qjst" in files_of_dates(tmp_path, [DAY, NEXT], sources).repeated
    assert "section_qjst" not in files_of_dates(tmp_path, [NEXT], sources).repeated


@pytest.mark.parametrize(
    ("dates", "rows", "rows_each", "count"),
    [
        ([DAY], 2 * SHARE_ROWS_MIN - 1, 1, 1),
        ([DAY], 2 * SHARE_ROWS_MIN, 1, 2),
        ([DAY], 2 * SHARE_ROWS_MIN, 2 * SHARE_ROWS_MIN, 1),
        ([DAY], 9 * SHARE_ROWS_MIN, 3 * SHARE_ROWS_MIN, 3),
        ([DAY, NEXT], 9 * SHARE_ROWS_MIN, 3 * SHARE_ROWS_MIN, 1),
    ],
    ids=["small", "enough", "as large as others", "large", "two dates"],
)
def test_only_one_large_date_is_divided_by_systems(
    dates: list[date], rows: float, rows_each: float, count: int
) -> None:
    assert share_count(dates, rows, rows_each) == count


ROOTS = ("PLEX1", "PLEX2", "EAST", "UNKNOWN", "WEST")


@given(st.dictionaries(st.sampled_from(ROOTS[:4]), st.integers(0, 9)), st.integers(1, 6))
def test_every_system_is_in_one_share_whether_it_is_known_or_not(
    rows: dict[str, float], count: int
) -> None:
    made = shares(rows, count)
    assert 1 <= len(made) <= max(1, min(count, len(rows)))
    frame = pl.DataFrame({"root": ROOTS})
    found = [
        root
        for share in made
        for root in (frame if share is None else frame.filter(share.has(pl.col("root"))))["root"]
    ]
    assert sorted(found) == sorted(ROOTS)
    assert [share.number for share in made if share] in ([], list(range(len(made))))


def test_shares_have_about_as_many_rows() -> None:
    first, second = shares({"A": 6.0, "B": 5.0, "C": 4.0, "D": 3.0}, 2)
    assert first is not None and second is not None
    assert (first.roots, first.is_rest) == (frozenset({"A", "D"}), False)
    assert (second.roots, second.is_rest) == (frozenset({"A", "D"}), True)


def test_rows_of_a_file_are_divided_among_the_systems_that_it_is_about() -> None:
    fact = SiteFigureFact(root="WEST", figure="pool", unit="%", has_step=True)
    sources = [
        with_rows("a", 8, smfids=("SYS1", "SYS2", "SYS9")),
        with_rows("b", 3, smfids=("SYS2",)),
        manifest("c", smfids=(), rows={"qmgr_sample": 5}, qmgrs=("QM1", "QM9")),
        manifest("d", smfids=(), rows={"ztpf_sample": 2}, ztpf_systems=("TPF1",)),
        manifest("e", smfids=(), rows={"site_sample": 1}, site_figures=(fact,)),
        manifest("f", hour_dates=(NEXT,)),
    ]
    found = rows_by_root([DAY], sources, PLACE)
    assert found == {"PLEX1": 4, "PLEX2": 7, "EAST": 7, "WEST": 1}


def test_the_tasks_cover_each_date_once_and_a_large_one_by_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TASK_ROWS_MIN", 10)
    monkeypatch.setattr(module, "SHARE_ROWS_MIN", 20)
    after = NEXT + timedelta(days=1)
    sources = [
        with_rows("a", 10),
        with_rows("b", 100, hour_dates=(NEXT,), smfids=("SYS1", "SYS2")),
        with_rows("c", 10, hour_dates=(after,)),
    ]
    digests = {day: f"{day:%d}" for day in (DAY, NEXT, after)}
    tasks = dates_tasks(tmp_path, digests, sources, PLACE, DAY, cores=2)
    shared = [task for task in tasks if task.files.share is not None]
    assert [{*task.digests} for task in shared] == [{NEXT}, {NEXT}]
    assert [{*task.digests} for task in tasks if task not in shared] == [{DAY}, {after}]
    assert all(digests[day] == text for task in tasks for day, text in task.digests.items())
