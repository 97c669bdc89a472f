"""MQ records, many at once: header, triplets, sections, product header, as rows of bytes.

All records of one call have the same shape, so they are one matrix with a record per row.
Interval times follow the habits of the platform: header time and interval start local, every
other instant UTC.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.fields import Bytes2D, encode_sections, packed_of, section_bytes
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.clock import TOD_UNITS_PER_US
from mqcap.ingest.smf.header import QWHC_BYTES, SHORT_QWHS_BYTES
from mqcap.ingest.smf.layout import Layout, layouts, level_key

RECORD_MAX_BYTES: Final = 32_756
TRIPLETS_OFFSET: Final = 28
DAY_US: Final = 86_400_000_000
MINUTE_US: Final = 60_000_000
_FLAG_SUBTYPE: Final = 0x5E
_FLAG_PLAIN: Final = 0x1E
_QWHS_BYTES: Final = 52
_QWHX_FOLLOWS: Final = 0x40
_QWHX_LEVEL: Final = (10, 0, 0)
_FROZEN_RELEASE: Final = "946"
"""The release text that records keep from MQ 10.0 on."""


@dataclass(frozen=True)
class Intervals:
    """Intervals of records: microseconds since 1970 (UTC) and the UTC offset at the end.

    ``start_offset_minutes`` is the offset by which the start is stated: by default that of the end.
    """

    start_us: NDArray[np.int64]
    end_us: NDArray[np.int64]
    offset_minutes: NDArray[np.int64]
    start_offset_minutes: NDArray[np.int64] | None = None

    @property
    def start_local_us(self) -> NDArray[np.int64]:
        """Interval starts on the local clock."""
        offset = self.start_offset_minutes
        return self.start_us + (self.offset_minutes if offset is None else offset) * MINUTE_US

    @property
    def end_local_us(self) -> NDArray[np.int64]:
        """Interval ends on the local clock."""
        return self.end_us + self.offset_minutes * MINUTE_US

    def __getitem__(self, places: slice | NDArray[Any]) -> Self:
        """Return some of them."""
        arrays = (self.start_us, self.end_us, self.offset_minutes)
        return type(self)(*(array[places] for array in arrays))

    def __len__(self) -> int:
        return len(self.end_us)


@dataclass(frozen=True)
class Group:
    """The sections of one triplet: per record a row of ``count`` sections of ``length`` bytes."""

    rows: Bytes2D
    length: int
    count: int


@dataclass(frozen=True)
class QueueManagerIdentity:
    """The queue manager and system that write the records."""

    smfid: str
    qmgr: str
    mq_level: str
    qsg: str | None = None


@dataclass(frozen=True)
class MqRecordKind:
    """Type and subtype with their values in the product header."""

    record_type: int
    subtype: int
    triplets: int
    resource_manager: int
    event: int
    duration_unit_per_us: int = 1
    statistics_release: int = 0x10
    is_of_task: bool = False
    """Whether the product header is the short one, with the user of the task behind it."""


MQ_RECORD_KINDS: Final = {
    (kind.record_type, kind.subtype): kind
    for kind in (
        MqRecordKind(115, 1, 12, 0x1A, 1),
        MqRecordKind(115, 2, 9, 0x1A, 2),
        MqRecordKind(115, 201, 2, 0x1A, 9),
        MqRecordKind(115, 215, 2, 0x1A, 8),
        MqRecordKind(115, 216, 2, 0x1A, 10),
        MqRecordKind(115, 231, 6, 0xE7, 0, TOD_UNITS_PER_US, 0),
        MqRecordKind(116, 10, 2, 0xE7, 0, TOD_UNITS_PER_US, 0),
        MqRecordKind(116, 1, 4, 0x19, 1, is_of_task=True),
    )
}
"""The kinds that the assembly can write."""


def group_of(
    layout: Layout, columns: Mapping[str, Any], length: int, records: int, count: int = 1
) -> Group:
    """Return a group of ``count`` sections per record.

    A column is one value, a list with one for each section of every record, an array with one for
    each record, or a value for each section: a row per record, or one record after the other.
    """
    every = {name: _of_sections(value, records, count) for name, value in columns.items()}
    sections = encode_sections(layout, every, length, records * count)
    return Group(section_bytes(sections).reshape(records, count * length), length, count)


def _of_sections(value: Any, records: int, count: int) -> Any:
    if isinstance(value, list):
        return value * records if len(value) == count else value
    if isinstance(value, np.ndarray) and value.dtype != np.uint8:  # those are raw bytes
        if value.ndim == 2:
            return value.ravel()
        if len(value) == records:
            return np.repeat(value, count)
    return value


def mq_records(
    kind: MqRecordKind,
    identity: QueueManagerIdentity,
    intervals: Intervals,
    groups: Mapping[int, Group],
    sequence: NDArray[np.int64] | None = None,
    user: Mapping[str, Any] = MappingProxyType({}),
) -> Bytes2D:
    """Return type 115 and 116 records, one per interval; ``groups`` by triplet number from 1.

    ``user`` are columns of QWHC, for a kind that is about a task.
    The product header comes last, as the product writes it. Raises ConfigurationError when a
    record would be longer than 32756 bytes.
    """
    product = _product_header(kind, identity, intervals, sequence, user)
    key = level_key(identity.mq_level)
    columns = {
        **header_columns(kind.record_type, intervals, identity.smfid),
        "ssi": identity.qmgr,
        "sty": kind.subtype,
        # fixed from 10.0 on; before, ``9.4.0`` gives ``940``
        "rel": _FROZEN_RELEASE if key >= _QWHX_LEVEL else "".join(map(str, key[:3])),
    }
    ordered = [*sorted(groups.items()), (0, product)]
    return assembled(f"SM{kind.record_type}", kind.triplets, columns, ordered)


def dump_marker(record_type: int, local_us: int, smfid: str) -> bytes:
    """Return the header (type 2) or trailer (type 3) record of a dump, 18 bytes."""
    moment = np.array([local_us], dtype=np.int64)
    zero = np.zeros(1, dtype=np.int64)
    columns = header_columns(record_type, Intervals(moment, moment, zero), smfid)
    columns |= {"flg": _FLAG_PLAIN, "len": 18}
    return encode_sections(layouts()["SMFHDR"], columns, 18, 1).tobytes()


def assembled(
    structure: str,
    triplets: int,
    columns: Mapping[str, Any],
    ordered: Sequence[tuple[int, Group]],
) -> Bytes2D:
    """Return records of a header structure, so many triplets, and the groups.

    Each group is with the number of its triplet, in the order of the sections.
    """
    head = TRIPLETS_OFFSET + 8 * triplets
    length = head + sum(group.rows.shape[1] for _, group in ordered)
    if length > RECORD_MAX_BYTES:
        raise ConfigurationError(
            f"a record of {length} bytes cannot exist",
            expected=f"at most {RECORD_MAX_BYTES} bytes",
            remedy="Spread the sections over several records.",
        )
    records = np.zeros((len(ordered[0][1].rows), length), dtype=np.uint8)
    header = sections_of(structure, {**columns, "len": length}, len(records))
    records[:, : header.shape[1]] = header
    place = head
    for number, group in ordered:
        triplet = struct.pack(">IHH", place, group.length, group.count)
        at = TRIPLETS_OFFSET + 8 * number
        records[:, at : at + 8] = np.frombuffer(triplet, np.uint8)
        end = place + group.rows.shape[1]
        records[:, place:end] = group.rows
        place = end
    return records


def sections_of(
    structure: str, columns: Mapping[str, Any], count: int, length: int | None = None
) -> Bytes2D:
    """Return sections of a structure, by default at its full length, as rows of bytes."""
    layout = layouts()[structure]
    return section_bytes(encode_sections(layout, columns, length or layout.length, count))


def header_columns(record_type: int, intervals: Intervals, smfid: str) -> dict[str, Any]:
    """Return the standard header: local time in hundredths since midnight, local date 0CYYDDDF."""
    local = intervals.end_local_us
    return {
        "flg": _FLAG_SUBTYPE,
        "rty": record_type,
        "tme": local % DAY_US // 10_000,
        "dte": packed_of(smf_date(local), 4),
        "sid": smfid,
    }


def smf_date(local_us: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return ``cyyddd`` of local microseconds since 1970: 2025-03-10 gives 125069."""
    days = (local_us // DAY_US).astype("datetime64[D]")
    years = days.astype("datetime64[Y]")
    year = years.astype(np.int64) + 70
    day = (days - years.astype("datetime64[D]")).astype(np.int64) + 1
    result: NDArray[np.int64] = year * 1_000 + day
    return result


def _product_header(
    kind: MqRecordKind,
    identity: QueueManagerIdentity,
    intervals: Intervals,
    sequence: NDArray[np.int64] | None,
    user: Mapping[str, Any],
) -> Group:
    """Return QWHS, from MQ 10.0 with QWHX behind it; of a task the short one with QWHC behind."""
    count = len(intervals)
    columns: dict[str, Any] = {
        "qwhslen": SHORT_QWHS_BYTES if kind.is_of_task else _QWHS_BYTES,
        "qwhstyp": 1,
        "qwhsrmid": kind.resource_manager,
        "qwhsiid": kind.event,
        "qwhsnsda": kind.triplets,
        "qwhsrn": kind.statistics_release,
        "qwhsssid": identity.qmgr,
        "qwhsstck": intervals.end_us,
    }
    tails = []
    if kind.is_of_task:
        of_user = {"qwhclen": QWHC_BYTES, "qwhctyp": 2, **user}
        tails.append(sections_of("QWHC", of_user, count, QWHC_BYTES))
    else:
        numbers = np.zeros(count, dtype=">u4") if sequence is None else sequence.astype(">u4")
        columns |= {
            "qwhsiseq": numbers.view(np.uint8).reshape(count, 4),
            "qwhstime": intervals.start_local_us,
            "qwhsdurn": (intervals.end_us - intervals.start_us) * kind.duration_unit_per_us,
        }
        if level_key(identity.mq_level) >= _QWHX_LEVEL:
            columns["qwhsflag1"] = _QWHX_FOLLOWS
            extension = {
                "qwhxlen": 16,
                "qwhxtyp": 2,
                "qwhxqsg": identity.qsg or "",
                "qwhxrel": "".join(f"{part:02d}" for part in level_key(identity.mq_level)),
            }
            tails.append(sections_of("QWHX", extension, count, 16))
    head = sections_of("QWHS", columns, count, columns["qwhslen"])
    rows = np.concatenate([head, *tails], axis=1)
    return Group(rows, rows.shape[1], 1)
