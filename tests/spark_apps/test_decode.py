"""Which landed files are decoded, in what order, and what a run reports of them."""

from datetime import date
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqcap.lake.landed_places import LandedFile, LandedPlaces
from mqcap.lake.location import below
from mqcap.lake.manifest import write_manifest
from mqcap.lake.retention_state import RetentionState
from mqcap.settings import load_settings
from spark_apps.decode import (
    decode,
    decode_options,
    decoded_files,
    interleaved,
    pending,
    unfinished,
)
from spark_apps.decode_file import DECODER_VERSION, DecodeOptions
from tests.spark_apps.lakes import RECEIVED, land
from tests.spark_apps.manifests import NEXT, manifest


def landed(place: int, day: date = RECEIVED) -> LandedFile:
    return LandedFile(
        path=Path(f"/lake/{place}.smf"), sha256=f"{place}", received_date=day, bytes_count=place
    )


def written(folder: Path, *sizes: int) -> list[Path]:
    files = [folder / f"{number}.smf" for number in range(len(sizes))]
    for number, (file, size) in enumerate(zip(files, sizes, strict=True)):
        file.write_bytes(bytes([number]) * size)
    return files


def test_the_largest_file_is_decoded_first(tmp_path: Path) -> None:
    land(tmp_path / "lake", written(tmp_path, 10, 30, 20))
    assert [file.bytes_count for file in pending(tmp_path / "lake")] == [30, 20, 10]


@pytest.mark.parametrize("content", [None, b"", b"cut"])
def test_a_file_of_which_rows_are_gone_or_damaged_is_decoded_again(
    tmp_path: Path, content: bytes | None
) -> None:
    [landed_file] = land(tmp_path, written(tmp_path, 10))
    rows = tmp_path / "section_qjst" / "received_date=2025-03-11" / f"{landed_file.stem}.parquet"
    rows.parent.mkdir(parents=True)
    rows.write_bytes(b"rows PAR1")
    lengths = {"section_qjst": 9}
    done = manifest(landed_file.stem, decoder_version=DECODER_VERSION, rows_bytes=lengths)
    write_manifest(tmp_path, done)
    assert pending(tmp_path) == []
    rows.unlink() if content is None else rows.write_bytes(content)
    assert [file.sha256 for file in pending(tmp_path)] == [landed_file.stem]
    RetentionState(interval_from=NEXT).save(tmp_path)
    assert pending(tmp_path) == []


def test_a_file_that_was_delivered_on_two_days_is_decoded_once(tmp_path: Path) -> None:
    files = written(tmp_path, 10)
    land(tmp_path / "lake", files)
    land(tmp_path / "lake", files, date(2025, 4, 2))
    assert len(pending(tmp_path / "lake")) == 1


@pytest.mark.parametrize(
    ("done", "count"),
    [
        ({"decoder_version": DECODER_VERSION}, 0),
        ({"decoder_version": DECODER_VERSION, "problem": "cut short"}, 0),
        ({"decoder_version": "0"}, 1),
    ],
)
def test_a_file_is_pending_until_this_version_has_decoded_or_refused_it(
    tmp_path: Path, done: dict[str, str], count: int
) -> None:
    [path] = land(tmp_path / "lake", written(tmp_path, 10))
    write_manifest(tmp_path / "lake", manifest(path.stem, **done))
    assert len(pending(tmp_path / "lake")) == count


def test_what_a_killed_decoder_left_is_found_on_the_days_of_the_files(tmp_path: Path) -> None:
    names = (
        "manifest/.a.json.77",
        "section_qjst/received_date=2025-04-01/.a.parquet.77",
        "section_qjst/received_date=2025-04-02/.b.parquet.77",
        "section_qjst/received_date=2025-04-01/a.parquet",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    left = {str(below(path, tmp_path)) for path in unfinished(tmp_path, [landed(1)])}
    assert left == set(names[:2])


def test_workers_get_the_settings_and_the_zones_that_they_need(
    tmp_path: Path,
) -> None:
    estate = [{"sysplex": "PLEX1", "timezone": "Europe/Copenhagen", "smfids": ["SYS1"]}]
    settings = load_settings(
        lake=str(tmp_path / "lake"), ingest={"rejected_bytes_max_ratio": 0.25}, estate=estate
    )
    options = decode_options(settings)
    assert (options.lake, options.rejected_bytes_max_ratio) == (tmp_path / "lake", 0.25)
    assert options.zone_by_smfid["SYS1"] == "Europe/Copenhagen"
    plexes = [{"sysplex": "PLEXA", "timezone": "Asia/Tokyo", "smfids": ["SYS1"]},
              {"sysplex": "PLEXB", "smfids": ["SYS1"]}]  # fmt: skip
    inputs = [{"path": name, "sysplex": name} for name in ("PLEXA", "PLEXB")]
    settings = load_settings(estate=plexes, ingest={"inputs": inputs})
    of_tokyo = landed(1).model_copy(update={"root": "PLEXA"})
    options = decode_options(settings, [of_tokyo])
    assert "SYS1" not in options.zone_by_smfid
    assert options.zone_by_root["PLEXA"]["SYS1"] == "Asia/Tokyo"


def test_large_files_are_begun_by_different_partitions() -> None:
    files = [landed(place) for place in range(9)]
    order = [file.sha256 for file in interleaved(files, 4)]
    assert order == ["0", "4", "8", "1", "5", "2", "6", "3", "7"]


@pytest.mark.spark
def test_files_problems_and_records_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    land(tmp_path / "lake", written(tmp_path, 10, 30, 20))
    files = pending(tmp_path / "lake")
    options = DecodeOptions(tmp_path / "lake", 0.0)
    assert decode(spark, files, options) == {"files": 3, "problems": 3, "records": 0}
    assert pending(tmp_path / "lake") == []
    assert decoded_files(spark, files * 4, options).rdd.getNumPartitions() == 8


def test_a_file_whose_input_got_another_sysplex_is_decoded_again(tmp_path: Path) -> None:
    [path] = land(tmp_path, written(tmp_path, 3))
    sha256 = path.name.partition(".")[0]
    done = manifest(sha256, decoder_version=DECODER_VERSION)
    for recorded, root in (("", "PLEXA"), ("PLEXA", "PLEXB"), ("PLEXB", "PLEXB")):
        write_manifest(tmp_path, done.model_copy(update={"root": recorded}))
        places = LandedPlaces.load(tmp_path)
        places.put(sha256, root, "1.smf", lambda _name: True)
        places.save()
        expected = [] if recorded == root else [root]
        assert [file.root for file in pending(tmp_path)] == expected
