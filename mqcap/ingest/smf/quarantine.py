"""Rows of the quarantine dataset: the corrupt ranges of a dump."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
    first_bytes = [
        content[begin : begin + min(size, KEPT_QUARANTINE_BYTES)] for begin, size in places.tolist()
    ]
    columns = {
        "file_sha256": strings([file_sha256] * len(ranges)),
        "byte_offset": column(places[:, 0]),
        "bytes_count": column(places[:, 1]),
        "reason": strings([corrupt.reason for corrupt in ranges]),
        "raw_hex": strings([first.tobytes().hex() for first in first_bytes]),
    }
    ordered = [columns[name] for name in QUARANTINE_SCHEMA.names]
    return pa.Table.from_arrays(ordered, schema=QUARANTINE_SCHEMA)


KINDS_NAMED: Final = 20
"""Kinds of problems that are reported with their first place (ours)."""
_NUMBERS: Final = re.compile(r"\b\d+\b")


@dataclass
class AlikeProblems:
    """Problems of one file, grouped by their reason without its numbers."""

    count: int = 0
    _first: dict[str, str] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, reason: str, sentence: Callable[[], str]) -> None:
        """Note a problem; ``sentence`` makes the text about its place and ends with a point."""
        self.count += 1
        kind = _NUMBERS.sub("#", reason)
        if kind not in self._first:
            if len(self._first) == KINDS_NAMED:
                return
            self._first[kind] = sentence()
        self._counts[kind] = self._counts.get(kind, 0) + 1

    def sentences(self) -> Iterator[str]:
        """Yield the first place of each kind with how many are like it."""
        for kind, sentence in self._first.items():
            alike = self._counts[kind] - 1
            yield f"{sentence} {alike:,} more like it." if alike else sentence
        if others := self.count - sum(self._counts.values()):
            yield f"{others:,} more problems of other kinds."
