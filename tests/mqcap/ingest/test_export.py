"""Rows of inputs as files: CSV, Parquet, packed inputs."""

import csv
import gzip
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest import parquet
from mqcap.ingest.export import ExportFormat, export
from mqcap.ingest.parquet import ParquetFile, plain
from mqcap.ingest.smf.dump_file import unpacked
from mqcap.ingest.smf.layout import structure_name
from mqcap.ingest.smf.source import SmfReading
from mqcap.progress.shown import show_on
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.ingest.reading import read_all
from tests.mqcap.progress.displays import Noted


def headings(table: pa.Table) -> list[str]:
    """People want the name of a file where the lake wants its hash."""
    return ["file" if name == "file_sha256" else name for name in table.schema.names]


@pytest.mark.thorough
def test_there_is_one_parquet_file_per_structure_with_all_its_rows(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    read = read_all(dump)
    done = export({dump: dump.name}, tmp_path / "out", ExportFormat.PARQUET)
    assert {path.name for path in done.rows} == {
        f"{structure_name(dataset)}.parquet" for dataset in read.tables
    }
    for dataset, table in read.tables.items():
        written = pq.read_table(tmp_path / "out" / f"{structure_name(dataset)}.parquet")
        assert written.num_rows == table.num_rows
        assert written.schema.names == headings(table)
    assert (tmp_path / "out" / "QJST.parquet").is_file()


@pytest.mark.thorough
def test_csv_has_the_field_names_as_headings_and_empty_cells_for_null(tmp_path: Path) -> None:
    dump = small_dump(tmp_path, mq_level="9.0.0")
    table = read_all(dump).tables["section_qjst"]
    export({dump: dump.name}, tmp_path / "out", ExportFormat.CSV)
    with (tmp_path / "out" / "QJST.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert list(rows[0]) == headings(table)
    assert [int(row["qjstciwr"]) for row in rows] == table["qjstciwr"].to_pylist()
    absent = [name for name in table.schema.names if table[name].null_count == len(rows)]
    assert absent
    assert all(row[name] == "" for row in rows for name in absent)


@pytest.mark.thorough
def test_rows_of_several_inputs_stand_in_one_file(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    first, second = small_dump(tmp_path), small_dump(tmp_path / "b", "bdw", qmgr="MQP2")
    done = export({first: "a/dump", second: "b/dump"}, tmp_path / "out", ExportFormat.PARQUET)
    table = pq.read_table(tmp_path / "out" / "QJST.parquet")
    result = zip(table["file"].to_pylist(), table["qmgr"].to_pylist(), strict=True)
    assert set(result) == {("a/dump", "MQP1"), ("b/dump", "MQP2")}
    assert [summary.framing for summary in done.summaries] == ["rdw", "bdw"]
    assert not list((tmp_path / "out").glob(".*"))


@pytest.mark.thorough
def test_an_unreadable_input_leaves_what_was_there_before(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    export({dump: dump.name}, tmp_path / "out", ExportFormat.CSV)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    bad = tmp_path / "bad"
    bad.write_bytes(bytes(range(128, 256)) * 2)
    with pytest.raises(InputError, match="not an SMF dump"):
        export({dump: dump.name, bad: "bad"}, tmp_path / "out", ExportFormat.CSV)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize("form", list(ExportFormat))
def test_progress_is_shown_by_the_size_of_what_has_been_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: ExportFormat
) -> None:
    (tmp_path / "other").mkdir()
    dumps = {small_dump(tmp_path): "a", small_dump(tmp_path / "other"): "b"}
    size = small_dump(tmp_path).stat().st_size
    in_batches = partial(SmfReading, batch_bytes=size // 4)
    monkeypatch.setattr("mqcap.ingest.smf.source.SmfReading", in_batches)
    display = Noted()
    with show_on(display):
        export(dumps, tmp_path / "out", form)
    first, *between, last, closed = display.calls
    assert (first, last, closed) == ("read inputs begun", "read inputs ended", "closed")
    done = [float(call.split(" of ")[0]) for call in between]
    total = 2 * size / (1 << 20)
    assert done == sorted(set(done))
    assert len(done) > len(dumps)
    assert done[-1] == pytest.approx(total, rel=1e-5)
    assert {call.split(" of ")[1] for call in between} == {f"{total:g} MiB"}


CONTENT = gzip.compress(bytes(range(256)) * 40)


def test_the_content_stands_under_the_name_of_its_file_until_the_end(tmp_path: Path) -> None:
    (file := tmp_path / "x.gz").write_bytes(CONTENT)
    with unpacked(file) as path:
        assert (path.name, path.read_bytes()) == ("x.gz", gzip.decompress(CONTENT))
    assert not path.exists()


@pytest.mark.parametrize(
    "content", [*(CONTENT[:cut] for cut in (2, 12, -9, -1)), gzip.compress(b"")]
)
def test_what_cannot_be_unpacked_to_its_end_is_left_to_its_reader(
    tmp_path: Path, content: bytes
) -> None:
    (file := tmp_path / "x.gz").write_bytes(content)
    with unpacked(file) as path:
        assert path == file
    assert file.exists()


@pytest.mark.thorough
def test_packed_dumps_are_exported_as_plain_ones(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    (file := tmp_path / "a.gz").write_bytes(gzip.compress(dump.read_bytes()))
    for path, name in ((dump, "plain"), (file, "packed")):
        export({path: "a"}, tmp_path / name, ExportFormat.PARQUET)
    for path in (tmp_path / "plain").iterdir():
        assert pq.read_table(tmp_path / "packed" / path.name).equals(pq.read_table(path))


def test_a_parquet_file_holds_the_rows_with_plain_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP_ROWS", 8)
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
    other = other.set_column(2, "flag", pa.array([None, 2, 3, 4], pa.int32()))
    file = ParquetFile(tmp_path / "rows")
    for part in (table, other, table):
        file.write_table(part)
    file.close()
    back = pq.read_table(tmp_path / "rows")
    assert back.equals(pa.concat_tables([plain(part) for part in (table, other, table)]))


def test_few_rows_wait_to_be_written_when_they_are_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "PENDING_BYTES_MAX", 100)
    file = ParquetFile(tmp_path / "rows")
    for _ in range(4):
        file.write_table(pa.table({"number": pa.array(range(8), pa.int64())}))
    file.close()
    assert pq.ParquetFile(tmp_path / "rows").num_row_groups == 2
