"""What was made fast gives the same as what is plain: walk, hashes, processes, Parquet."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.domain.errors import InputError
from mqcap.ingest import parquet
from mqcap.ingest.export import ExportFormat, export
from mqcap.ingest.parallel import Piece, Shares, in_processes, write_share
from mqcap.ingest.parquet import ParquetFile, plain
from mqcap.ingest.smf.contiguous_records import ContiguousRecords
from mqcap.ingest.smf.dump import Batch, DumpWalker, Records
from mqcap.ingest.smf.dump_file import open_content, view_of
from mqcap.ingest.smf.encode import write_dump
from mqcap.ingest.smf.framers import Framer, Segment
from mqcap.ingest.smf.framing import Framing, framer_of
from mqcap.ingest.smf.record_hash import record_hashes
from mqcap.ingest.smf.source import SmfReading
from tests.mqcap.ingest.dumps import cf_dump_records, mq_dump_records, small_dump, with_markers
from tests.mqcap.ingest.reading import read_all

pytestmark = pytest.mark.thorough

RECORDS = with_markers([*mq_dump_records(), *cf_dump_records()])
ENCODED_FRAMINGS = {"bdw": Framing.BDW, "rdw": Framing.RDW, "rdwseg": Framing.RDW}


class OneByOne:
    """A framer that never takes more than one segment at a time."""

    def __init__(self, framer: Framer) -> None:
        self._framer = framer

    def read_contiguous(self, position: int, _limit: int, _found: ContiguousRecords) -> int:
        return position

    def segment(self, position: int) -> Segment:
        return self._framer.segment(position)

    def resume(self, start: int) -> int:
        return self._framer.resume(start)


def walked(content: bytes, framing: Framing, batch_bytes: int, *, fast: bool) -> list[Batch]:
    data = np.frombuffer(content, np.uint8)
    framer = framer_of(framing, view_of(data))
    walker = DumpWalker(data, framer if fast else OneByOne(framer))
    return list(walker.batches(batch_bytes))


@pytest.fixture(scope="module", params=sorted(ENCODED_FRAMINGS))
def framed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("framed") / f"dump.{request.param}"
    write_dump(path, RECORDS, request.param, segment_bytes=700)
    return path


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_taking_records_at_speed_equals_taking_them_one_by_one(
    framed: Path, data: st.DataObject
) -> None:
    content = bytearray(framed.read_bytes())
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=8))
    framing = ENCODED_FRAMINGS[framed.suffix[1:]]
    batch_bytes = data.draw(st.sampled_from([1, 900, 5000, 1 << 20]))
    fast = walked(bytes(content), framing, batch_bytes, fast=True)
    assert fast == walked(bytes(content), framing, batch_bytes, fast=False)


def records_of(*contents: bytes) -> Records:
    sizes = np.array([4 + len(content) for content in contents], dtype=np.int64)
    buffer = np.frombuffer(b"".join(bytes(4) + content for content in contents), np.uint8)
    base = np.cumsum(sizes) - sizes
    return Records(buffer, base, sizes, base, sizes)


@given(st.lists(st.binary(min_size=14, max_size=60), min_size=1, max_size=8))
def test_records_have_one_hash_exactly_when_their_bytes_are_equal(contents: list[bytes]) -> None:
    hashes = record_hashes(records_of(*contents, *reversed(contents))).tolist()
    assert hashes == [*hashes[: len(contents)], *reversed(hashes[: len(contents)])]
    assert len(set(hashes)) == len(set(contents))


@given(st.binary(min_size=14, max_size=400), st.data())
def test_one_changed_bit_changes_the_hash(content: bytes, data: st.DataObject) -> None:
    changed = bytearray(content)
    changed[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    first, second = record_hashes(records_of(content, bytes(changed)))
    assert first != second


def test_a_hash_is_the_same_in_every_framing_and_process(tmp_path: Path) -> None:
    found = [
        read_all(small_dump(tmp_path, name)).tables["section_qjst"]["record_hash"].to_pylist()
        for name in ("rdw", "bdw", "rdwseg", "nordw")
    ]
    assert found == [found[0]] * 4
    assert record_hashes(records_of(bytes(range(20)))).tolist() == [-2384440710343335910]


def written(dump: Path, folder: Path, processes: int) -> dict[str, bytes]:
    """The Parquet files of a dump that is read in many batches, by dataset."""
    folder.mkdir()
    reading = SmfReading(open_content(dump), Framing.RDW, "0" * 64, batch_bytes=9000)

    def work(number: int) -> int:
        files: dict[str, ParquetFile] = {}

        def write(dataset: str, table: pa.Table) -> None:
            files.setdefault(dataset, ParquetFile(folder / dataset, 3)).write_table(table)

        write_share(reading, write, Shares(processes, number))
        for file in files.values():
            file.close()
        return len(files)

    assert all(in_processes(work, processes))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_several_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    records = [record for number in range(3) for record in mq_dump_records(qmgr=f"MQ{number}")]
    dump = tmp_path / "dump"
    write_dump(dump, records, "rdw")
    one = written(dump, tmp_path / "one", 1)
    assert written(dump, tmp_path / "three", 3) == one
    assert pq.ParquetFile(tmp_path / "one" / "section_qjst").num_row_groups > 1


def test_an_export_is_the_same_whatever_the_number_of_processes(tmp_path: Path) -> None:
    dumps = [small_dump(tmp_path, name) for name in ("rdw", "bdw")]
    one, two = (
        export(
            {dump: dump.name for dump in dumps},
            tmp_path / str(n),
            ExportFormat.PARQUET,
            processes=n,
        )
        for n in (1, 2)
    )
    assert [path.name for path in one.rows] == [path.name for path in two.rows]
    assert one.summaries == two.summaries
    for path in one.rows:
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()
    assert sorted(one.rows) == sorted((tmp_path / "1").iterdir())


@pytest.mark.parametrize("place", [0, 1])
def test_an_error_in_any_process_is_raised_whole(place: int) -> None:
    error = InputError("is cut", file="D", byte_offset=7, remedy="Ask for it again.")

    def work(number: int) -> int:
        if number == place:
            raise error
        return number

    with pytest.raises(InputError) as raised:
        in_processes(work, 2)
    assert (str(raised.value), raised.value.byte_offset) == (str(error), 7)


def killed_unless_first(number: int) -> None:
    if number:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_told() -> None:
    with pytest.raises(OSError, match="was killed"):
        in_processes(killed_unless_first, 2)


def test_a_parquet_file_holds_the_rows_with_plain_types(tmp_path: Path) -> None:
    text = pa.array(["a", None, "b", "a"]).dictionary_encode()
    table = pa.table(
        {
            "text": text,
            "number": pa.array([1, None, -(1 << 62), 1 << 62]),
            "flag": pa.array([1, 2, 3, 4], pa.int32()),
            "ratio": pa.array([0.5, None, 0.25, 1e300]),
            "instant": pa.array([0, 1, None, 3], pa.timestamp("us", tz="UTC")),
        }
    )
    other = table.set_column(0, "text", pa.array(["c", "c", None, "d"]).dictionary_encode())
    file = ParquetFile(tmp_path / "rows", row_group_rows=8)
    for part in (table, other, table):
        file.write_table(part)
    file.close()
    back = pq.read_table(tmp_path / "rows")
    expected = pa.concat_tables([plain(part) for part in (table, other, table)])
    assert back.equals(expected)
    assert back.schema.equals(expected.schema)


def test_few_rows_wait_to_be_written_when_they_are_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "PENDING_BYTES_MAX", 100)
    file = ParquetFile(tmp_path / "rows")
    for _ in range(4):
        file.write_table(pa.table({"number": pa.array(range(8), pa.int64())}))
    file.close()
    assert pq.ParquetFile(tmp_path / "rows").num_row_groups == 2


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30))
def test_work_is_dealt_out_evenly_when_the_largest_comes_first(works: list[int]) -> None:
    pieces = [
        Piece(f"dataset {place}", lambda: None, work)
        for place, work in enumerate(sorted(works, reverse=True))
    ]
    shares = [Shares(2, number) for number in range(2)]
    owners = [[share.is_ours(piece) for share in shares] for piece in pieces]
    assert all(sum(owner) == 1 for owner in owners)
    first = sum(piece.work for piece, owner in zip(pieces, owners, strict=True) if owner[0])
    assert abs(sum(works) - 2 * first) <= max(works)


def test_bytes_that_were_let_go_can_be_read_again(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    content = open_content(dump)
    content.release(1, len(content.data))
    assert content.data.tobytes() == dump.read_bytes()
