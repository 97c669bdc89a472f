"""Walk a dump: from the bytes of a file to complete records, with every byte accounted for.

A byte belongs to a record (its descriptor words included) or to a corrupt range.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump_file import Bytes, view_of
from mqcap.ingest.smf.framers import (
    COMPLETE,
    FIRST,
    LAST,
    ContiguousRecords,
    CorruptDataError,
    Segment,
)
from mqcap.ingest.smf.framing import DumpForm, form_at, next_form
from mqcap.ingest.smf.header_pattern import (
    DESCRIPTOR_BYTES,
    LONGEST_RECORD_BYTES,
    are_headers,
    is_header,
)

BATCH_BYTES: Final = 64 << 20
"""Content per batch: bounds the memory of decoding whatever the size of the file."""

_HEADLESS: Final = "no time and date of a record header behind the record descriptor word"
_LOST_SEGMENT: Final = frozenset({Corruption.lost_segment})


@dataclass(frozen=True)
class CorruptRange:
    """A range of content that is no part of any record that could be read."""

    byte_offset: int
    bytes_count: int
    reason: str
    """Description for people."""
    kinds: frozenset[Corruption] = frozenset()


@dataclass(frozen=True)
class Records:
    """Complete records in one buffer, as columns; offsets in a record count from its ``base``.

    ``base`` may be -4 for a record without descriptor word: bytes 0 to 3 are never read.
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

    def only(self, selected: NDArray[np.bool_]) -> Records:
        """Return the records where ``selected`` is set."""
        columns = (self.base, self.size, self.file_offset, self.file_bytes)
        return Records(self.buffer, *(values[selected] for values in columns))

    def copied(self) -> Records:
        """Return the same records in a buffer of their own, so that the content can be released."""
        content, unread = view_of(self.buffer), bytes(DESCRIPTOR_BYTES)
        begin, end = self.base + DESCRIPTOR_BYTES, self.base + self.size
        pieces = [
            piece
            for first, last in zip(begin.tolist(), end.tolist(), strict=True)
            for piece in (unread, content[first:last])
        ]
        return replace(
            self,
            buffer=np.frombuffer(b"".join(pieces), np.uint8),
            base=np.cumsum(self.size) - self.size,
        )


@dataclass
class Batch:
    """Records and corrupt ranges of one section of the content."""

    contiguous: ContiguousRecords = field(default_factory=ContiguousRecords)
    """Records in one piece."""
    joined: list[tuple[bytes, int, int]] = field(default_factory=list)
    """Content, offset in the file and bytes in the file of records joined from segments."""
    corrupt_ranges: list[CorruptRange] = field(default_factory=list)

    def records(self, content: Bytes) -> Iterator[Records]:
        """Yield the records in one piece, over the content itself, then the joined ones."""
        if self.contiguous.base:
            found = self.contiguous
            base, end, offset = map(np.array, (found.base, found.end, found.offset))
            yield Records(content, base, end - base, offset, end - offset)
        if self.joined:
            arena = np.frombuffer(b"".join(record for record, _, _ in self.joined), np.uint8)
            sizes = np.array([len(record) for record, _, _ in self.joined], dtype=np.int64)
            places = np.array([place for _, *place in self.joined], dtype=np.int64).T
            yield Records(arena, np.cumsum(sizes) - sizes, sizes, places[0], places[1])

    def records_before(self, byte_offset: int) -> int:
        """Return the number of records that begin before a position in the file."""
        contiguous = bisect_left(self.contiguous.offset, byte_offset)
        return contiguous + sum(offset < byte_offset for _, offset, _ in self.joined)


class DumpWalker:
    """A pass over a content; ``segmented`` is set afterwards if records were spanned.

    The form may change behind corrupt data: a file may be dumps that came in several ways.
    """

    def __init__(self, content: Bytes, form: DumpForm) -> None:
        self.content = content
        self.segmented = False
        self._view = view_of(content)
        self._forms = [(0, form)]
        """Where each form begins."""
        self._framer = form.framer(self._view)
        self.position = 0
        """Offset up to which the content has been walked."""
        self._last_start: int | None = None
        """Begin of the last complete record of the batch, while its length may still be wrong."""
        self._pieces: list[tuple[int, Segment]] = []
        self._batch = Batch()
        self._single_until = 0
        """Up to here each record is looked at by itself, as one of a bulk was none."""

    def batches(self, batch_bytes: int = BATCH_BYTES) -> Iterator[Batch]:
        """Yield all that the content holds, in batches of about ``batch_bytes``."""
        size = len(self.content)
        limit = min(size, batch_bytes)
        while True:
            while self.position < limit:
                if not self._pieces and self.position >= self._single_until:
                    self._read_contiguous(limit)
                if self.position < limit:
                    self._step()
            if self.position >= size:
                self._quarantine_pieces(
                    "the file ends before the last segment of the record", {Corruption.truncated}
                )
            if self._has_gone_back(limit):
                continue
            batch, self._batch, self._last_start = self._batch, Batch(), None
            yield batch
            if self.position >= size:
                return
            limit = min(size, self.position + batch_bytes)

    def _has_gone_back(self, limit: int) -> bool:
        """Return whether a record of the batch has no header, and go back to the first of them.

        Descriptor words alone are weak evidence: a block descriptor word looks like one.
        """
        contiguous = self._batch.contiguous
        base = np.array(contiguous.base, dtype=np.int64)
        headless = np.flatnonzero(~are_headers(self.content, base + DESCRIPTOR_BYTES))
        if not len(headless):
            return False
        first = int(headless[0])
        start = contiguous.offset[first]
        segment = Segment(COMPLETE, contiguous.base[first], contiguous.end[first])
        contiguous.keep(first)
        batch = self._batch
        batch.joined = [record for record in batch.joined if record[1] < start]
        batch.corrupt_ranges = [part for part in batch.corrupt_ranges if part.byte_offset < start]
        self._pieces.clear()
        is_behind_record = first > 0 and contiguous.end[-1] == start
        self._last_start = contiguous.offset[-1] if is_behind_record else None
        self.position, self._single_until = start, limit
        while len(self._forms) > 1 and self._forms[-1][0] > start:
            self._forms.pop()
            self._framer = self._forms[-1][1].framer(self._view)
        self._recover(CorruptDataError(_HEADLESS), segment)
        return True

    def _read_contiguous(self, limit: int) -> None:
        found = self._batch.contiguous
        self.position = self._framer.read_contiguous(self.position, limit, found)
        if found.offset and found.end[-1] == self.position:
            self._last_start = found.offset[-1]

    def _step(self) -> None:
        start = self.position
        try:
            segment = self._framer.segment(start)
            if segment.code in {COMPLETE, FIRST} and not is_header(
                self._view, segment.base + DESCRIPTOR_BYTES
            ):
                self._recover(CorruptDataError(_HEADLESS), segment)
                return
        except CorruptDataError as error:
            base = self._batch.contiguous.base
            ends_headless = base and not is_header(self._view, base[-1] + DESCRIPTOR_BYTES)
            if not (ends_headless and self._has_gone_back(start)):
                self._recover(error)
            return
        if segment.code == COMPLETE:
            self._quarantine_pieces()
            self._batch.contiguous.add(segment.base, segment.end, start)
            self._last_start = start
        else:
            self._take_piece(start, segment)
        self.position = segment.end

    def _take_piece(self, start: int, segment: Segment) -> None:
        self.segmented = True
        self._last_start = None
        if segment.code == FIRST:
            self._quarantine_pieces()
        elif not self._pieces:
            reason = "a segment without the first one of its record"
            self._quarantine(start, segment.end, reason, _LOST_SEGMENT)
            return
        self._pieces.append((start, segment))
        if segment.code != LAST:
            return
        at = [slice(piece.base + DESCRIPTOR_BYTES, piece.end) for _, piece in self._pieces]
        parts = [self.content[part].tobytes() for part in at]
        record = b"".join([bytes(DESCRIPTOR_BYTES), *parts])
        if len(record) > LONGEST_RECORD_BYTES:
            self._quarantine_pieces(f"segments that add up to {len(record)} bytes")
            return
        first = self._pieces[0][0]
        self._batch.joined.append((record, first, segment.end - first))
        self._pieces.clear()

    def _quarantine_pieces(
        self,
        reason: str = "a record without its last segment",
        kinds: AbstractSet[Corruption] = _LOST_SEGMENT,
    ) -> None:
        if self._pieces:
            self._quarantine(self._pieces[0][0], self._pieces[-1][1].end, reason, kinds)
            self._pieces.clear()

    def _recover(self, error: CorruptDataError, headless: Segment | None = None) -> None:
        """Find the next plausible record; it may begin inside a last one of wrong length.

        Or a dump of another form begins here, or behind the corrupt data. ``headless`` is a record
        of plausible length without a header.
        """
        reason, kinds = error.reason, error.kinds
        self._quarantine_pieces(
            f"a record without its last segment: {reason}", kinds | _LOST_SEGMENT
        )
        start = self.position
        goes_on = headless is None and self._framer.resume(start) == start
        if not goes_on and (form := form_at(self._view, start)) is not None:
            self._change_form(form, start)
            return
        suspect = self._last_start
        resumed = self._framer.resume(start + 1 if suspect is None else suspect + 1)
        if headless is not None and self._is_alone(headless, resumed):
            resumed, kinds = headless.end, frozenset({Corruption.wrong_content})
        elif headless is not None:
            kinds = frozenset({Corruption.wrong_length})
        found = next_form(self._view, start + 1)
        header = resumed + self._forms[-1][1].header_at
        if found is not None and found[1] < resumed and found[1] + found[0].header_at < header:
            # the same header may seem to be in a block: of corrupt bytes half look like a word
            form, resumed = found
            self._change_form(form, resumed)
        if suspect is not None and resumed < start:
            contiguous = self._batch.contiguous
            contiguous.keep(len(contiguous.base) - 1)
            start, reason = suspect, f"a record with a wrong length: behind it {reason}"
            kinds |= {Corruption.wrong_length}
        self._last_start = None
        self._quarantine(start, resumed, reason, kinds)
        self.position = resumed

    def _is_alone(self, headless: Segment, resumed: int) -> bool:
        """Return whether descriptor words lead from a record without header to the next one."""
        position = headless.end
        while position < resumed:
            try:
                position = self._framer.segment(position).end
            except CorruptDataError:
                return False
        return position == resumed

    def _change_form(self, form: DumpForm, position: int) -> None:
        self._forms.append((position, form))
        self._framer, self._last_start = form.framer(self._view), None

    def _quarantine(
        self, start: int, end: int, reason: str, kinds: AbstractSet[Corruption]
    ) -> None:
        """Quarantine a range of bytes; a wrong block length alone may cost none."""
        if end > start:
            self._batch.corrupt_ranges.append(
                CorruptRange(start, end - start, reason, frozenset(kinds))
            )
