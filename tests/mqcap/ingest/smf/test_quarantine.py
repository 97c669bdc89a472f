from __future__ import annotations

import numpy as np

from mqcap.ingest.smf.dump import CorruptRange
from mqcap.ingest.smf.quarantine import (
    KEPT_QUARANTINE_BYTES,
    QUARANTINE_SCHEMA,
    quarantine_rows,
)


def test_a_row_has_place_reason_and_first_bytes() -> None:
    content = np.arange(64, dtype=np.uint8)
    table = quarantine_rows([CorruptRange(10, 3, "a reason")], content, "ab")
    assert table.schema == QUARANTINE_SCHEMA
    assert table.to_pylist() == [
        {
            "file_sha256": "ab",
            "byte_offset": 10,
            "bytes_count": 3,
            "reason": "a reason",
            "raw_hex": "0a0b0c",
        }
    ]


def test_of_a_long_range_only_the_first_bytes_are_stored() -> None:
    content = np.zeros(3 * KEPT_QUARANTINE_BYTES, np.uint8)
    ranges = [CorruptRange(0, 2 * KEPT_QUARANTINE_BYTES, "long"), CorruptRange(9_000, 1, "short")]
    rows = quarantine_rows(ranges, content, "ab").to_pylist()
    assert [len(row["raw_hex"]) for row in rows] == [2 * KEPT_QUARANTINE_BYTES, 2]
    assert [row["bytes_count"] for row in rows] == [2 * KEPT_QUARANTINE_BYTES, 1]
