"""The product section of RMF records, with the reassembly area of records that RMF had to split."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.fields import Bytes2D, packed_of, tod_of
from devtools.simulator.encode.mq_records import (
    DAY_US,
    MINUTE_US,
    Group,
    Intervals,
    group_of,
    header_columns,
    put_groups,
    put_head,
    record_matrix,
    smf_date,
)
from mqcap.ingest.smf.kinds import CACHE_ACTIVITY, RMF_ACTIVITY
from mqcap.ingest.smf.layout import layouts


class SplitPiece(NamedTuple):
    """The number of a piece of a split record, counted from 1, and the number of pieces."""

    number: int
    pieces: int


class RmfContent(Protocol):
    """What the product section states of its record."""

    @property
    def system(self) -> str:
        """The system that writes it, by its z/OS name."""

    @property
    def sysplex(self) -> str:
        """The sysplex of the system."""

    @property
    def piece(self) -> SplitPiece | None:
        """Set for a piece of a record that RMF had to split."""


def product_group(content: RmfContent, intervals: Intervals) -> Group:
    """Return a product section per interval."""
    layout = layouts()["SMF74PRO"]
    product = group_of(layout, _rmf_product(content, intervals), layout.length, len(intervals))
    return _with_reassembly_area(product, content.piece)


def _with_reassembly_area(product: Group, piece: SplitPiece | None) -> Group:
    """Return the product section with its reassembly area behind it, for a piece of a record."""
    if piece is None:
        return product
    place = {field.column: field for field in layouts()["SMF74PRO"].fields}
    area = struct.pack(">HH8x", piece.pieces, piece.number)
    rows = np.pad(product.rows, ((0, 0), (0, len(area))))
    rows[:, product.length :] = np.frombuffer(area, np.uint8)
    for name, kind, value in (
        ("smf74rao", ">I", product.length),
        ("smf74ral", ">H", len(area)),
        ("smf74ran", ">H", 1),
    ):
        at = place[name].offset
        packed = np.frombuffer(struct.pack(kind, value), np.uint8)
        rows[:, at : at + len(packed)] = packed
    return Group(rows, product.length + len(area), 1)


def _rmf_product(content: RmfContent, intervals: Intervals) -> dict[str, Any]:
    """Return the RMF product section."""
    local = intervals.start_local_us
    seconds = local % DAY_US // 1_000_000
    clock = seconds // 3600 * 10_000 + seconds // 60 % 60 * 100 + seconds % 60
    length_ms = (intervals.end_us - intervals.start_us) // 1_000
    minutes = length_ms // 60_000
    return {
        "smf74mfv": "820f",
        "smf74prd": "RMF",
        "smf74ist": packed_of(clock, 4),
        "smf74dat": packed_of(smf_date(local), 4),
        "smf74int": packed_of(minutes * 100_000 + length_ms % 60_000, 4),
        "smf74sam": length_ms // 1_000,
        "smf74fla": 0x3000,
        "smf74cyc": "0001000f",
        "smf74mvs": "ZV030100",
        "smf74iml": 3,
        "smf74prf": 22,
        "smf74ptn": 5,
        "smf74srl": 148,
        "smf74iet": _tod_rows(intervals.end_us),
        "smf74lgo": intervals.offset_minutes * MINUTE_US,
        "smf74oil": length_ms // 1_000,
        "smf74gie": intervals.end_us,
        "smf74xnm": content.sysplex,
        "smf74snm": content.system,
    }


def _tod_rows(unix_us: NDArray[np.int64]) -> Bytes2D:
    return tod_of(unix_us).astype(">u8").view(np.uint8).reshape(len(unix_us), 8)


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
