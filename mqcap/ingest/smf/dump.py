"""Walking a dump: from the bytes of a file to whole records, with every byte accounted for.

A byte belongs to a record (its descriptor words included) or to a damage. Records come in
batches over one buffer, so that all that follows can work on columns.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.contiguous_records import Runs
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.framers import COMPLETE, FIRST, LAST, DamageError, Framer, Segment
from mqcap.ingest.smf.header_pattern import DESCRIPTOR_BYTES, LONGEST_RECORD_BYTES

BATCH_BYTES: Final = 64 << 20
"""Content per batch: bounds the memory of decoding whatever the size of the file."""


@dataclass(frozen=True)
class Damage:
    """A run of content that is no part of any record that could be read."""

    byte_offset: int
    bytes_count: int
    reason: str


@dataclass(frozen=True)
class Records:
    """Whole records in one buffer, as columns; offsets in a record count from its ``base``.

    ``base`` may be -4 for a record without descriptor word: bytes 0 to 3 are never looked at.
    """

    buffer: Bytes
    base: NDArray[np.int64]
    size: NDArray[np.int64]
    """Bytes from ``base`` to the end of the record."""
    file_offset: NDArray[np.int64]
    file_bytes: NDArray[np.int64]
    """Bytes of the content that belong to the record, descriptor words included."""

    def __len__(self) -> int:
        return len(self.base)

    def only(self, kept: NDArray[np.bool_]) -> Records:
        """Return the records where ``kept`` is set."""
        return Records(
            self.buffer,
            self.base[kept],
            self.size[kept],
            self.file_offset[kept],
            self.file_bytes[kept],
        )


@dataclass
class Batch:
    """What a stretch of the content held."""

    whole: Runs = field(default_factory=Runs)
    """Records in one piece."""
    joined: list[tuple[bytes, int, int]] = field(default_factory=list)
    """Content, offset in the file and bytes in the file of records put together."""
    damages: list[Damage] = field(default_factory=list)

    def records(self, content: Bytes) -> Iterator[Records]:
        """Yield the records in one piece, over the content itself, then those put together."""
        if self.whole.base:
            base = np.array(self.whole.base, dtype=np.int64)
            end = np.array(self.whole.end, dtype=np.int64)
            offset = np.array(self.whole.offset, dtype=np.int64)
            yield Records(content, base, end - base, offset, end - offset)
        if self.joined:
            arena = np.frombuffer(b"".join(record for record, _, _ in self.joined), np.uint8)
            sizes = np.array([len(record) for record, _, _ in self.joined], dtype=np.int64)
            places = np.array([place for _, *place in self.joined], dtype=np.int64).T
            yield Records(arena, np.cumsum(sizes) - sizes, sizes, places[0], places[1])

    def records_before(self, byte_offset: int) -> int:
        """How many of the records begin before a place in the file."""
        whole = bisect_left(self.whole.offset, byte_offset)
        return whole + sum(offset < byte_offset for _, offset, _ in self.joined)


@dataclass
class DumpWalker:
    """One pass over a content; ``segmented`` tells afterwards whether records were spanned."""

    content: Bytes
    framer: Framer
    segmented: bool = False
    _position: int = 0
    _last_start: int | None = None
    """Where the last whole record of the batch began, while it may still be doubted."""
    _pieces: list[tuple[int, Segment]] = field(default_factory=list)
    _batch: Batch = field(default_factory=Batch)

    @property
    def position(self) -> int:
        """How far the content has been walked."""
        return self._position

    def batches(self, batch_bytes: int = BATCH_BYTES) -> Iterator[Batch]:
        """Yield all that the content holds, in stretches of about ``batch_bytes``."""
        size = len(self.content)
        limit = batch_bytes
        while self._position < size:
            if self._position >= limit:
                limit = self._position + batch_bytes
                yield self._hand_over()
            if not self._pieces:
                self._run(limit)
            if self._position < min(size, limit):
                self._step()
        self._give_up_pieces("the file ends before the last segment of the record")
        yield self._hand_over()

    def _hand_over(self) -> Batch:
        """Return the batch so far, leaving an empty one."""
        batch, self._batch = self._batch, Batch()
        self._last_start = None
        return batch

    def _run(self, limit: int) -> None:
        """Take whole records at speed, up to the first place where there may be none."""
        self._position = self.framer.run(self._position, limit, self._batch.whole)
        if self._batch.whole.offset and self._batch.whole.end[-1] == self._position:
            self._last_start = self._batch.whole.offset[-1]

    def _step(self) -> None:
        """Take one segment, or one damage."""
        start = self._position
        try:
            segment = self.framer.segment(start)
        except DamageError as damage:
            self._recover(damage.reason)
            return
        if segment.code == COMPLETE:
            if self._pieces:
                self._give_up_pieces("a record without its last segment")
            self._batch.whole.add(segment.base, segment.end, start)
            self._last_start = start
        else:
            self._take_piece(start, segment)
        self._position = segment.end

    def _take_piece(self, start: int, segment: Segment) -> None:
        """Add a segment to the record in the making, and finish it with the last one."""
        self.segmented = True
        self._last_start = None
        if segment.code == FIRST:
            self._give_up_pieces("a record without its last segment")
        elif not self._pieces:
            self._damage(start, segment.end, "a segment without the first one of its record")
            return
        self._pieces.append((start, segment))
        if segment.code == LAST:
            self._join()

    def _join(self) -> None:
        """Put the pieces together behind a blank descriptor word."""
        first = self._pieces[0][0]
        data = [
            self.content[piece.base + DESCRIPTOR_BYTES : piece.end].tobytes()
            for _, piece in self._pieces
        ]
        record = b"".join([bytes(DESCRIPTOR_BYTES), *data])
        if len(record) > LONGEST_RECORD_BYTES:
            self._give_up_pieces(f"segments that add up to {len(record)} bytes")
            return
        self._batch.joined.append((record, first, self._pieces[-1][1].end - first))
        self._pieces.clear()

    def _give_up_pieces(self, reason: str) -> None:
        """Quarantine the segments of a record that never became whole."""
        if self._pieces:
            self._damage(self._pieces[0][0], self._pieces[-1][1].end, reason)
            self._pieces.clear()

    def _recover(self, reason: str) -> None:
        """Find the next believable record; it may begin inside the last one, if that lied."""
        self._give_up_pieces(f"a record without its last segment: {reason}")
        start = self._position
        doubted = self._last_start
        found = self.framer.resume(start + 1 if doubted is None else doubted + 1)
        if doubted is not None and found < start:
            self._batch.whole.pop()
            start, reason = doubted, f"a record with a wrong length: behind it {reason}"
        self._last_start = None
        self._damage(start, found, reason)
        self._position = found

    def _damage(self, start: int, end: int, reason: str) -> None:
        """Put a run of bytes aside; a wrong block length alone may cost none."""
        if end > start:
            self._batch.damages.append(Damage(start, end - start, reason))
