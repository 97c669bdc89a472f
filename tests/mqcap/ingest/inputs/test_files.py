from __future__ import annotations

import gzip
import zipfile
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from mqcap.domain.errors import CapacityError
from mqcap.ingest.inputs.archives import UnpackLimits
from mqcap.ingest.inputs.files import input_files

CONTENT = b"a dump, for all that the inputs know"


LIMITS = UnpackLimits()


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


def contents(*inputs: str | Path, limits: UnpackLimits = LIMITS) -> dict[str, bytes | str]:
    """What each input gives: its content, or the sentence that says why not."""
    contents_by_name: dict[str, bytes | str] = {}
    with input_files(inputs, lambda: limits) as found:
        for file in found:
            try:
                contents_by_name[file.name] = file.local().read_bytes()
            except CapacityError as error:
                contents_by_name[file.name] = str(error)
            file.release()
    return contents_by_name


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_an_archive_may_stand_in_an_object_store(
    memory: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    memory.pipe("/smf/w.zip", zipped(tmp_path / "w.zip", **{"a.smf": CONTENT}).read_bytes())
    assert contents("memory://smf") == {"memory://smf/w.zip!a.smf": CONTENT}


def test_a_local_name_contains_archive_and_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"logs/a.txt": CONTENT})
    with input_files([path]) as found:
        (file,) = found
        local = file.local()
        assert local.name == "week.zip!a.txt"
    assert not local.exists()


def test_a_cut_gzip_file_is_left_to_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 999)[:-20])
    assert contents(path) == {str(path): path.read_bytes()}
