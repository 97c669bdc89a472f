from __future__ import annotations

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
