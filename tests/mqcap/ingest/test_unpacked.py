"""Gzip inputs are unpacked once, whoever reads them."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mqcap.ingest import unpacked as module
from mqcap.ingest.export import ExportFormat, export
from mqcap.ingest.parallel import in_processes
from mqcap.ingest.smf.dump_file import unpack
from mqcap.ingest.unpacked import unpacked, unpacked_once
from tests.mqcap.ingest.dumps import small_dump

CONTENT = bytes(range(256)) * 40


def packed(path: Path, content: bytes = CONTENT) -> Path:
    path.write_bytes(gzip.compress(content))
    return path


@pytest.fixture
def unpackings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return the names of what has been unpacked, by all processes."""
    log = tmp_path / "unpackings"

    def logged(path: Path, target: Path) -> bool:
        with log.open("a") as lines:
            lines.write(f"{path.name}\n")
        return unpack(path, target)

    monkeypatch.setattr(module, "unpack", logged)
    return lambda: sorted(log.read_text().split()) if log.exists() else []


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
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_each_file_is_unpacked_by_one_process_and_removed_by_the_last(
    tmp_path: Path, unpackings: Callable[[], list[str]], processes: int
) -> None:
    files = [packed(tmp_path / f"{number}.gz", bytes([number]) * 9) for number in range(3)]
    with unpacked_once(files, processes) as contents:

        def read(_: int) -> list[bytes]:
            found = []
            for number in range(len(files)):
                with contents.opened(number) as path:
                    found.append(path.read_bytes())
            return found

        results = in_processes(read, processes)
        assert contents.folder is not None
        left = [path for path in contents.folder.rglob("*.gz") if path.is_file()]
    assert results == [[bytes([number]) * 9 for number in range(3)]] * processes
    assert unpackings() == ["0.gz", "1.gz", "2.gz"]
    assert left == []


@pytest.mark.thorough
def test_packed_dumps_are_exported_as_plain_ones_and_unpacked_once(
    tmp_path: Path, unpackings: Callable[[], list[str]]
) -> None:
    names = ["a", "b", "c"]
    for name in names:
        (tmp_path / name).mkdir()
    dumps = [small_dump(tmp_path / name, qmgr=f"MQ{name.upper()}1") for name in names]
    files = [packed(tmp_path / f"{dump.parent.name}.gz", dump.read_bytes()) for dump in dumps]
    plain, gz = tmp_path / "plain", tmp_path / "gz"
    export(dict(zip(dumps, names, strict=True)), plain, ExportFormat.PARQUET, processes=1)
    done = export(dict(zip(files, names, strict=True)), gz, ExportFormat.PARQUET, processes=2)
    assert unpackings() == ["a.gz", "b.gz", "c.gz"]
    assert len(done.summaries) == len(names)
    for path in plain.iterdir():
        assert pq.read_table(gz / path.name).equals(pq.read_table(path))
