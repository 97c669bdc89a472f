"""MQ records, many at once: header, triplets, sections, product header, as rows of bytes.

All records of one call have the same shape, so they are one matrix with a record per row.
Interval times follow the habits of the platform: header time and interval start local, every
other instant UTC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.fields import Bytes2D, encode_sections, packed_of, section_bytes
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.clock import TOD_UNITS_PER_US
from mqcap.ingest.smf.header import QWHC_BYTES, SHORT_QWHS_BYTES
from mqcap.ingest.smf.layout import Layout, layouts, level_key

RDW_BYTES: Final = 4
RECORD_MAX_BYTES: Final = 32_756
TRIPLETS_OFFSET: Final = 28
DAY_US: Final = 86_400_000_000
MINUTE_US: Final = 60_000_000
_FLAG_SUBTYPE: Final = 0x5E
_FLAG_PLAIN: Final = 0x1E
_QWHX_FOLLOWS: Final = 0x40
_QWHX_LEVEL: Final = (10, 0, 0)
_FROZEN_RELEASE: Final = "946"
"""The release text that records keep from MQ 10.0 on."""


@dataclass(frozen=True)
class Intervals:
    """Intervals of records: microseconds since 1970 (UTC) and the UTC offset at the end.

    ``start_offset_minutes`` is the offset at its start, where the clock was changed between.
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


MQ_RECORD_KINDS: Final[Mapping[tuple[int, int], MqRecordKind]] = MappingProxyType(
    {
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
)
"""The kinds that the assembly can write."""


def group_of(
    layout: Layout, columns: Mapping[str, Any], length: int, records: int, count: int = 1
) -> Group:
    """Return a group of ``count`` sections per record; array columns run record by record."""
    sections = encode_sections(layout, columns, length, records * count)
    return Group(section_bytes(sections).reshape(records, count * length), length, count)


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
    head = RDW_BYTES + 24 + 8 * kind.triplets
    if kind.is_of_task:
        product = _task_header(kind, identity, intervals, user)
    else:
        product = _productheader_columns(kind, identity, intervals, sequence)
    ordered: list[tuple[int, Group]] = [*sorted(groups.items()), (0, product)]
    records = record_matrix(len(intervals), head, [group for _, group in ordered])
    columns = {
        **header_columns(kind.record_type, intervals, identity.smfid),
        "ssi": identity.qmgr,
        "sty": kind.subtype,
        "rel": release_text(identity.mq_level),
    }
    put_head(records, f"SM{kind.record_type}", columns)
    put_groups(records, head, ordered)
    return records


def dump_marker(record_type: int, local_us: int, smfid: str) -> bytes:
    """Return the header (type 2) or trailer (type 3) record of a dump, 18 bytes."""
    moment = np.array([local_us], dtype=np.int64)
    zero = np.zeros(1, dtype=np.int64)
    columns = header_columns(record_type, Intervals(moment, moment, zero), smfid)
    columns |= {"flg": _FLAG_PLAIN, "len": 18}
    return encode_sections(layouts()["SMFHDR"], columns, 18).tobytes()


def release_text(mq_level: str) -> str:
    """Return the three digits in the record header: ``9.4.0`` gives ``940``; fixed from 10.0 on."""
    key = level_key(mq_level)
    return _FROZEN_RELEASE if key >= _QWHX_LEVEL else "".join(str(part) for part in key[:3])


def record_matrix(records: int, head: int, groups: Sequence[Group]) -> Bytes2D:
    """Return empty records with room for a head and the groups."""
    length = head + sum(group.length * group.count for group in groups)
    if length > RECORD_MAX_BYTES:
        raise ConfigurationError(
            f"a record of {length} bytes cannot exist",
            expected=f"at most {RECORD_MAX_BYTES} bytes",
            remedy="Spread the sections over several records.",
        )
    return np.zeros((records, length), dtype=np.uint8)


def put_head(records: Bytes2D, structure: str, columns: Mapping[str, Any]) -> None:
    """Write the header structure into every record."""
    layout = layouts()[structure]
    own = {**columns, "len": records.shape[1]}
    head = encode_sections(layout, own, layout.length, len(records))
    records[:, : layout.length] = section_bytes(head)


def put_groups(records: Bytes2D, head: int, ordered: Sequence[tuple[int, Group]]) -> None:
    """Write each group and its triplet."""
    place = head
    for number, group in ordered:
        size = group.length * group.count
        triplet = np.array(
            [(place, group.length, group.count)], dtype=[("o", ">u4"), ("l", ">u2"), ("c", ">u2")]
        )
        at = TRIPLETS_OFFSET + 8 * number
        records[:, at : at + 8] = triplet.view(np.uint8)
        records[:, place : place + size] = group.rows
        place += size


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


def _productheader_columns(
    kind: MqRecordKind,
    identity: QueueManagerIdentity,
    intervals: Intervals,
    sequence: NDArray[np.int64] | None,
) -> Group:
    """Return QWHS, from MQ 10.0 with QWHX behind it."""
    count = len(intervals)
    has_extension = level_key(identity.mq_level) >= _QWHX_LEVEL
    numbers = np.zeros(count, dtype=">u4") if sequence is None else sequence.astype(">u4")
    of_interval = {
        "qwhsiseq": numbers.view(np.uint8).reshape(count, 4),
        "qwhsflag1": _QWHX_FOLLOWS if has_extension else 0,
        "qwhstime": intervals.start_local_us,
        "qwhsdurn": (intervals.end_us - intervals.start_us) * kind.duration_unit_per_us,
    }
    rows = _qwhs(kind, identity, intervals, 52, of_interval)
    if has_extension:
        extension = {
            "qwhxlen": 16,
            "qwhxtyp": 2,
            "qwhxqsg": identity.qsg or "",
            "qwhxrel": "".join(f"{part:02d}" for part in level_key(identity.mq_level)),
        }
        tail = section_bytes(encode_sections(layouts()["QWHX"], extension, 16, count))
        rows = np.concatenate([rows, tail], axis=1)
    return Group(rows, rows.shape[1], 1)


def _task_header(
    kind: MqRecordKind,
    identity: QueueManagerIdentity,
    intervals: Intervals,
    user: Mapping[str, Any],
) -> Group:
    """Return the short QWHS, which has no interval, with QWHC behind it."""
    head = _qwhs(kind, identity, intervals, SHORT_QWHS_BYTES, {})
    of_user = {"qwhclen": QWHC_BYTES, "qwhctyp": 2, **user}
    tail = section_bytes(encode_sections(layouts()["QWHC"], of_user, QWHC_BYTES, len(intervals)))
    rows = np.concatenate([head, tail], axis=1)
    return Group(rows, rows.shape[1], 1)


def _qwhs(
    kind: MqRecordKind,
    identity: QueueManagerIdentity,
    intervals: Intervals,
    length_bytes: int,
    further: Mapping[str, Any],
) -> Bytes2D:
    """Return QWHS of a length, one per interval, with further columns."""
    columns = {
        "qwhslen": length_bytes,
        "qwhstyp": 1,
        "qwhsrmid": kind.resource_manager,
        "qwhsiid": kind.event,
        "qwhsnsda": kind.triplets,
        "qwhsrn": kind.statistics_release,
        "qwhsssid": identity.qmgr,
        "qwhsstck": intervals.end_us,
        **further,
    }
    return section_bytes(encode_sections(layouts()["QWHS"], columns, length_bytes, len(intervals)))
