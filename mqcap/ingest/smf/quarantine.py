"""Rows of the quarantine dataset: the stretches of a dump that could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from mqcap.domain.datasets import QUARANTINE
from mqcap.ingest.smf.arrow import column, strings
from mqcap.ingest.smf.dump import Damage
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.record_heads import ARROW_TYPES

QUARANTINE_SCHEMA: Final = pa.schema(
    [(name, ARROW_TYPES[kind]) for name, kind in QUARANTINE.columns.items()]
)
KEPT_QUARANTINE_BYTES: Final = 4096
"""How much of a damaged stretch is kept for looking at it."""


def quarantine_rows(damages: Sequence[Damage], content: Bytes, file_sha256: str) -> pa.Table:
    """Return one row per damage; built without pandas, which ``pa.Table.from_pylist`` imports."""
    places = np.array([(one.byte_offset, one.bytes_count) for one in damages], np.int64)
    columns = {
        "file_sha256": strings([file_sha256] * len(damages)),
        "byte_offset": column(places[:, 0]),
        "bytes_count": column(places[:, 1]),
        "reason": strings([one.reason for one in damages]),
        "raw_hex": strings([_kept_hex(one, content) for one in damages]),
    }
    ordered = [columns[name] for name in QUARANTINE_SCHEMA.names]
    return pa.Table.from_arrays(ordered, schema=QUARANTINE_SCHEMA)


def _kept_hex(damage: Damage, content: Bytes) -> str:
    """Return the first bytes of a damaged stretch in hexadecimal digits."""
    kept = min(damage.bytes_count, KEPT_QUARANTINE_BYTES)
    return content[damage.byte_offset : damage.byte_offset + kept].tobytes().hex()
