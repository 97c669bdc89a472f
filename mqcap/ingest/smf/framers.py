"""The four framings of records in a file, each able to read the next record and resynchronise.

A framer cuts the content into *segments*: a complete record, or the first, middle or last piece
of one. ``base`` of a segment is where its 4-byte descriptor word is (or would be), so
that offsets inside a record, which count from there, can be added to it.
"""

import struct
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from mqcap.ingest.smf.contiguous_records import ContiguousRecords, take_contiguous
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
    read_little_rdw,
    read_rdw,
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


class Framer(Protocol):
    """A framing over one content."""

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add records that are complete and sound as far as ``segment`` would judge.

        Stops at ``limit`` or at anything else than such a record, and returns that place; a
        framer may stop earlier, or find none.
        """

    def segment(self, position: int) -> Segment:
        """Return the segment at this position; raises CorruptDataError when there is none."""

    def resume(self, start: int) -> int:
        """Return the first position from ``start`` on where reading can resume, or the end."""


@dataclass
class RdwFramer:
    """Records or segments with descriptor words, one after another.

    ``little``: some step exchanged the bytes of their lengths.
    """

    view: memoryview
    little: bool = False

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add complete records one after another."""
        size = len(self.view)
        return take_contiguous(
            self.view, position, min(limit, size), size, records, little=self.little
        )

    def segment(self, position: int) -> Segment:
        """Return the segment whose descriptor word is here."""
        return _segment(self.view, position, len(self.view), little=self.little)

    def resume(self, start: int) -> int:
        """Return the next plausible record that is followed by a plausible one."""
        return next(
            (
                place
                for place in candidates(self.view, start, with_rdw=True)
                if _holds(self.view, place, little=self.little)
            ),
            len(self.view),
        )


@dataclass
class BdwFramer:
    """Blocks with a descriptor word that hold segments; the block word counts to its segment."""

    view: memoryview
    block_end: int | None = 0
    """End of the current block; ``None`` while unknown after corrupt data."""
    little: bool = False

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add the complete records that are left of the current block."""
        if self.block_end is None or position >= self.block_end:
            return position
        end = self.block_end
        return take_contiguous(
            self.view, position, min(limit, end), end, records, little=self.little
        )

    def segment(self, position: int) -> Segment:
        """Return the segment at this place, behind a block descriptor word where there is one."""
        little = self.little
        if self.block_end is None and _is_block(self.view, position, little=little):
            self.block_end = position
        if self.block_end is not None and position >= self.block_end:
            self.block_end = _block_end(self.view, position, little=little)
            position += DESCRIPTOR_BYTES
        limit = len(self.view) if self.block_end is None else self.block_end
        return _segment(self.view, position, limit, little=little)

    def resume(self, start: int) -> int:
        """Return the next plausible record, with its block word when there is one before it."""
        for place in candidates(self.view, start, with_rdw=True):
            if not _holds(self.view, place, little=self.little):
                continue
            block = place - DESCRIPTOR_BYTES
            self.block_end = None
            has_block = block >= start and _is_complete_block(self.view, block, little=self.little)
            return block if has_block else place
        return len(self.view)


@dataclass
class NordwFramer:
    """Records without descriptor words: only the triplets of a record give its end."""

    view: memoryview

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:  # noqa: ARG002 - nothing is
        """Add nothing: every record has to be read for its length."""
        return position

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
        if end > len(self.view):
            raise CorruptDataError(
                f"the file ends {end - len(self.view)} bytes before the record does",
                Corruption.truncated,
            )
        return Segment(COMPLETE, base, end)

    def resume(self, start: int) -> int:
        """Return the next plausible record that ends where another begins, or at the end."""
        for place in candidates(self.view, start, with_rdw=False):
            try:
                end = self.segment(place).end
            except CorruptDataError:
                continue
            if end == len(self.view) or is_bare_header(self.view, end):
                return place
        return len(self.view)


def _segment(view: memoryview, position: int, limit: int, *, little: bool) -> Segment:
    """Return the segment whose descriptor word is here and that must end by ``limit``."""
    if len(view) - position < DESCRIPTOR_BYTES:
        raise CorruptDataError(
            "the file ends inside a record descriptor word", Corruption.truncated
        )
    length, code, zero = _rdw(view, position, little=little)
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
    if end > limit:
        place = "file" if limit == len(view) else "block"
        raise CorruptDataError(
            f"the {place} ends {end - limit} bytes before the record does",
            Corruption.truncated if limit == len(view) else None,
        )
    return Segment(code, position, end)


def _rdw(view: memoryview, position: int, *, little: bool) -> tuple[int, int, int]:
    """Return length, segment code and the zero byte of a record descriptor word."""
    values: tuple[int, int, int] = (read_little_rdw if little else read_rdw)(view, position)
    return values


def _holds(view: memoryview, position: int, *, little: bool) -> bool:
    """Return whether the segment here is sound and what follows it is, too."""
    try:
        _, _, end = _segment(view, position, len(view), little=little)
    except CorruptDataError:
        return False
    if end == len(view) or _is_block(view, end, little=little):
        return True
    if len(view) - end < DESCRIPTOR_BYTES:
        return False
    length, code, zero = _rdw(view, end, little=little)
    if zero or length < SHORTEST_SEGMENT_BYTES or code > MIDDLE:
        return False
    return code in {LAST, MIDDLE} or is_header(view, end + DESCRIPTOR_BYTES)


def _is_block(view: memoryview, position: int, *, little: bool) -> bool:
    """Return whether a block descriptor word followed by a segment is here."""
    try:
        end = _block_end(view, position, little=little)
        code, base, _ = _segment(view, position + DESCRIPTOR_BYTES, end, little=little)
    except CorruptDataError:
        return False
    return code in {LAST, MIDDLE} or is_header(view, base + DESCRIPTOR_BYTES)


def _is_complete_block(view: memoryview, position: int, *, little: bool) -> bool:
    """Return whether the segments behind a block descriptor word fill its block, as far as checked.

    Used where a block is searched for: any bytes with the first bit set may be the length of a
    large one. A block that is not recognised costs its four bytes and no record.
    """
    if not _is_block(view, position, little=little):
        return False
    end, place = _block_end(view, position, little=little), position + DESCRIPTOR_BYTES
    checked_end = min(end, place + _CHECKED_BYTES)
    while place < checked_end:
        try:
            code, base, behind = _segment(view, place, end, little=little)
        except CorruptDataError:
            return False
        if code in {COMPLETE, FIRST} and not is_header(view, base + DESCRIPTOR_BYTES):
            return False
        place = behind
    return True


def _block_end(view: memoryview, position: int, *, little: bool) -> int:
    """Return the end of the block that begins here; large blocks carry their length in 31 bits."""
    if len(view) - position < DESCRIPTOR_BYTES:
        raise CorruptDataError("the file ends inside a block descriptor word", Corruption.truncated)
    raw = bytes(view[position : position + DESCRIPTOR_BYTES])
    word = int.from_bytes(raw[1::-1] + raw[2:] if little else raw, "big")
    large = bool(word & _LARGE_BLOCK)
    length = word & ~_LARGE_BLOCK if large else word >> 16
    if (not large and word & 0xFFFF) or length < DESCRIPTOR_BYTES + SHORTEST_SEGMENT_BYTES:
        raise CorruptDataError(
            "no block descriptor word where the block before ends", Corruption.wrong_length
        )
    if position + length > len(view):
        missing = position + length - len(view)
        if _segment_begins(view, position + DESCRIPTOR_BYTES, little=little):
            return len(view)
        raise CorruptDataError(
            f"the file ends {missing} bytes before the block does", Corruption.truncated
        )
    return position + length


def _segment_begins(view: memoryview, position: int, *, little: bool) -> bool:
    """Return whether a complete segment is here, so that a truncated block is read to its end."""
    try:
        _segment(view, position, len(view), little=little)
    except CorruptDataError:
        return False
    return True


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
