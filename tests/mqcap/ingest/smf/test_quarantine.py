from __future__ import annotations

import numpy as np

from mqcap.ingest.smf.dump import CorruptRange
from mqcap.ingest.smf.quarantine import (
    KEPT_QUARANTINE_BYTES,
    quarantine_rows,
)


def test_of_a_long_range_only_the_first_bytes_are_stored() -> None:
    content = np.zeros(3 * KEPT_QUARANTINE_BYTES, np.uint8)
    ranges = [CorruptRange(0, 2 * KEPT_QUARANTINE_BYTES, "long"), CorruptRange(9_000, 1, "short")]
    rows = quarantine_rows(ranges, content, "ab").to_pylist()
    assert [len(row["raw_hex"]) for row in rows] == [2 * KEPT_QUARANTINE_BYTES, 2]
    assert [row["bytes_count"] for row in rows] == [2 * KEPT_QUARANTINE_BYTES, 1]
