"""Complete records one after another, as nearly all of a dump is, read in a tight loop."""

import struct
from dataclasses import dataclass, field
from typing import Final

from mqcap.ingest.smf.header_pattern import (
    DESCRIPTOR_BYTES,
    LONGEST_RECORD_BYTES,
    SHORTEST_RECORD_BYTES,
)

_LENGTH_AND_REST: Final = struct.Struct(">HH").unpack_from
_LITTLE_LENGTH_AND_REST: Final = struct.Struct("<HH").unpack_from


@dataclass
class ContiguousRecords:
    """Records in one piece, a value each: descriptor word, end, first byte in the file."""

    base: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)

    def add(self, base: int, end: int, offset: int) -> None:
        """Append a record."""
        self.base.append(base)
        self.end.append(end)
        self.offset.append(offset)

    def keep(self, count: int) -> None:
        """Remove all but the first records."""
        for values in (self.base, self.end, self.offset):
            del values[count:]


def take_contiguous(
    view: memoryview,
    position: int,
    limit: int,
    end: int,
    records: ContiguousRecords,
    *,
    little: bool = False,
) -> int:
    """Add complete records that begin before ``limit``; returns the end of the last of them.

    It stops at anything else than the descriptor word of a complete record that ends by ``end``.
    This loop is the cost of walking a dump: it does nothing else. Whether there are headers behind
    the words is looked at later, for all at once.
    """
    starts: list[int] = []
    add, length_and_rest = starts.append, _LITTLE_LENGTH_AND_REST if little else _LENGTH_AND_REST
    shortest, longest = SHORTEST_RECORD_BYTES, LONGEST_RECORD_BYTES
    stop = min(limit, end - DESCRIPTOR_BYTES + 1)
    while position < stop:
        length, rest = length_and_rest(view, position)
        if rest or not shortest <= length <= longest:
            break
        add(position)
        position += length
    if position > end:
        position = starts.pop()
    records.base += starts
    records.offset += starts
    records.end += starts[1:]
    if starts:
        records.end.append(position)
    return position
