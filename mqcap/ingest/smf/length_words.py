"""Records behind a length of another form than a record descriptor word.

Record-mode downloads (z/OSMF, Zowe) put a binary length of four bytes before each record, which
neither counts itself nor keeps the descriptor word; other tools write two bytes, exchange their
order, count them or leave the descriptor word behind them. The headers tell which form it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from mqcap.ingest.smf.contiguous_records import ContiguousRecords
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.framers import COMPLETE, CorruptDataError, Segment
from mqcap.ingest.smf.header_pattern import (
    DESCRIPTOR_BYTES,
    LONGEST_RECORD_BYTES,
    SHORTEST_RECORD_BYTES,
    candidates,
    is_header,
)

_ORDERS: Final[tuple[Literal["big", "little"], ...]] = ("big", "little")
_BYTES_OF_LENGTH: Final = 2
"""No record is longer than two bytes can tell; the others of four are zero."""


@dataclass(frozen=True)
class LengthWord:
    """A form of the length before each record."""

    bytes_count: int
    order: Literal["big", "little"]
    length_at: int
    """Place of the two bytes that hold the length; the others are zero."""
    counts_itself: bool
    keeps_rdw: bool
    """The descriptor word of the record follows."""

    @property
    def header_at(self) -> int:
        """Offset of the flag byte of the record."""
        return self.bytes_count + (DESCRIPTOR_BYTES if self.keeps_rdw else 0)

    def size(self, view: memoryview, position: int) -> int:
        """Return the bytes from the word to the end of its record; 0 when it is no length."""
        word = bytes(view[position : position + self.bytes_count])
        length = word[self.length_at : self.length_at + _BYTES_OF_LENGTH]
        if any(word[: self.length_at]) or any(word[self.length_at + _BYTES_OF_LENGTH :]):
            return 0
        return int.from_bytes(length, self.order) + (0 if self.counts_itself else len(word))


def _forms() -> tuple[LengthWord, ...]:
    words = (
        LengthWord(size, order, at, counts_itself, keeps_rdw)
        for keeps_rdw, (size, at), order, counts_itself in product(
            (False, True), ((4, 2), (4, 0), (2, 0)), _ORDERS, (False, True)
        )
    )
    descriptor_words = {LengthWord(4, order, 0, True, False) for order in _ORDERS}
    return tuple(word for word in words if word not in descriptor_words)


LENGTH_WORDS: Final = _forms()
"""All forms but that of descriptor words themselves."""


@dataclass
class LengthFramer:
    """Complete records, each behind a length."""

    view: memoryview
    word: LengthWord

    def read_contiguous(self, position: int, limit: int, records: ContiguousRecords) -> int:
        """Add records up to the limit, or up to anything else."""
        while position < limit:
            try:
                _, base, end = self.segment(position)
            except CorruptDataError:
                break
            records.add(base, end, position)
            position = end
        return position

    def segment(self, position: int) -> Segment:
        """Return the record whose length is here."""
        view, word = self.view, self.word
        if len(view) - position < word.header_at:
            raise CorruptDataError("the file ends inside a record length", Corruption.truncated)
        size = word.size(view, position)
        base = position + word.header_at - DESCRIPTOR_BYTES
        end = position + size
        kept = bytes(view[base : base + _BYTES_OF_LENGTH])
        if (
            not SHORTEST_RECORD_BYTES <= end - base <= LONGEST_RECORD_BYTES
            or not is_header(view, base + DESCRIPTOR_BYTES)
            or (
                word.keeps_rdw
                and end - base not in {int.from_bytes(kept, order) for order in _ORDERS}
            )
        ):
            raise CorruptDataError(
                "no record length with a record header behind it", Corruption.wrong_length
            )
        if end > len(view):
            raise CorruptDataError(
                f"the file ends {end - len(view)} bytes before the record does",
                Corruption.truncated,
            )
        return Segment(COMPLETE, base, end)

    def resume(self, start: int) -> int:
        """Return the next plausible record that is followed by another one or by the end."""
        size = len(self.view)
        first = start + self.word.header_at
        for flag_at in candidates(self.view, first, with_rdw=False):
            position = flag_at - self.word.header_at
            try:
                end = self.segment(position).end
                if end == size or self.segment(end).end:
                    return position
            except CorruptDataError:
                continue
        return size
