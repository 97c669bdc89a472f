"""Find the sections of many records at once, judge their values and decode them to tables.

A triplet gives the offset and distance of sections; the length inside a section (bytes 2 and
3, where a section has an eye catcher) gives the existing fields. One unsound section makes its
complete record unsound: a record is decoded entirely or quarantined.

So does a value that no record of a running system has. What passes here can be added and
multiplied by all that reads it; integers of 32 bits always can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.domain.datasets import CACHE_SECTION_COLUMNS, CF_SECTION_COLUMNS, SECTION_COLUMNS
from mqcap.ingest.smf.arrow import column, taken
from mqcap.ingest.smf.clock import Flags, Ints, hfp_to_float
from mqcap.ingest.smf.columns import CODE_PAGE, Run, runs_of
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.decode import decode_block, section_schema
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.header import QWHC_BYTES, SHORT_QWHS_BYTES
from mqcap.ingest.smf.kinds import CACHE_ACTIVITY, CF_ACTIVITY, Kind, decoded_kinds
from mqcap.ingest.smf.layout import FieldType, Layout, layouts
from mqcap.ingest.smf.record_heads import ARROW_TYPES, Heads, front_columns, triplets
from mqcap.ingest.smf.strided_read import strided_rows

_LENGTH_SHIFT: Final = 32
_LENGTH_MASK: Final = 0xFFFF
_EYECATCHER_MASK: Final = 0xFFFF_FFFF
TABLE_VALUES_MAX: Final = 1 << 22
"""Values of one structure that are decoded at once, 32 MiB at most: bounds the memory (ours)."""
SHORTEST_SECTION_BYTES: Final = 8
"""Block id, length and eye catcher, or the shortest section without them (R744X)."""

KINDS_WITH_USER: Final = frozenset({Kind(116, 0), Kind(116, 1), Kind(116, 2)})
_FRONT: Final[Mapping[Kind, dict[str, str]]] = MappingProxyType(
    {CF_ACTIVITY: CF_SECTION_COLUMNS, CACHE_ACTIVITY: CACHE_SECTION_COLUMNS}
)
"""Front columns of the kinds that no queue manager writes."""
POSSIBLE_BELOW: Final = 1 << 48
"""No count of an interval, no number of bytes or MiB reaches it (ours: 256 TiB)."""
_HIGHEST_EXPONENT: Final = 64 + 12
"""Of hexadecimal floats below ``POSSIBLE_BELOW``; a sign makes the byte larger."""
_FLOATS: Final = frozenset({FieldType.HFP64, FieldType.HFP32})
_INTEGERS: Final = frozenset({FieldType.U64, FieldType.I64})
_NO_COUNTS: Final = frozenset({"QSRS"})
"""Its large values are limits and cushions of 64-bit storage, a tenth of all addresses and more."""
_SIGN: Final = 0x80
_SUM_OF_SQUARES: Final = "squ"


@dataclass(frozen=True)
class Span:
    """Sections of one structure, one value per section."""

    layout: Layout
    record: NDArray[np.int64]
    """Row of the record in its group."""
    offset: NDArray[np.int64]
    """Place in the buffer."""
    length: NDArray[np.int64]
    """Bytes that hold fields."""
    index: NDArray[np.int64]
    """Position among the sections of its triplet."""

    def where(self, rows: Flags | slice) -> Span:
        """Return some of the sections."""
        return Span(
            self.layout, self.record[rows], self.offset[rows], self.length[rows], self.index[rows]
        )


Deferred = tuple[Heads, list[Span]]
"""Records whose sections wait for what other records tell of them."""


class Piece(NamedTuple):
    """A table that is not decoded yet; its texts will be dictionaries."""

    dataset: str
    decode: Callable[[], pa.Table]


@lru_cache(maxsize=256)
def dataset_schema(layout: Layout) -> pa.Schema:
    """Return the full schema of the dataset of a structure: front columns, then its own."""
    front = [(name, ARROW_TYPES[kind]) for name, kind in _declared(layout).items()]
    return pa.schema([*front, *section_schema(layout)])


def find_sections(heads: Heads) -> list[Span]:
    """Return the sections of all sound records; what is found wrong goes to ``heads.faults``."""
    spans = [
        _span(heads, position, layout) for position, layout in decoded_kinds()[heads.kind].items()
    ]
    if heads.kind in KINDS_WITH_USER:
        spans.append(_user_section(heads))
    sound = heads.faults.sound
    return [_only(span, sound[span.record]) for span in spans if len(span.record)]


def decode_sections(heads: Heads, spans: list[Span], file_sha256: str) -> Iterator[Piece]:
    """Yield a decoder of a table for each structure and length that occurs.

    A table has at most ``TABLE_VALUES_MAX`` values.
    """
    declared = _FRONT.get(heads.kind, SECTION_COLUMNS)
    front = front_columns(heads, declared, file_sha256)
    for span in spans:
        entries = span.layout.repeat.count if span.layout.repeat else 1
        rows = max(1, TABLE_VALUES_MAX // entries // len(dataset_schema(span.layout)))
        for length in _distinct(span.length):
            of_length = _only(span, span.length == length)
            for first in range(0, len(of_length.record), rows):
                some = of_length.where(slice(first, first + rows))
                decode = partial(_table, heads.records.buffer, some, length, front)
                yield Piece(span.layout.dataset, decode)


def _declared(layout: Layout) -> dict[str, str]:
    for kind, columns in _FRONT.items():
        if layout in decoded_kinds()[kind].values():
            return columns
    return SECTION_COLUMNS


def _span(heads: Heads, position: int, layout: Layout) -> Span:
    records, faults = heads.records, heads.faults
    place = triplets(records, position)
    used = (position < heads.triplet_count) & (place.count > 0) & (place.length > 0)
    faults.add(
        used & place.outside(records.size),
        f"its {layout.name} sections are outside of it",
        Corruption.too_short,
    )
    faults.add(
        used & (place.length < SHORTEST_SECTION_BYTES), f"its {layout.name} sections are too short"
    )
    rows = np.flatnonzero(used & faults.sound)
    counts = place.count[rows]
    record = np.repeat(rows, counts)
    index = np.arange(len(record)) - np.repeat(np.cumsum(counts) - counts, counts)
    step = place.length[record]
    span = Span(layout, record, (records.base + place.offset)[record] + index * step, step, index)
    return _judged(heads, span)


def _user_section(heads: Heads) -> Span:
    """Return QWHC, the user of the work: it follows the short QWHS inside its triplet."""
    place = triplets(heads.records, 0)
    rows = np.flatnonzero(heads.faults.sound & (place.length >= SHORT_QWHS_BYTES + QWHC_BYTES))
    offset = (heads.records.base + place.offset)[rows] + SHORT_QWHS_BYTES
    length = np.full(len(rows), QWHC_BYTES)
    return Span(layouts()["QWHC"], rows, offset, length, np.zeros(len(rows), np.int64))


def _judged(heads: Heads, span: Span) -> Span:
    """Return the existing sections with the bytes that hold fields; invalid ones become faults."""
    layout, length = span.layout, span.length
    if layout.eyecatcher is None:
        present = (length >= layout.fields[0].end) & _any_byte(heads, span)
    else:
        start = strided_rows(heads.records.buffer, span.offset, SHORTEST_SECTION_BYTES)
        words = start.view(">u8").reshape(-1).astype(np.int64)
        inside = words >> _LENGTH_SHIFT & _LENGTH_MASK
        eyecatcher = int.from_bytes(layout.eyecatcher.encode(CODE_PAGE), "big")
        present = (words & _EYECATCHER_MASK == eyecatcher) & (inside >= SHORTEST_SECTION_BYTES)
        faulty = np.zeros(len(heads.records), dtype=np.bool_)
        faulty[span.record[(words != 0) & ~present]] = True
        heads.faults.add(
            faulty,
            f"a {layout.name} section does not begin with its eye catcher",
            Corruption.wrong_content,
        )
        length = np.minimum(length, inside)
        heads.longer[layout.name] += int((present & (length > layout.known_bytes)).sum())
    kept = _only(replace(span, length=np.minimum(length, layout.length)), present)
    _judge_values(heads, kept)
    return kept


def _judge_values(heads: Heads, span: Span) -> None:
    if span.layout.name in _NO_COUNTS:
        return
    for length in _distinct(span.length):
        some = _only(span, span.length == length)
        for run in runs_of(span.layout, length):
            if run.type in _FLOATS | _INTEGERS:
                _judge_run(heads, some, run)


def _judge_run(heads: Heads, span: Span, run: Run) -> None:
    raw = strided_rows(heads.records.buffer, span.offset + run.begin, run.end - run.begin)
    width = run.fields[0].length
    first, second = raw[:, ::width], raw[:, 1::width]
    if run.type in _FLOATS:
        suspect = first > _HIGHEST_EXPONENT
    else:  # a sign stands for "none", or for what went below zero: the column is null there
        suspect = ((first | second) != 0) & (first < _SIGN)
    for place in np.flatnonzero(suspect.any(axis=0)).tolist():
        long = np.zeros((len(raw), 8), np.uint8)
        long[:, :width] = raw[:, place * width : (place + 1) * width]
        units = long.view(">u8").reshape(-1)
        values = units if run.type in _INTEGERS else hfp_to_float(units)
        wrong = suspect[:, place] & (values != 0)
        name = run.fields[place].name
        if _SUM_OF_SQUARES not in name.lower():
            reasons = [
                f"{name} is {value:.6g}, no count from 0 to {POSSIBLE_BELOW:.6g}"
                for value in values[wrong].tolist()
            ]
            heads.faults.add_each(span.record[wrong], reasons, Corruption.impossible_value)


def _any_byte(heads: Heads, span: Span) -> Flags:
    has_byte = np.zeros(len(span.record), dtype=np.bool_)
    for length in _distinct(span.length):
        some = span.length == length
        size = min(length, span.layout.length)
        has_byte[some] = strided_rows(heads.records.buffer, span.offset[some], size).any(axis=1)
    return has_byte


def _distinct(lengths: Ints) -> list[int]:
    same = len(lengths) and lengths.min() == lengths.max()
    return [int(lengths[0])] if same else np.unique(lengths).tolist()


def _only(span: Span, mask: Flags) -> Span:
    return span if mask.all() else span.where(mask)


def _table(buffer: Bytes, span: Span, length: int, front: Mapping[str, pa.Array]) -> pa.Table:
    columns, rows = decode_block(span.layout, buffer, span.offset, length)
    array = span.layout.repeat
    index, record = span.index, span.record
    if array is not None:
        section, entry = np.divmod(rows, array.count)
        index, record = index[section] * array.count + entry, record[section]
    record_rows = column(record)
    values = {name: taken(array, record_rows) for name, array in front.items()}
    values["section_index"] = column(index.astype(np.int32))
    front_columns = [values[name] for name in _declared(span.layout)]
    return pa.Table.from_arrays([*front_columns, *columns], names=dataset_schema(span.layout).names)
