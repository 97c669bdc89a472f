"""Files of inputs: archives, local copies."""

from __future__ import annotations

import gzip
from pathlib import Path

import fsspec

from mqcap.ingest.inputs.files import input_files
from tests.mqcap.ingest.inputs.reading import CONTENT, contents, zipped


def test_an_archive_may_stand_in_an_object_store(
    memory: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    memory.pipe("/smf/w.zip", zipped(tmp_path / "w.zip", **{"a.smf": CONTENT}).read_bytes())
    assert contents("memory://smf") == {"memory://smf/w.zip!a.smf": CONTENT}


def test_a_local_name_contains_archive_and_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"logs/a.txt": CONTENT})
    with input_files([path]) as result:
        (file,) = result
        local = file.local()
        assert local.name == "week.zip!a.txt"
    assert not local.exists()


def test_a_cut_gzip_file_is_left_to_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 999)[:-20])
    assert contents(path) == {str(path): path.read_bytes()}
