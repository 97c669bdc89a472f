"""RMF records: 74.4 (coupling facility activity) and 74.5 (cache activity)."""

import struct
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from devtools.simulator.encode.fields import Bytes2D, packed_of, tod_of
from devtools.simulator.encode.mq_records import (
    DAY_US,
    MINUTE_US,
    Group,
    Intervals,
    assembled,
    header_columns,
    sections_of,
    smf_date,
)
from mqcap.ingest.smf.layout import layouts

_HEADS: Final = {4: ("SMF74HDR", 12, "-FXGQSP"), 5: ("SMF74HDR5", 5, "--D")}
"""Header of each subtype, number of its triplets, and names of those used, from triplet 0 on."""


class SplitPiece(NamedTuple):
    """The number of a piece of a split record, counted from 1, and the number of pieces."""

    number: int
    pieces: int


class RmfSystem(NamedTuple):
    """The system that writes the records; ``name`` is that of z/OS."""

    smfid: str
    name: str
    sysplex: str


def rmf_records(
    subtype: int,
    system: RmfSystem,
    groups: Mapping[str, Group],
    intervals: Intervals,
    piece: SplitPiece | None = None,
) -> Bytes2D:
    """Return records of one facility or cache subsystem by one system, one per interval.

    ``groups`` are by the name of their triplet: of subtype 4 the last letter of R744F, X, G, Q, S
    and P, of subtype 5 ``D``, the devices. ``piece`` is for a piece of a record that RMF had to
    split.
    """
    structure, triplets, names = _HEADS[subtype]
    ordered = [(0, _product(system, intervals, piece))]
    ordered += [(place, groups[name]) for place, name in enumerate(names) if name in groups]
    columns = {
        **header_columns(74, intervals, system.smfid),
        "ssi": "RMF",
        "sty": subtype,
        "smf74trn": triplets,
    }
    return assembled(structure, triplets, columns, ordered)


def _product(system: RmfSystem, intervals: Intervals, piece: SplitPiece | None) -> Group:
    """Return the product section, of a piece of a record with its reassembly area behind it."""
    local = intervals.start_local_us
    seconds = local % DAY_US // 1_000_000
    clock = seconds // 3600 * 10_000 + seconds // 60 % 60 * 100 + seconds % 60
    length_ms = (intervals.end_us - intervals.start_us) // 1_000
    expiration = tod_of(intervals.end_us).astype(">u8")
    columns: dict[str, Any] = {
        "smf74mfv": "820f",
        "smf74prd": "RMF",
        "smf74ist": packed_of(clock, 4),
        "smf74dat": packed_of(smf_date(local), 4),
        "smf74int": packed_of(length_ms // 60_000 * 100_000 + length_ms % 60_000, 4),
        "smf74sam": length_ms // 1_000,
        "smf74fla": 0x3000,
        "smf74cyc": "0001000f",
        "smf74mvs": "ZV030100",
        "smf74iml": 3,
        "smf74prf": 22,
        "smf74ptn": 5,
        "smf74srl": 148,
        "smf74iet": expiration.view(np.uint8).reshape(len(intervals), 8),
        "smf74lgo": intervals.offset_minutes * MINUTE_US,
        "smf74oil": length_ms // 1_000,
        "smf74gie": intervals.end_us,
        "smf74xnm": system.sysplex,
        "smf74snm": system.name,
    }
    area = struct.pack(">HH8x", piece.pieces, piece.number) if piece else b""
    if piece:
        at = layouts()["SMF74PRO"].length
        columns |= {"smf74rao": at, "smf74ral": len(area), "smf74ran": 1}
    behind = np.tile(np.frombuffer(area, np.uint8), (len(intervals), 1))
    rows = np.concatenate([sections_of("SMF74PRO", columns, len(intervals)), behind], axis=1)
    return Group(rows, rows.shape[1], 1)
