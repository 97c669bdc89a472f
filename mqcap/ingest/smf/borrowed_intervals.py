"""Intervals of records that carry none, borrowed from the records around them.

115.5, 6 and 7 hold only a stub of QWHS: the local time of the header, neither an interval nor
the offset from UTC. A queue manager writes them together with its other statistics, so their
interval is the one of the same queue manager that was written at the same local time. Where
the local hour of autumn makes two of these, the nearer one in the file counts.
Without such a record the offset is that of the other records of the system, if all around
agree. 116.2 continues the record 116.1 of its task, whose interval it has; the tasks are
distinguished by WTID. An interval that cannot be found stays unknown.

Around means: in the batch of the record, the one before and the one after it. That bounds the
memory, and dumps keep what was written together within some hundred kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.clock import NOT_SET, TOGETHER_US, Flags, Ints
from mqcap.ingest.smf.kinds import Kind
from mqcap.ingest.smf.layout import field_of
from mqcap.ingest.smf.record_heads import Heads, Interval, triplets
from mqcap.ingest.smf.sections import Deferred, Span
from mqcap.ingest.smf.strided_read import strided_rows

_TASK: Final = Kind(116, 1)
_REST_OF_TASK: Final = Kind(116, 2)
WITHOUT_TIMES: Final = frozenset({Kind(115, 5), Kind(115, 6), Kind(115, 7), _REST_OF_TASK})
_WITH_TIMES: Final = frozenset({_TASK, *(Kind(115, subtype) for subtype in (1, 2, 201, 215, 216))})
"""Kinds that are written together with those without times."""
_TASK_ID_POSITION: Final = 1
_WORD_BYTES: Final = 8
_SYSTEM_SHIFT: Final = np.uint64(32)
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads bits."""
_TIME_BITS: Final = 42
_US_PER_HUNDREDTH: Final = 10_000
_LATEST: Final = (1 << _TIME_BITS) - 1

Keys = NDArray[np.uint64]
"""Values that are equal in records written together."""


class _Times(NamedTuple):
    key: NDArray[Any]
    system: NDArray[Any]
    local_us: NDArray[Any]
    file_offset: NDArray[Any]
    start_us: NDArray[Any]
    end_us: NDArray[Any]
    length_us: NDArray[Any]
    offset_us: NDArray[Any]

    def where(self, mask: Flags) -> _Times:
        """Return the times of some of the records."""
        return _Times(*(values[mask] for values in self))

    @property
    def interval(self) -> Interval:
        """The interval of each record."""
        return Interval(self.start_us, self.end_us, self.length_us, self.offset_us)


_NO_TIMES: Final = _Times(*(np.zeros(0, kind) for kind in [np.uint64] * 2 + [np.int64] * 6))


@dataclass
class IntervalLender:
    """The times around one position of a dump; ``end_batch`` moves it on by one batch."""

    _batches: list[list[_Times]] = field(default_factory=lambda: [[], []])
    """Of the batch before, and of this one."""
    _systems: list[list[_Times]] = field(default_factory=lambda: [[], []])
    _deferred: list[list[Deferred]] = field(default_factory=lambda: [[], []])

    def add(self, heads: Heads) -> None:
        """Add the times of records that have them."""
        has_interval = heads.faults.sound & (heads.interval.offset_us != NOT_SET)
        times = _Times(
            _keys(heads),
            _systems(heads),
            heads.local_us,
            heads.records.file_offset,
            *heads.interval,
        ).where(has_interval)
        self._systems[-1].append(times)
        if heads.kind in _WITH_TIMES:
            self._batches[-1].append(times)

    def defer(self, heads: Heads, spans: list[Span]) -> None:
        """Defer records without times until all around them has been read."""
        self._deferred[-1].append((heads, spans))

    def end_batch(self) -> Iterator[Deferred]:
        """Yield the records deferred one batch before, with times; call it once more at the end."""
        for heads, spans in self._deferred[0]:
            yield replace(heads, interval=self._found(heads)), spans
        self._deferred = [self._deferred[1], []]
        self._batches = [*self._batches[-2:], []]
        self._systems = [*self._systems[-2:], []]

    def _found(self, heads: Heads) -> Interval:
        """Return the intervals of the same queue managers at the same time, and their offsets."""
        around = _together(self._batches)
        chosen = _nearest(heads, around.where(around.length_us != NOT_SET))
        own = heads.interval.offset_us
        offset = np.where(own == NOT_SET, chosen.offset_us, own)
        if (offset == NOT_SET).any():
            offset = np.where(offset == NOT_SET, self._agreed(heads), offset)
        return chosen._replace(offset_us=offset)

    def _agreed(self, heads: Heads) -> Ints:
        """Return the offset of each record's system, where all records around have the same."""
        around = _together(self._systems)
        system = _systems(heads)
        offset = np.full(len(heads.records), NOT_SET)
        for name in np.unique(system):
            offsets = np.unique(around.offset_us[around.system == name])
            if len(offsets) == 1:
                offset[system == name] = offsets[0]
        return offset


def _nearest(heads: Heads, times: _Times) -> Interval:
    """Return each record's nearest interval of its writer, by local clock, then place; or none."""
    count = len(heads.records)
    names = np.unique(times.key)
    theirs = _places(names, times.key, times.local_us)
    order = np.argsort(theirs, kind="stable")
    key = _keys(heads)
    first = np.searchsorted(theirs[order], _places(names, key, heads.local_us - TOGETHER_US))
    last = np.searchsorted(
        theirs[order], _places(names, key, heads.local_us + TOGETHER_US), side="right"
    )
    counts = np.where(np.isin(key, names), last - first, 0)
    row = np.repeat(np.arange(count), counts)
    candidate = order[np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(len(row))]
    late = np.abs(times.local_us[candidate] - heads.local_us[row])
    far = np.abs(times.file_offset[candidate] - heads.records.file_offset[row])
    best = np.lexsort((far, late, row))
    _, begins = np.unique(row[best], return_index=True)
    chosen = np.full(count, -1)
    chosen[row[best][begins]] = candidate[best][begins]
    return Interval(*(np.append(values, NOT_SET)[chosen] for values in times.interval))


def _places(names: Keys, key: Keys, local_us: Ints) -> Ints:
    """Key and local time in one number that sorts by both."""
    number = np.searchsorted(names, key).astype(np.int64)
    return number << _TIME_BITS | np.clip(local_us // _US_PER_HUNDREDTH, 0, _LATEST)


def _keys(heads: Heads) -> Keys:
    """System and queue manager of every record as one number; for tasks a hash with their WTID."""
    writer = _writers(heads)
    if heads.kind not in {_TASK, _REST_OF_TASK}:
        return writer
    records, place = heads.records, triplets(heads.records, _TASK_ID_POSITION)
    begin, end = field_of("WTID", "wtidatyp").offset, field_of("WTID", "wtidcfwd").offset
    end -= (end - begin) % _WORD_BYTES  # WTID identifies the task up to the addresses at its end
    raw = strided_rows(records.buffer, records.base + place.offset + begin, end - begin)
    hashed = writer
    for word in np.ascontiguousarray(raw).view(np.uint64).reshape(len(records), -1).T:
        hashed = (hashed ^ word) * _MULTIPLIER
        hashed ^= hashed >> _SYSTEM_SHIFT
    inside = place.holds(end, records.size)
    return np.where(inside, hashed, records.file_offset.astype(np.uint64))


def _systems(heads: Heads) -> Keys:
    return _writers(heads) >> _SYSTEM_SHIFT


def _writers(heads: Heads) -> Keys:
    system, subsystem = (field_of("SM115", column) for column in ("sid", "ssi"))
    length = subsystem.end - system.offset  # side by side in every header with a subsystem
    raw = strided_rows(heads.records.buffer, heads.records.base + system.offset, length)
    return np.ascontiguousarray(raw).view(">u8").reshape(-1).astype(np.uint64)


def _together(batches: list[list[_Times]]) -> _Times:
    parts = [_NO_TIMES, *(part for batch in batches for part in batch)]
    return _Times(*map(np.concatenate, zip(*parts, strict=True)))
