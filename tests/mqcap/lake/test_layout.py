import logging
from contextlib import nullcontext
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.files import write_text
from mqcap.lake import layout
from mqcap.lake.files import remove_before
from mqcap.lake.landed_places import Deliveries, LandedFile, LandedPlaces, landed_files
from mqcap.lake.layout import (
    PLACES,
    SEEN_INPUTS,
    hour_partition,
    landed_paths,
    landing_document,
    landing_folder,
    manifest_path,
    partitions,
)
from mqcap.lake.manifest import Manifest, dataset_files, manifests, read_manifest, write_manifest
from mqcap.steps.land import seen_inputs

LAKE = Path("/lake")
DAY = date(2026, 3, 9)
A, B = "a" * 64, "b" * 64
DATASET = "metric_hourly"
FIRST, SECOND, THIRD = (date(2026, 3, day) for day in (1, 2, 3))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (layout.landing_folder(LAKE, "smf", DAY), "landing/source=smf/received_date=2026-03-09"),
        (layout.landing_document(LAKE, layout.SEEN_INPUTS), "landing/looked_at.json"),
        (layout.manifest_path(LAKE, "ab"), "manifest/ab.json"),
        (layout.rows_path(LAKE, "qjst", DAY, "ab"), "qjst/received_date=2026-03-09/ab.parquet"),
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


def test_the_date_of_a_partition_is_in_its_name() -> None:
    hidden = (".hour_date=2026-03-09.json.17", ".cutoff_date=2026-03-09.1")
    for name in ("hour_date=2026-03-09", *hidden):
        assert layout.partition_date(LAKE / name) == DAY
    for name in ("hour_date=soon", "2026-03-09", "hour_date=20260309"):
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


def land(lake: Path, source: str, day: date, name: str, content: bytes = b"") -> Path:
    folder = landing_folder(lake, source, day)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder / name


def test_delivered_files_come_with_hash_date_and_size(tmp_path: Path) -> None:
    smf = land(tmp_path, "smf", date(2026, 3, 9), f"{B}.smf.gz", b"12345")
    console = land(tmp_path, "console", date(2026, 3, 10), A, b"1")
    land(tmp_path, "smf", date(2026, 3, 9), f".{A}.smf.17")
    assert list(landed_files(tmp_path)) == [
        LandedFile(path=console, sha256=A, received_date=date(2026, 3, 10), bytes_count=1),
        LandedFile(path=smf, sha256=B, received_date=date(2026, 3, 9), bytes_count=5),
    ]
    assert landed_paths(tmp_path) == {A: console, B: smf}


@pytest.mark.parametrize(
    ("root", "name", "is_there", "expected"),
    [
        ("PLEXB", "/in/a/1.smf", True, "PLEXB"),
        ("", "/in/a/1.smf", True, ""),
        ("", "/tmp/copy.smf", True, "PLEXA"),
        ("PLEXB", "/in/b/1.smf", True, "PLEXA"),
        ("PLEXB", "/in/b/1.smf", False, "PLEXB"),
    ],
    ids=["other place", "no place any more", "copy without one", "two places", "moved"],
)
def test_a_content_has_one_place_that_of_the_input_that_is_there(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    root: str,
    name: str,
    is_there: bool,
    expected: str,
) -> None:
    places = LandedPlaces.load(tmp_path)
    places.put("2", "", "/in/2.smf", lambda _: True)
    places.save()
    assert not landing_document(tmp_path, PLACES).exists(), "nothing has a place"
    places.put("1", "PLEXA", "/in/a/1.smf", lambda _: True)
    is_refused = bool(root) and expected == "PLEXA"
    refused = pytest.raises(InputError, match=r"/in/a/1\.smf of PLEXA, this one of PLEXB")
    with caplog.at_level(logging.WARNING), refused if is_refused else nullcontext():
        places.put("1", root, name, lambda _: is_there)
    assert places.root("1") == expected
    gone = "it was an input of PLEXA (/in/a/1.smf), which is gone"
    assert (gone in caplog.text) is not is_there


def test_the_first_receipt_stays_whatever_is_withdrawn_and_taken_back(tmp_path: Path) -> None:
    deliveries = Deliveries.load(tmp_path)
    deliveries.receive("a")
    received = deliveries.received_utc("a")
    for _ in range(2):
        deliveries.withdraw("a")
    deliveries.save()
    again = Deliveries.load(tmp_path)
    assert again.is_withdrawn("a")
    assert [again.take_back("a"), again.take_back("a")] == [True, False]
    assert not again.is_withdrawn("a")
    again.receive("a")
    assert again.received_utc("a") == received is not None
    assert again.received_utc("b") is None


def test_a_damaged_file_is_one_sentence_with_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "landing").mkdir()
    for name in ("deliveries.json", "places.json"):
        (tmp_path / "landing" / name).write_text("{")
    with pytest.raises(InputError, match=r"deliveries\.json: when delivered files .* backup"):
        Deliveries.load(tmp_path)
    with pytest.raises(InputError, match=r"places\.json: the places .* land the inputs again"):
        LandedPlaces.load(tmp_path)


@pytest.mark.parametrize("content", [None, "", "{", "[1]"])
def test_entries_that_cannot_be_read_are_no_entries(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        path = landing_document(tmp_path, SEEN_INPUTS)
        path.parent.mkdir()
        path.write_text(content, "utf-8")
    assert seen_inputs(tmp_path) == {}


def manifest(sha256: str, **changed: Any) -> Manifest:
    facts = {"source": "smf", "name": "a.smf", "received_date": DAY, "decoder_version": "7"}
    return Manifest(sha256=sha256, **{**facts, **changed})


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = manifest(
        "b", rows={"section_qjst": 4}, sysplex_by_smfid={"SYS1": "PLEX1"},
        first_interval_utc=datetime(2026, 3, 8, tzinfo=UTC), hour_dates=(date(2026, 3, 8),),
        problems=("2 records of the unknown kind 115.9 were skipped.",),
    )  # fmt: skip
    write_manifest(tmp_path, written)
    assert read_manifest(tmp_path, "b") == written
    write_manifest(tmp_path, manifest("a"))
    (tmp_path / "manifest" / ".c.json.17").write_text("{", "utf-8")
    assert [item.sha256 for item in manifests(tmp_path)] == ["a", "b"], "none is half written"


def test_a_manifest_of_an_older_release_has_the_defaults_of_what_it_lacks(tmp_path: Path) -> None:
    facts = '"source": "smf", "name": "a", "received_date": "2026-03-09", "decoder_version": "5"'
    write_text(manifest_path(tmp_path, "a"), f'{{"sha256": "a", {facts}, "a_later_field": 1}}')
    [read] = manifests(tmp_path)
    assert (read.rows, read.repeated, read.problem) == ({}, (), None)


@pytest.mark.parametrize("content", ['{"sha256": "a"}', "no JSON"])
def test_a_foreign_file_among_the_manifests_is_named(tmp_path: Path, content: str) -> None:
    write_text(manifest_path(tmp_path, "a"), content)
    with pytest.raises(InputError, match=r"manifest/a\.json: this is no manifest"):
        manifests(tmp_path)


def test_a_manifest_that_is_damaged_is_made_again_from_landing(tmp_path: Path) -> None:
    sha256 = "a" * 64
    write_text(manifest_path(tmp_path, sha256), "")
    write_text(landing_folder(tmp_path, "smf", DAY) / f"{sha256}.smf", "records")
    assert (manifests(tmp_path), read_manifest(tmp_path, sha256)) == ([], None)


def test_only_files_with_rows_of_the_dataset_are_listed(tmp_path: Path) -> None:
    rows = {"b": {"qjst": 4}, "c": {"qjst": 0}, "d": {"qpst": 1}, "a": {"qjst": 1}}
    sources = [manifest(sha256, rows=counts) for sha256, counts in rows.items()]
    folder = tmp_path / "qjst" / "received_date=2026-03-09"
    assert dataset_files(tmp_path, "qjst", sources) == [
        str(folder / f"{sha256}.parquet") for sha256 in "ba"
    ]


def dataset(lake: Path, *days: date) -> None:
    for day in days:
        folder = hour_partition(lake, DATASET, day)
        folder.mkdir(parents=True)
        (folder / "old.parquet").touch()


def test_partitions_are_in_order_of_date_and_those_before_one_are_removed(tmp_path: Path) -> None:
    dataset(tmp_path, THIRD, SECOND, FIRST)
    (tmp_path / DATASET / ".hour_date=2026-03-04.17").mkdir()
    assert list(partitions(tmp_path, DATASET)) == [FIRST, SECOND, THIRD]
    assert partitions(tmp_path, "none") == {}
    assert remove_before(tmp_path, DATASET, THIRD) == 2
    assert remove_before(tmp_path, DATASET, THIRD) == 0
    assert list(partitions(tmp_path, DATASET)) == [THIRD]
