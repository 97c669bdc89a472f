from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.ingest import parquet
from mqcap.ingest.parquet import ParquetFile, plain

pytestmark = pytest.mark.thorough


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
    assert [field.name for field in back.schema if not field.nullable] == ["flag"]
    assert back.equals(expected.cast(back.schema))


def test_few_rows_wait_to_be_written_when_they_are_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "PENDING_BYTES_MAX", 100)
    file = ParquetFile(tmp_path / "rows")
    for _ in range(4):
        file.write_table(pa.table({"number": pa.array(range(8), pa.int64())}))
    file.close()
    assert pq.ParquetFile(tmp_path / "rows").num_row_groups == 2


def test_a_null_may_follow_where_there_was_none(tmp_path: Path) -> None:
    first = pa.table(
        {
            "text": pa.array(["a", "b"]).dictionary_encode(),
            "number": pa.array([1, 2]),
            "instant": pa.array([0, 1], pa.timestamp("us", tz="UTC")),
        }
    )
    other = pa.table(
        {
            "text": pa.array(["c", None]).dictionary_encode(),
            "number": pa.array([None, 3]),
            "instant": pa.array([None, 4], pa.timestamp("us", tz="UTC")),
        }
    )
    parts = [first, first, other, first]
    file = ParquetFile(tmp_path / "rows", row_group_rows=2)
    for part in parts:
        file.write_table(part)
    file.close()
    back = pq.read_table(tmp_path / "rows")
    assert back.equals(pa.concat_tables([plain(part) for part in parts]))
    assert all(field.nullable for field in back.schema)
    assert pq.ParquetFile(tmp_path / "rows").num_row_groups == len(parts)
    assert [path.name for path in tmp_path.iterdir()] == ["rows"]


def compression_of(tmp_path: Path, values: pa.Array) -> str:
    """How a column of a file is compressed; the file has the values."""
    file = ParquetFile(tmp_path / "rows")
    file.write_table(pa.table({"value": values}))
    file.close()
    assert pq.read_table(tmp_path / "rows")["value"].to_pylist() == values.to_pylist()
    return str(pq.read_metadata(tmp_path / "rows").row_group(0).column(0).compression)


@pytest.mark.parametrize(
    ("changes", "compression"), [(102, "LZ4"), (103, "LZ4"), (104, "UNCOMPRESSED")]
)
@pytest.mark.parametrize("kind", [pa.int32(), pa.int64(), pa.float64(), pa.timestamp("us", "UTC")])
def test_numbers_of_which_nine_in_ten_are_the_one_before_are_compressed(
    tmp_path: Path, kind: pa.DataType, changes: int, compression: str
) -> None:
    rows = 4 * 1030 + 1  # 1030 rows are compared, every fourth
    numbers = [min(row // 4, changes) for row in range(rows)]
    assert compression_of(tmp_path, pa.array(numbers).cast(kind)) == compression


@pytest.mark.parametrize(
    ("rows", "compression"), [(4095, "UNCOMPRESSED"), (4096, "LZ4"), (4097, "LZ4")]
)
def test_few_rows_are_not_compared(tmp_path: Path, rows: int, compression: str) -> None:
    assert compression_of(tmp_path, pa.array([7] * rows)) == compression
