"""Small dumps built from the layouts, for tests that need no sample file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from devtools.simulator.encode.framing import write_dump
from devtools.simulator.encode.mq_records import (
    MQ_RECORD_KINDS,
    Group,
    Intervals,
    QueueManagerIdentity,
    dump_marker,
    group_of,
    mq_records,
)
from devtools.simulator.encode.rmf_product import RmfSystem, rmf_records
from mqcap.ingest.smf.decode import column_fields, decode_block, section_schema
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import Field, FieldType, Layout, layouts, level_length

HALF_HOUR_US = 1_800_000_000
START_US = 1_741_611_600_000_000
"""2025-03-10 13:00 UTC."""
INTERVALS = Intervals(
    start_us=START_US + np.arange(2) * HALF_HOUR_US,
    end_us=START_US + np.arange(1, 3) * HALF_HOUR_US,
    offset_minutes=np.full(2, -300),
)


def decode(layout: Layout, sections: bytes, length: int) -> pa.Table:
    """All sections of one structure and one length, a row per section (or used entry)."""
    offsets = np.arange(0, len(sections), length)
    columns, _ = decode_block(layout, np.frombuffer(sections, np.uint8), offsets, length)
    schema = section_schema(layout)
    return pa.Table.from_arrays(columns, names=schema.names).cast(schema)


def identity(**changed: Any) -> QueueManagerIdentity:
    facts = {"smfid": "PRD1", "qmgr": "MQP1", "mq_level": "10.0.0", "qsg": "QSGP"}
    return QueueManagerIdentity(**{**facts, **changed})


def values_of(layout: Layout, count: int, seed: int = 1) -> dict[str, Any]:
    """Values for every column of a structure without array, as the encoder takes them."""
    random = np.random.default_rng(seed)
    ids = 3 if layout.eyecatcher else 0
    return {
        field.column: random_values(field, count, random)
        for field in column_fields(layout)[ids:]
        if field.type is not FieldType.REPEAT
    }


def random_values(field: Field, count: int, random: np.random.Generator) -> Any:
    """Values for a column, as the encoder takes them."""
    numbers = random.integers(0, 100, count)
    if field.type is FieldType.EBCDIC:
        return [f"N{number}"[: field.length] for number in numbers]
    if field.type is FieldType.BYTES:
        return [bytes([number] * field.length).hex() for number in numbers]
    if field.type is FieldType.STCK:
        return START_US + numbers
    return numbers


def mq_dump_records(**changed: Any) -> list[bytes]:
    """Records of all kinds that the encoder knows, of one queue manager, two intervals."""
    who = identity(**changed)
    records: list[bytes] = []
    for (record_type, subtype), kind in MQ_RECORD_KINDS.items():
        groups = {
            place: _group(layout, level_length(layout, who.mq_level))
            for place, layout in decoded_kinds()[Kind(record_type, subtype)].items()
            if level_length(layout, who.mq_level) and layout.repeat is None
        }
        if groups:
            rows = mq_records(kind, who, INTERVALS, groups)
            records.extend(row.tobytes() for row in rows)
    return records


def cf_dump_records() -> list[bytes]:
    """Two intervals of one coupling facility."""
    groups = {name: _group(layouts()[f"R744{name}"], 0) for name in "FXGQSP"}
    system = RmfSystem("PRD1", "SYS1", "PLEXP")
    return [row.tobytes() for row in rmf_records(4, system, groups, INTERVALS)]


def _group(layout: Layout, length: int) -> Group:
    return group_of(layout, values_of(layout, 4), length or layout.length, records=2, count=2)


def with_markers(records: Iterable[bytes]) -> list[bytes]:
    """The records between a dump header and a dump trailer."""
    local = START_US - 5 * 3600 * 1_000_000
    return [dump_marker(2, local, "PRD1"), *records, dump_marker(3, local, "PRD1")]


def small_dump(folder: Path, framing: str = "rdw", **changed: Any) -> Path:
    """A dump of one queue manager and one coupling facility."""
    path = folder / f"small.{framing}.smf"
    records = with_markers([*mq_dump_records(**changed), *cf_dump_records()])
    write_dump(path, records, framing, segment_bytes=700)
    return path
