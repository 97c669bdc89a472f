from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.atomic import write_text
from mqcap.domain.errors import InputError
from mqcap.lake.layout import landing_folder, manifest_path
from mqcap.lake.manifest import (
    Manifest,
    dataset_files,
    manifests,
    read_manifest,
    write_manifest,
)

DAY = date(2026, 3, 9)


def manifest(sha256: str, **changed: Any) -> Manifest:
    facts = {"source": "smf", "name": "a.smf", "received_date": DAY, "decoder_version": "7"}
    return Manifest(sha256=sha256, **{**facts, **changed})


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = manifest(
        "b",
        rows={"section_qjst": 4},
        first_interval_utc=datetime(2026, 3, 8, tzinfo=UTC),
        hour_dates=(date(2026, 3, 8),),
        sysplex_by_smfid={"SYS1": "PLEX1"},
        problems=("2 records of the unknown kind 115.9 were skipped.",),
    )
    write_manifest(tmp_path, written)
    assert read_manifest(tmp_path, "b") == written
    write_manifest(tmp_path, manifest("a"))
    assert [item.sha256 for item in manifests(tmp_path)] == ["a", "b"]


def test_before_the_first_file_there_are_no_manifests(tmp_path: Path) -> None:
    assert manifests(tmp_path) == []
    assert read_manifest(tmp_path, "a") is None


def test_a_manifest_of_an_unfinished_write_is_not_read(tmp_path: Path) -> None:
    write_manifest(tmp_path, manifest("a"))
    (tmp_path / "manifest" / ".b.json.17").write_text("{", "utf-8")
    assert [item.sha256 for item in manifests(tmp_path)] == ["a"]


def test_a_manifest_of_an_older_release_has_the_defaults_of_what_it_lacks(tmp_path: Path) -> None:
    write_text(
        manifest_path(tmp_path, "a"),
        '{"sha256": "a", "source": "smf", "name": "a", "received_date": "2026-03-09",'
        ' "decoder_version": "5", "a_later_field": 1}',
    )
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
    sources = [
        manifest("b", rows={"section_qjst": 4}),
        manifest("c", rows={"section_qjst": 0}),
        manifest("d", rows={"section_qpst": 1}),
        manifest("a", rows={"section_qjst": 1}),
    ]
    folder = tmp_path / "section_qjst" / "received_date=2026-03-09"
    assert dataset_files(tmp_path, "section_qjst", sources) == [
        str(folder / "b.parquet"),
        str(folder / "a.parquet"),
    ]
