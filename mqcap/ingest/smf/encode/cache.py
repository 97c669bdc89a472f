"""Cache activity records (type 74 subtype 5), many at once, as rows of bytes."""

from __future__ import annotations

from dataclasses import dataclass
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
from mqcap.ingest.smf.kinds import CACHE_ACTIVITY, RMF_ACTIVITY
from mqcap.ingest.smf.layout import layouts

_DEVICES_AT: Final = 2
_TRIPLETS: Final = 5


@dataclass(frozen=True)
class CacheRecords:
    """The devices of a cache subsystem, as one system reports them."""

    smfid: str
    system: str
    sysplex: str
    devices: Group
    """Sections of R745D, some for each interval."""
    piece: SplitPiece | None = None
    """Set for a piece of a record that RMF had to split."""


def cache_records(content: CacheRecords, intervals: Intervals) -> Bytes2D:
    """Return type 74 subtype 5 records of one subsystem by one system, one per interval.

    Of the triplets only those of the product section and of the devices are used.
    """
    layout = layouts()["SMF74HDR5"]
    ordered = [(0, product_group(content, intervals)), (_DEVICES_AT, content.devices)]
    records = record_matrix(len(intervals), layout.length, [group for _, group in ordered])
    columns = {
        **header_columns(RMF_ACTIVITY, intervals, content.smfid),
        "ssi": "RMF",
        "sty": CACHE_ACTIVITY.record_subtype,
        "smf74trn": _TRIPLETS,
    }
    put_head(records, layout.name, columns)
    put_groups(records, layout.length, ordered)
    return records
