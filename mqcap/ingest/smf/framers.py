"""The framings of records in a file, each able to read the next record and resynchronise.

A framer cuts the content into *segments*: a complete record, or the first, middle or last piece
of one. ``base`` of a segment is where its 4-byte descriptor word is (or would be), so
that offsets inside a record, which count from there, can be added to it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.header_pattern import (
    DESCRIPTOR_BYTES,
    HEADER_TYPES_WITHOUT_SUBTYPE,
    LONGEST_RECORD_BYTES,
    SHORTEST_RECORD_BYTES,
    SHORTEST_SEGMENT_BYTES,
    candidates,
    is_bare_header,
    is_header,
)
from mqcap.ingest.smf.layout import field_of, layouts

COMPLETE: Final = 0
FIRST: Final = 1
LAST: Final = 2
MIDDLE: Final = 3

_TYPE_AT: Final = field_of("SMFHDR", "rty").offset
_TRIPLETS_AT: Final = layouts()["SM115"].length
_RMF_COUNT: Final = field_of("SMF74HDR", "smf74trn")
_QWHS_COUNT_AT: Final = field_of("QWHS", "qwhsnsda").offset
_TRIPLET: Final = struct.Struct(">IHH")
_STUB_LENGTH: Final = 1
_STUB_TRIPLETS: Final = 2
_LARGE_BLOCK: Final = 0x8000_0000
_CHECKED_BYTES: Final = 1 << 18
"""Bytes checked of a block that is searched for; large ones may be larger (ours)."""


class CorruptDataError(Exception):
    """Corrupt data at this position; ``reason`` is its description. Never leaves the walker."""

    def __init__(self, reason: str, kind: Corruption | None = None) -> None:
        self.reason = reason
        self.kinds: frozenset[Corruption] = frozenset() if kind is None else frozenset({kind})
        super().__init__(reason)


class Segment(NamedTuple):
    """A segment of a record: ``base`` to ``end`` includes the descriptor word."""

    code: int
    base: int
    end: int


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


@dataclass
class Framer:
    """A framing over one content."""

    view: memoryview

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add records that are complete and sound as far as ``segment`` would judge.

        Stops at ``limit`` or at anything else than such a record, and returns that place; a
        framer may stop earlier, or find none.
        """
        while position < limit:
            try:
                _, base, end = self.segment(position)
            except CorruptDataError:
                break
            records.add(base, end, position)
            position = end
        return position

    def segment(self, position: int) -> Segment:
        """Return the segment at this position; raises CorruptDataError when there is none."""
        raise NotImplementedError

    def resume(self, start: int) -> int:
        """Return the first position from ``start`` on where reading can resume, or the end.

        That is a plausible record that ends the content, or that a plausible one follows.
        """
        for position in self._candidates(start):
            try:
                end = self._record_end(position)
                if end == len(self.view) or self._goes_on(end):
                    return position
            except CorruptDataError:
                continue
        return len(self.view)

    def _candidates(self, start: int) -> Iterator[int]:
        return candidates(self.view, start, with_rdw=False)

    def _record_end(self, position: int) -> int:
        return self.segment(position).end

    def _goes_on(self, end: int) -> bool:
        return is_bare_header(self.view, end)

    def _must_hold(self, end: int) -> None:
        if end > len(self.view):
            raise CorruptDataError(
                f"the file ends {end - len(self.view)} bytes before the record does",
                Corruption.truncated,
            )


@dataclass
class RdwFramer(Framer):
    """Records or segments with descriptor words, one after another.

    ``little``: some step exchanged the bytes of their lengths.
    """

    little: bool = False

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add complete records one after another."""
        return self._take_contiguous(position, limit, len(self.view), records)

    def _take_contiguous(
        self, position: int, limit: int, end: int, records: ContiguousRecords
    ) -> int:
        """Add complete records that begin before ``limit``; returns the end of the last of them.

        It stops at anything else than the descriptor word of a complete record that ends by
        ``end``. This loop is the cost of walking a dump: it does nothing else. Whether there are
        headers behind the words is looked at later, for all at once.
        """
        starts: list[int] = []
        add, view = starts.append, self.view
        length_and_rest = struct.Struct("<HH" if self.little else ">HH").unpack_from
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

    def segment(self, position: int) -> Segment:
        """Return the segment whose descriptor word is here."""
        return self._segment(position, len(self.view))

    def _candidates(self, start: int) -> Iterator[int]:
        return candidates(self.view, start, with_rdw=True)

    def _record_end(self, position: int) -> int:
        return self._segment(position, len(self.view)).end

    def _goes_on(self, end: int) -> bool:
        if self._is_block(end):
            return True
        if len(self.view) - end < DESCRIPTOR_BYTES:
            return False
        length, code, zero = self._rdw(end)
        if zero or length < SHORTEST_SEGMENT_BYTES or code > MIDDLE:
            return False
        return code in {LAST, MIDDLE} or is_header(self.view, end + DESCRIPTOR_BYTES)

    def _segment(self, position: int, limit: int) -> Segment:
        """Return the segment whose descriptor word is here and that must end by ``limit``."""
        if len(self.view) - position < DESCRIPTOR_BYTES:
            raise CorruptDataError(
                "the file ends inside a record descriptor word", Corruption.truncated
            )
        length, code, zero = self._rdw(position)
        shortest = SHORTEST_SEGMENT_BYTES if code else SHORTEST_RECORD_BYTES
        if zero or code > MIDDLE:
            raise CorruptDataError(
                "no record descriptor word where the record before ends", Corruption.wrong_length
            )
        if not shortest <= length <= LONGEST_RECORD_BYTES:
            raise CorruptDataError(
                f"a record length of {length}, outside {shortest} to {LONGEST_RECORD_BYTES}",
                Corruption.wrong_length,
            )
        end = position + length
        if limit < min(end, len(self.view)):
            raise CorruptDataError(f"the block ends {end - limit} bytes before the record does")
        self._must_hold(end)
        return Segment(code, position, end)

    def _rdw(self, position: int) -> tuple[int, int, int]:
        values: tuple[int, int, int] = struct.unpack_from(
            "<HBB" if self.little else ">HBB", self.view, position
        )
        return values

    def _is_block(self, position: int) -> bool:
        try:
            end = self._block_end(position)
            code, base, _ = self._segment(position + DESCRIPTOR_BYTES, end)
        except CorruptDataError:
            return False
        return code in {LAST, MIDDLE} or is_header(self.view, base + DESCRIPTOR_BYTES)

    def _block_end(self, position: int) -> int:
        """Return the end of the block that begins here; large ones have their length in 31 bits."""
        view = self.view
        if len(view) - position < DESCRIPTOR_BYTES:
            raise CorruptDataError(
                "the file ends inside a block descriptor word", Corruption.truncated
            )
        raw = bytes(view[position : position + DESCRIPTOR_BYTES])
        word = int.from_bytes(raw[1::-1] + raw[2:] if self.little else raw, "big")
        large = bool(word & _LARGE_BLOCK)
        length = word & ~_LARGE_BLOCK if large else word >> 16
        if (not large and word & 0xFFFF) or length < DESCRIPTOR_BYTES + SHORTEST_SEGMENT_BYTES:
            raise CorruptDataError(
                "no block descriptor word where the block before ends", Corruption.wrong_length
            )
        if position + length <= len(view):
            return position + length
        try:  # a truncated block is read to its end
            self._segment(position + DESCRIPTOR_BYTES, len(view))
        except CorruptDataError:
            missing = position + length - len(view)
            raise CorruptDataError(
                f"the file ends {missing} bytes before the block does", Corruption.truncated
            ) from None
        return len(view)


@dataclass
class BdwFramer(RdwFramer):
    """Blocks with a descriptor word that hold segments; the block word counts to its segment."""

    block_end: int | None = 0
    """End of the current block; ``None`` while unknown after corrupt data."""

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add the complete records that are left of the current block."""
        if self.block_end is None or position >= self.block_end:
            return position
        return self._take_contiguous(position, limit, self.block_end, records)

    def segment(self, position: int) -> Segment:
        """Return the segment at this place, behind a block descriptor word where there is one."""
        if self.block_end is None and self._is_block(position):
            self.block_end = position
        if self.block_end is not None and position >= self.block_end:
            self.block_end = self._block_end(position)
            position += DESCRIPTOR_BYTES
        return self._segment(position, len(self.view) if self.block_end is None else self.block_end)

    def resume(self, start: int) -> int:
        """Return the next plausible record, with its block word when there is one before it."""
        place = super().resume(start)
        if place == len(self.view):
            return place
        self.block_end = None
        block = place - DESCRIPTOR_BYTES
        return block if block >= start and self._is_complete_block(block) else place

    def _is_complete_block(self, position: int) -> bool:
        """Return whether segments behind a block descriptor word fill its block, as far as checked.

        Used where a block is searched for: any bytes with the first bit set may be the length of a
        large one. A block that is not recognised costs its four bytes and no record.
        """
        if not self._is_block(position):
            return False
        end, place = self._block_end(position), position + DESCRIPTOR_BYTES
        checked_end = min(end, place + _CHECKED_BYTES)
        while place < checked_end:
            try:
                code, base, behind = self._segment(place, end)
            except CorruptDataError:
                return False
            if code in {COMPLETE, FIRST} and not is_header(self.view, base + DESCRIPTOR_BYTES):
                return False
            place = behind
        return True


class NordwFramer(Framer):
    """Records without descriptor words: only the triplets of a record give its end."""

    def segment(self, position: int) -> Segment:
        """Return the record whose flag byte is here."""
        if not is_bare_header(self.view, position):
            raise CorruptDataError(
                "no record header where the record before ends", Corruption.wrong_length
            )
        base = position - DESCRIPTOR_BYTES
        try:
            end = base + _undelimited_size(self.view, base)
        except (struct.error, IndexError):
            raise CorruptDataError(
                "the file ends inside the record header", Corruption.truncated
            ) from None
        self._must_hold(end)
        return Segment(COMPLETE, base, end)


def _undelimited_size(view: memoryview, base: int) -> int:
    """Return the size of a record (descriptor word included) that only its triplets give."""
    record_type = view[base + _TYPE_AT]
    if record_type in HEADER_TYPES_WITHOUT_SUBTYPE:
        return SHORTEST_RECORD_BYTES
    if record_type in {115, 116}:
        count = _mq_triplet_count(view, base)
    elif record_type == 74:
        count = int.from_bytes(view[base + _RMF_COUNT.offset : base + _RMF_COUNT.end], "big")
    else:
        raise CorruptDataError(
            f"a record of type {record_type}, which cannot be delimited without descriptor words"
        )
    ends = [_TRIPLETS_AT + count * _TRIPLET.size]
    for index in range(count):
        offset, length, sections = _TRIPLET.unpack_from(
            view, base + _TRIPLETS_AT + index * _TRIPLET.size
        )
        ends.append(offset + length * sections if sections else 0)
    if max(ends) > LONGEST_RECORD_BYTES:
        raise CorruptDataError(f"triplets that reach to {max(ends)}, past the longest record")
    return max(ends)


def _mq_triplet_count(view: memoryview, base: int) -> int:
    """Return the triplets in use: QWHSNSDA, or two when QWHS is only a stub."""
    offset, length, _ = _TRIPLET.unpack_from(view, base + _TRIPLETS_AT)
    header = base + offset
    stub = (
        length <= _QWHS_COUNT_AT or int.from_bytes(view[header : header + 2], "big") == _STUB_LENGTH
    )
    return _STUB_TRIPLETS if stub else view[header + _QWHS_COUNT_AT]
