"""Rows of the quarantine dataset: the corrupt ranges of a dump."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from mqcap.domain.datasets import QUARANTINE
from mqcap.ingest.smf.arrow import column, strings
from mqcap.ingest.smf.dump import CorruptRange
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.record_heads import schema_of

QUARANTINE_SCHEMA: Final = schema_of(QUARANTINE)
KEPT_QUARANTINE_BYTES: Final = 4096
"""Bytes of a corrupt range that are stored for inspection."""


def quarantine_rows(ranges: Sequence[CorruptRange], content: Bytes, file_sha256: str) -> pa.Table:
    """Return a row per corrupt range, without the pandas that ``pa.Table.from_pylist`` imports."""
    places = np.array([(corrupt.byte_offset, corrupt.bytes_count) for corrupt in ranges], np.int64)
    columns = {
        "file_sha256": strings([file_sha256] * len(ranges)),
        "byte_offset": column(places[:, 0]),
        "bytes_count": column(places[:, 1]),
        "reason": strings([corrupt.reason for corrupt in ranges]),
        "raw_hex": strings([_first_bytes_hex(corrupt, content) for corrupt in ranges]),
    }
    ordered = [columns[name] for name in QUARANTINE_SCHEMA.names]
    return pa.Table.from_arrays(ordered, schema=QUARANTINE_SCHEMA)


def _first_bytes_hex(corrupt: CorruptRange, content: Bytes) -> str:
    """Return the first bytes of a corrupt range in hexadecimal digits."""
    size = min(corrupt.bytes_count, KEPT_QUARANTINE_BYTES)
    return content[corrupt.byte_offset : corrupt.byte_offset + size].tobytes().hex()
