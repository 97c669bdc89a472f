"""Coupling facility records (type 74 subtype 4), many at once, as rows of bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from mqcap.ingest.smf.encode.fields import Bytes2D
from mqcap.ingest.smf.encode.mq_records import (
    Group,
    Intervals,
    header_columns,
    put_groups,
    put_head,
    record_matrix,
)
from mqcap.ingest.smf.encode.rmf_product import SplitPiece, product_group
from mqcap.ingest.smf.layout import layouts

_CF_TRIPLETS: Final = 12


@dataclass(frozen=True)
class CouplingFacilityRecords:
    """The groups of 74.4 records, in the order of their triplets; a missing one is empty."""

    smfid: str
    system: str
    sysplex: str
    groups: Mapping[str, Group] = field(default_factory=dict)
    """Groups by triplet name: ``F X G Q S P``."""
    piece: SplitPiece | None = None
    """Set for a piece of a record that RMF had to split."""


def cf_records(content: CouplingFacilityRecords, intervals: Intervals) -> Bytes2D:
    """Return type 74 subtype 4 records of one facility by one system, one per interval."""
    layout = layouts()["SMF74HDR"]
    ordered: list[tuple[int, Group]] = [(0, product_group(content, intervals))]
    for place, name in enumerate("FXGQSP", start=1):
        if name in content.groups:
            ordered.append((place, content.groups[name]))
    records = record_matrix(len(intervals), layout.length, [group for _, group in ordered])
    columns = {
        **header_columns(74, intervals, content.smfid),
        "ssi": "RMF",
        "sty": 4,
        "smf74trn": _CF_TRIPLETS,
    }
    put_head(records, "SMF74HDR", columns)
    put_groups(records, layout.length, ordered)
    return records
