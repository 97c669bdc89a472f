"""SMF dumps as a source of tables: MQ records, and RMF activity of facilities and of cache."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.domain.datasets import QUARANTINE
from mqcap.domain.errors import InputError
from mqcap.domain.source import Reading, SourceSummary
from mqcap.ingest.shown_reading import at_position
from mqcap.ingest.smf.borrowed_intervals import WITHOUT_TIMES, IntervalLender
from mqcap.ingest.smf.clock import NOT_SET, TimeRange
from mqcap.ingest.smf.corruption import OF_WHOLE_RECORDS, Corruption
from mqcap.ingest.smf.dump import BATCH_BYTES, Batch, CorruptRange, DumpWalker, Records
from mqcap.ingest.smf.dump_file import Content, open_content, read_head, view_of
from mqcap.ingest.smf.framing import DumpForm, Framing, detect
from mqcap.ingest.smf.header import read_heads
from mqcap.ingest.smf.kinds import (
    CF_ACTIVITY,
    MQ_ACCOUNTING,
    MQ_STATISTICS,
    Kind,
    decoded_kinds,
)
from mqcap.ingest.smf.layout import field_of, layouts
from mqcap.ingest.smf.quarantine import QUARANTINE_SCHEMA, AlikeProblems, quarantine_row
from mqcap.ingest.smf.record_heads import Interval
from mqcap.ingest.smf.sections import Piece, decode_sections, find_sections
from mqcap.ingest.smf.split_records import SplitRecords

_TRUNCATED_REMEDY: Final = "The dump job or the transfer stopped early: ask for the dump again."
_FLAG_AT: Final = field_of("SMFHDRST", "flg").offset
_TYPE_AT: Final = field_of("SMFHDRST", "rty").offset
_SUBTYPE_AT: Final = field_of("SMFHDRST", "sty").offset
_HAS_SUBTYPE: Final = 0x40
_NO_SUBTYPE: Final = -1
_UNDOCUMENTED: Final = frozenset({Kind(MQ_STATISTICS, 240)})
"""Kinds that queue managers write for IBM's own use: counted, and not a problem."""


@dataclass
class SmfReading:
    """A pass over one dump."""

    content: Content
    form: DumpForm
    file_sha256: str
    batch_bytes: int = BATCH_BYTES
    decoded_bytes: int = 0
    skipped_bytes: int = 0
    quarantined_bytes: int = 0
    impossible_bytes: int = 0
    record_count: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    skipped: Counter[Kind] = field(default_factory=Counter)
    longer: Counter[str] = field(default_factory=Counter)
    corrupt_range_problems: AlikeProblems = field(default_factory=AlikeProblems)
    corruptions: set[Corruption] = field(default_factory=set)
    """What the corrupt ranges show of the file."""
    times: TimeRange = field(default_factory=TimeRange)
    lender: IntervalLender = field(default_factory=IntervalLender)
    split_records: SplitRecords = field(default_factory=SplitRecords)
    is_spanned: bool = False

    @property
    def framing(self) -> Framing:
        """The framing of the records, as far as they were read."""
        is_spanned = self.is_spanned and self.form.framing is Framing.RDW
        return Framing.RDWSEG if is_spanned else self.form.framing

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield tables of about ``batch_bytes`` of the dump at a time; texts are dictionaries."""
        walker = DumpWalker(self.content.data, self.form)
        begin = 0
        for batch in walker.batches(self.batch_bytes):
            corrupt = list(batch.corrupt_ranges)
            earlier = self.record_count
            pieces: list[Piece] = []
            for records in batch.records(self.content.data):
                pieces.extend(self._decode(records, corrupt))
            pieces.extend(self._quarantine(corrupt, batch, earlier))
            pieces.extend(self._deferred())
            yield from self._tables(pieces, begin, walker.position)
            self.content.release(begin, walker.position)
            begin = walker.position
        yield from self._tables(list(self._deferred()), begin, begin)
        self.is_spanned = walker.segmented

    def _tables(
        self, pieces: Sequence[Piece], begin: int, end: int
    ) -> Iterator[tuple[str, pa.Table]]:
        """Yield the tables of a batch, and show how much has been decoded."""
        for number, piece in enumerate(pieces, start=1):
            table = piece.decode()
            self.rows[piece.dataset] += table.num_rows
            if table.num_rows:
                yield piece.dataset, table
            at_position(begin + (end - begin) * number // len(pieces))

    def summary(self) -> SourceSummary:
        """Return the summary of the dump; complete once all tables were read."""
        first_utc, last_utc = self.times.span()
        return SourceSummary(
            framing=self.framing.value,
            content_bytes=len(self.content.data),
            decoded_bytes=self.decoded_bytes,
            skipped_bytes=self.skipped_bytes,
            quarantined_bytes=self.quarantined_bytes,
            impossible_bytes=self.impossible_bytes,
            record_count=self.record_count,
            rows_by_dataset=dict(sorted(self.rows.items())),
            first_interval_utc=first_utc,
            last_interval_utc=last_utc,
            hour_dates=self.times.dates(),
            problems=tuple(self._problems()),
        )

    def _deferred(self) -> Iterator[Piece]:
        """End a batch for the records that had to wait for the times of others."""
        for heads, spans in self.split_records.end_batch():
            yield from decode_sections(heads, spans, self.file_sha256)
        for heads, spans in self.lender.end_batch():
            self._note_times(heads.interval, heads.faults.sound)
            yield from decode_sections(heads, spans, self.file_sha256)

    def _decode(self, records: Records, corrupt: list[CorruptRange]) -> Iterator[Piece]:
        self.record_count += len(records)
        codes = _kind_codes(records)
        for code in np.unique(codes).tolist():
            some = records.only(codes == code)
            record_type, subtype = divmod(code, 1 << 17)
            kind = Kind(record_type, subtype + _NO_SUBTYPE)
            if kind not in decoded_kinds():
                self.skipped[kind] += len(some)
                self.skipped_bytes += int(some.file_bytes.sum())
                continue
            yield from self._decode_kind(some, kind, corrupt)

    def _decode_kind(
        self, records: Records, kind: Kind, corrupt: list[CorruptRange]
    ) -> Iterator[Piece]:
        has_times = kind not in WITHOUT_TIMES
        heads = read_heads(records if has_times else records.copied(), kind)
        spans = find_sections(heads)
        sound = heads.faults.sound
        corrupt.extend(
            CorruptRange(
                int(records.file_offset[row]),
                int(records.file_bytes[row]),
                f"a record {kind} that cannot be decoded: {reason}",
                frozenset(() if shown is None else {shown}),
            )
            for row, (reason, shown) in heads.faults.found.items()
        )
        self.decoded_bytes += int(records.file_bytes[sound].sum())
        self.longer.update(heads.longer)
        if not has_times:
            self.lender.defer(heads, spans)
            return
        self.lender.add(heads)
        self._note_times(heads.interval, sound)
        if kind == CF_ACTIVITY:
            self.split_records.defer(heads, spans)
            return
        yield from decode_sections(heads, spans, self.file_sha256)

    def _note_times(self, interval: Interval, sound: NDArray[np.bool_]) -> None:
        has_interval = sound & (interval.length_us != NOT_SET)
        if not has_interval.any():
            return
        start, end = interval.start_us[has_interval], interval.end_us[has_interval]
        self.times.add(int(start.min()), int(end.max()))
        self.times.add_days(start)
        self.times.add_days(end - 1)

    def _quarantine(
        self, ranges: list[CorruptRange], batch: Batch, earlier_records: int
    ) -> Iterator[Piece]:
        """Yield the quarantine rows of a batch; the first ranges also become sentences."""
        if not ranges:
            return
        ranges.sort(key=lambda corrupt: corrupt.byte_offset)
        for corrupt in ranges:
            self.corruptions |= corrupt.kinds
            self.quarantined_bytes += corrupt.bytes_count
            if corrupt.kinds & OF_WHOLE_RECORDS:
                self.impossible_bytes += corrupt.bytes_count
            sentence = partial(self._sentence, corrupt, batch, earlier_records)
            self.corrupt_range_problems.add(corrupt.reason, sentence)
        content = self.content.data
        rows = [
            quarantine_row(self.file_sha256, begin, size, corrupt.reason, content[begin:][:size])
            for corrupt in ranges
            for begin, size in [(corrupt.byte_offset, corrupt.bytes_count)]
        ]
        table = pa.Table.from_pylist(rows, schema=QUARANTINE_SCHEMA)
        yield Piece(QUARANTINE.name, lambda: table)

    def _sentence(self, corrupt: CorruptRange, batch: Batch, earlier_records: int) -> str:
        error = InputError(
            corrupt.reason,
            file=self.content.file,
            record=earlier_records + batch.records_before(corrupt.byte_offset) + 1,
            byte_offset=corrupt.byte_offset,
            found=f"{corrupt.bytes_count} bytes quarantined",
            remedy=_TRUNCATED_REMEDY if Corruption.truncated in corrupt.kinds else "",
        )
        return str(error)

    def _problems(self) -> Iterator[str]:
        if self.content.problem:
            yield self.content.problem
        yield from self.corrupt_range_problems.sentences()
        for name, count in sorted((+self.longer).items()):
            yield (
                f"{count} {name} sections are longer than the {layouts()[name].length} bytes that"
                " are known (a newer product version); the rest of them was not read."
            )
        yield from self.split_records.problems()
        for kind, count in sorted(self.skipped.items()):
            if kind.record_type in {MQ_STATISTICS, MQ_ACCOUNTING} and kind not in _UNDOCUMENTED:
                yield f"{count} records of the unknown kind {kind} were skipped."


class SmfSource:
    """SMF dumps in any framing."""

    name = "smf"
    order = 0
    title = "SMF dump"
    description = "an SMF dump"

    def accepts(self, path: Path) -> bool:
        """Return whether the file is an SMF dump."""
        head = read_head(path)
        return bool(head) and detect(memoryview(head)) is not None

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading; raises InputError when the file is no dump that can be read."""
        content = open_content(path)
        form = detect(view_of(content.data))
        if form is None:
            raise InputError("not an SMF dump", file=path.name)
        return SmfReading(content, form, file_sha256)


SOURCE: Final = SmfSource()


def _kind_codes(records: Records) -> NDArray[np.int64]:
    buffer, base = records.buffer, records.base
    record_type = buffer[base + _TYPE_AT].astype(np.int64)
    has_subtype = (records.size >= _SUBTYPE_AT + 2) & (buffer[base + _FLAG_AT] & _HAS_SUBTYPE != 0)
    place = np.where(has_subtype, base + _SUBTYPE_AT, base + _FLAG_AT)
    subtype = buffer[place].astype(np.int64) << 8 | buffer[place + 1]
    codes: NDArray[np.int64] = (
        record_type << 17 | np.where(has_subtype, subtype, _NO_SUBTYPE) - _NO_SUBTYPE
    )
    return codes
