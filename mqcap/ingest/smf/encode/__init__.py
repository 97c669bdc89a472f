"""Encoder of SMF: sections from columns, records from sections, dump files from records."""

from __future__ import annotations

from mqcap.ingest.smf.encode.fields import (
    Bytes2D,
    Columns,
    block_head,
    encode_sections,
    encode_values,
    packed_of,
    section_bytes,
    tod_of,
)
from mqcap.ingest.smf.encode.framing import WrittenFraming, write_dump
from mqcap.ingest.smf.encode.mq_records import (
    MQ_RECORD_KINDS,
    Group,
    Intervals,
    MqRecordKind,
    QueueManagerIdentity,
    dump_marker,
    group_of,
    mq_records,
)
from mqcap.ingest.smf.encode.rmf_product import (
    CacheRecords,
    CouplingFacilityRecords,
    cache_records,
    cf_records,
)

__all__ = [
    "MQ_RECORD_KINDS",
    "Bytes2D",
    "CacheRecords",
    "Columns",
    "CouplingFacilityRecords",
    "Group",
    "Intervals",
    "MqRecordKind",
    "QueueManagerIdentity",
    "WrittenFraming",
    "block_head",
    "cache_records",
    "cf_records",
    "dump_marker",
    "encode_sections",
    "encode_values",
    "group_of",
    "mq_records",
    "packed_of",
    "section_bytes",
    "tod_of",
    "write_dump",
]
