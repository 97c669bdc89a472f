"""The dump that the benchmark decodes: MQ statistics of 24 queue managers, interval by interval.

Made of records as large as a busy site writes them (some 6 kB on average, most of it page sets,
buffer pools and channels). A third of the counters is zero, a third small, a third large.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.mq_records import (
    MQ_RECORD_KINDS,
    Group,
    Intervals,
    QueueManagerIdentity,
    assembled,
    group_of,
    header_columns,
    mq_records,
)
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import Field, FieldType, Layout, column_name

MIB: Final = 1 << 20
QUEUE_MANAGERS: Final = 24
BLOCK_INTERVALS: Final = 4
"""Intervals that are made up at a time."""
_START_US: Final = 1_741_564_800_000_000
_HALF_HOUR_US: Final = 1_800_000_000
_OFFSET_MINUTES: Final = -300

SECTIONS: Final[dict[Kind, dict[str, int]]] = {
    Kind(115, 1): {"QSST": 1, "QJST": 1},
    Kind(115, 2): {
        "QMST": 1,
        "QIST": 1,
        "QPST": 4,
        "QLST": 1,
        "Q5ST": 1,
        "QEST": 1,
        "QTST": 1,
        "QESD": 1,
    },
    Kind(115, 5): {"QSPH": 1},
    Kind(115, 6): {"QSGM": 1},
    Kind(115, 7): {"QSRS": 1},
    Kind(115, 201): {"QIS1": 4},
    Kind(115, 215): {"QPST": 12},
    Kind(115, 216): {"QQST": 40},
    Kind(115, 231): {"QCCT": 1, "QCTDSP": 5, "QCTADP": 8, "QCTSSL": 5, "QCTDNS": 1},
    Kind(116, 10): {"QCST": 60},
}
"""Records of one queue manager and interval: how many sections of what."""
_LARGE: Final = {1: 200, 2: 30_000, 4: 1 << 30, 8: 1 << 40}
_USED_ENTRIES: Final = 20


def write_dump_of(path: Path, mib: int) -> int:
    """Write about so many MiB with record descriptor words; returns the bytes."""
    written = block = 0
    with path.open("wb") as out:
        while written < mib * MIB:
            written += sum(out.write(piece) for piece in _block(block))
            block += 1
    return written


def _block(number: int) -> Iterator[memoryview]:
    """Some intervals of all queue managers, in the order of time."""
    random = np.random.default_rng(number)
    first = number * BLOCK_INTERVALS + np.arange(BLOCK_INTERVALS)
    start = _START_US + first * _HALF_HOUR_US
    offset = np.full(BLOCK_INTERVALS, _OFFSET_MINUTES)
    intervals = Intervals(start, start + _HALF_HOUR_US, offset)
    matrices = [
        _records(kind, place, intervals, random)
        for place in range(QUEUE_MANAGERS)
        for kind in SECTIONS
    ]
    for row in range(BLOCK_INTERVALS):
        for matrix in matrices:
            yield memoryview(matrix[row])


def _records(
    kind: Kind, place: int, intervals: Intervals, random: np.random.Generator
) -> NDArray[np.uint8]:
    """The records of one kind of one queue manager."""
    who = QueueManagerIdentity(f"PRD{place % 4}", f"MQ{place:02d}", "10.0.0", "QSGP")
    groups = {
        position: _group(layout, SECTIONS[kind][layout.name], len(intervals), random)
        for position, layout in decoded_kinds()[kind].items()
        if layout.name in SECTIONS[kind]
    }
    if kind in MQ_RECORD_KINDS:
        return mq_records(MQ_RECORD_KINDS[kind], who, intervals, groups)
    # the product header of subtypes 5, 6 and 7 is a stub of four bytes
    stub = np.tile(np.array([0, 1, 0, 0], np.uint8), (len(intervals), 1))
    columns = {
        **header_columns(115, intervals, who.smfid),
        "ssi": who.qmgr,
        "sty": kind.record_subtype,
        "rel": "946",
    }
    return assembled("SM115", 2, columns, [(0, Group(stub, 4, 1)), *sorted(groups.items())])


def _group(layout: Layout, count: int, records: int, random: np.random.Generator) -> Group:
    """Sections with made-up values."""
    skipped = 3 if layout.eyecatcher else 0
    plain = [field for field in layout.fields if not field.is_reserved][skipped:]
    values = {
        field.column: _values(field, number, count * records, random)
        for number, field in enumerate(plain)
        if field.type is not FieldType.REPEAT
    }
    for array in (layout.repeat,) if layout.repeat else ():
        for entry in range(_USED_ENTRIES):
            for number, field in enumerate(array.fields):
                column = column_name(f"{array.name}[{entry}].{field.name}")
                values[column] = _values(field, number, count * records, random)
    return group_of(layout, values, layout.length, records, count)


def _values(field: Field, number: int, count: int, random: np.random.Generator) -> Any:
    if field.type is FieldType.EBCDIC:
        return [
            f"APP.ORDERS.{value:04d}"[-field.length :] for value in random.integers(0, 60, count)
        ]
    if field.type is FieldType.BYTES:
        return [bytes([value] * field.length).hex() for value in random.integers(0, 9, count)]
    if field.type is FieldType.STCK:
        return _START_US + random.integers(0, 1 << 30, count)
    if number % 3 == 0:
        return np.zeros(count, np.int64)
    top = 100 if number % 3 == 1 else _LARGE[field.length]
    values = random.integers(0, top, count)
    return values / 4096 if field.type is FieldType.TIMEVAL else values
