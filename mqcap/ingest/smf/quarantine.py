"""Rows of the quarantine dataset, and the problems of a file that are alike."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from mqcap.domain.datasets import QUARANTINE
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.record_heads import schema_of

QUARANTINE_SCHEMA: Final = schema_of(QUARANTINE)
KEPT_QUARANTINE_BYTES: Final = 4096
"""Bytes of a corrupt range that are stored for inspection."""


def quarantine_row(
    file_sha256: str, byte_offset: int, bytes_count: int, reason: str, content: bytes | Bytes
) -> dict[str, Any]:
    """Return the row of a corrupt range, of whose content the first bytes are stored."""
    return {
        "file_sha256": file_sha256,
        "byte_offset": byte_offset,
        "bytes_count": bytes_count,
        "reason": reason,
        "raw_hex": bytes(content[:KEPT_QUARANTINE_BYTES]).hex(),
    }


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
