from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mqcap.lake import layout

LAKE = Path("/lake")
DAY = date(2026, 3, 9)
A, B = "a" * 64, "b" * 64


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (layout.landing_folder(LAKE, "smf", DAY), "landing/source=smf/received_date=2026-03-09"),
        (layout.seen_inputs_path(LAKE), "landing/looked_at.json"),
        (layout.manifest_path(LAKE, "ab"), "manifest/ab.json"),
        (
            layout.rows_path(LAKE, "section_qjst", DAY, "ab"),
            "section_qjst/received_date=2026-03-09/ab.parquet",
        ),
        (layout.hour_partition(LAKE, "metric_hourly", DAY), "metric_hourly/hour_date=2026-03-09"),
        (layout.cutoff_partition(LAKE, "training", DAY), "training/cutoff_date=2026-03-09"),
        (layout.digest_path(LAKE, DAY), "metric_sources/hour_date=2026-03-09.json"),
        (layout.metric_catalogue_path(LAKE), "metric_catalogue.json"),
        (layout.retention_state_path(LAKE), "kept.json"),
        (layout.lock_path(LAKE, "hourly"), "locks/hourly"),
    ],
)
def test_paths_are_those_of_earlier_releases(path: Path, expected: str) -> None:
    assert path.relative_to(LAKE).as_posix() == expected


def test_a_landed_path_gives_source_date_and_hash() -> None:
    path = layout.landing_folder(LAKE, "rmf", DAY) / "abc.smf.gz"
    assert layout.landed_source(path) == "rmf"
    assert layout.landed_received_date(path) == DAY
    assert layout.landed_sha256(path) == "abc"


@pytest.mark.parametrize(
    "name",
    ["hour_date=2026-03-09", "hour_date=2026-03-09.json", ".hour_date=2026-03-09.json.17",
     ".cutoff_date=2026-03-09.17"],
)  # fmt: skip
def test_the_date_of_a_partition_is_in_its_name(name: str) -> None:
    assert layout.partition_date(LAKE / name) == DAY


@pytest.mark.parametrize("name", ["hour_date=soon", "2026-03-09", "hour_date=20260309"])
def test_a_name_without_a_date_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="expected a name such as"):
        layout.partition_date(LAKE / name)


@pytest.mark.parametrize(
    ("name", "is_delivered"),
    [(A, True), (f"{A}.smf.gz", True), (f"{A[1:]}.smf", False), (f"{A}b.smf", False),
     (f"{A[1:]}g.smf", False), ("readme.txt", False)],
)  # fmt: skip
def test_a_delivered_file_has_its_content_hash_as_name(
    tmp_path: Path, name: str, *, is_delivered: bool
) -> None:
    file = layout.landing_folder(tmp_path, "smf", DAY) / name
    file.parent.mkdir(parents=True)
    file.touch()
    assert layout.landed_file_paths(tmp_path) == [file] * is_delivered


def test_temporary_files_are_no_delivered_files_but_unfinished_ones(tmp_path: Path) -> None:
    folder = layout.landing_folder(tmp_path, "smf", DAY)
    folder.mkdir(parents=True)
    (folder / f"{B}.smf").touch()
    (folder / f"{A}.smf").touch()
    (folder / ".c.smf.17").touch()
    (tmp_path / "landing" / ".looked_at.json.17").touch()
    (tmp_path / "landing" / "looked_at.json").touch()
    assert [path.name for path in layout.landed_file_paths(tmp_path)] == [f"{A}.smf", f"{B}.smf"]
    unfinished = {path.name for path in layout.unfinished_landing(tmp_path)}
    assert unfinished == {".c.smf.17", ".looked_at.json.17"}


def test_unfinished_rows_are_those_of_one_received_date(tmp_path: Path) -> None:
    for dataset, day in (("section_qjst", DAY), ("quarantine", DAY), ("section_qjst", date.max)):
        path = layout.rows_path(tmp_path, dataset, day, "ab")
        path.parent.mkdir(parents=True)
        path.touch()
        (path.parent / ".cd.parquet.17").touch()
    unfinished = sorted(layout.unfinished_rows(tmp_path, DAY))
    assert [path.parent.parent.name for path in unfinished] == ["quarantine", "section_qjst"]
    assert len(layout.rows_paths(tmp_path, "section_qjst")) == 2


def test_folders_of_somebody_else_are_not_looked_at(tmp_path: Path) -> None:
    for name in ("landing/source=smf", "section_qjst"):
        (tmp_path / name / "received_date=today").mkdir(parents=True)
        (tmp_path / name / "received_date=today" / "notes.parquet").touch()
    assert layout.landed_file_paths(tmp_path) == []
    assert layout.rows_paths(tmp_path, "section_qjst") == []
    assert layout.dated_paths(tmp_path, "section_qjst") == []


def test_a_dataset_that_does_not_exist_has_no_paths(tmp_path: Path) -> None:
    assert layout.rows_paths(tmp_path, "section_qjst") == []
    assert layout.dated_paths(tmp_path, "metric_hourly") == []
    assert layout.parquet_files(tmp_path / "none") == []
