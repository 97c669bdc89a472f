"""Gzip inputs are unpacked to a file that is removed."""

import gzip
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mqcap.ingest.export import ExportFormat, export
from mqcap.ingest.smf.dump_file import unpacked
from tests.mqcap.ingest.dumps import small_dump

CONTENT = bytes(range(256)) * 40


def packed(path: Path, content: bytes = CONTENT) -> Path:
    path.write_bytes(gzip.compress(content))
    return path


def test_the_content_stands_under_the_name_of_its_file_until_the_end(tmp_path: Path) -> None:
    with unpacked(packed(tmp_path / "x.gz")) as path:
        assert (path.name, path.read_bytes()) == ("x.gz", CONTENT)
    assert not path.exists()


@pytest.mark.parametrize("cut", [2, 12, -9, -1])
def test_what_cannot_be_unpacked_to_its_end_is_left_to_its_reader(tmp_path: Path, cut: int) -> None:
    file = packed(tmp_path / "x.gz")
    file.write_bytes(file.read_bytes()[:cut])
    with unpacked(file) as path:
        assert path == file
    assert file.exists()


def test_a_packed_file_of_nothing_is_left_to_its_reader(tmp_path: Path) -> None:
    file = packed(tmp_path / "x.gz", b"")
    with unpacked(file) as path:
        assert path == file


@pytest.mark.thorough
def test_packed_dumps_are_exported_as_plain_ones(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    file = packed(tmp_path / "a.gz", dump.read_bytes())
    plain, gz = tmp_path / "plain", tmp_path / "gz"
    export({dump: "a"}, plain, ExportFormat.PARQUET)
    export({file: "a"}, gz, ExportFormat.PARQUET)
    for path in plain.iterdir():
        assert pq.read_table(gz / path.name).equals(pq.read_table(path))
