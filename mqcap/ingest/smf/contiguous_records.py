"""Whole records one after another, taken at speed: what most of every dump is."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Final

from mqcap.ingest.smf.header_pattern import (
    DESCRIPTOR_BYTES,
    LONGEST_RECORD_BYTES,
    SHORTEST_RECORD_BYTES,
)

_LENGTH_AND_REST: Final = struct.Struct(">HH").unpack_from


@dataclass
class Runs:
    """Records in one piece, one value each: descriptor word, end, first byte in the file."""

    base: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)

    def add(self, base: int, end: int, offset: int) -> None:
        """Append a record."""
        self.base.append(base)
        self.end.append(end)
        self.offset.append(offset)

    def pop(self) -> None:
        """Take the last record back."""
        for values in (self.base, self.end, self.offset):
            values.pop()


def take_run(view: memoryview, position: int, limit: int, end: int, found: Runs) -> int:
    """Add whole records that begin before ``limit``; returns where the last of them ends.

    It stops at anything else than the descriptor word of a whole record that ends by ``end``.
    The loop is what walking a dump costs: it does nothing else.
    """
    starts = [position]
    while position < limit and position + DESCRIPTOR_BYTES <= end:
        length, rest = _LENGTH_AND_REST(view, position)
        if rest or not SHORTEST_RECORD_BYTES <= length <= LONGEST_RECORD_BYTES:
            break
        position += length
        if position > end:
            break
        starts.append(position)
    found.base += starts[:-1]
    found.offset += starts[:-1]
    found.end += starts[1:]
    return starts[-1]
