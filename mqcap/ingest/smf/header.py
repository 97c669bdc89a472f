"""Record headers: who wrote a record, at which product level, and for which interval.

Header time and QWHSTIME are local, QWHSSTCK is UTC; their difference, rounded to a quarter of
an hour, is the UTC offset. QWHSDURN counts microseconds, but TOD units in 115.231 and 116.10.
The interval of 116.1 is that of its task (WTAS). The other records without one get none here:
115.5, 6, 7 with their stub of a header and 116.2 (``borrowed_intervals`` looks for it), and 116.0.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.ingest.smf.arrow import column, masked, strings
from mqcap.ingest.smf.clock import (
    NOT_SET,
    QUARTER_HOUR_US,
    TOD_UNITS_PER_US,
    US_PER_DAY,
    US_PER_SECOND,
    Flags,
    Ints,
    clock_problem,
    header_local_us,
    is_plausible,
    minus,
    packed_clock_to_us,
    packed_date_to_days,
    packed_interval_to_us,
    plus,
    shown,
    tod_to_unix_us,
    utc_offset_us,
)
from mqcap.ingest.smf.columns import encoded_text, text_column
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.kinds import (
    CF_ACTIVITY,
    FACILITY_STRUCTURE,
    PRODUCT_STRUCTURE,
    RMF_ACTIVITY,
    Kind,
)
from mqcap.ingest.smf.layout import dtype_of, field_of, layouts
from mqcap.ingest.smf.record_heads import (
    LONGEST_INTERVAL_US,
    Faults,
    Heads,
    Interval,
    Triplets,
    triplets,
)
from mqcap.ingest.smf.strided_read import field_numbers, strided_rows

HEADER_BYTES: Final = layouts()["SM115"].length
LONG_QWHS_BYTES: Final = layouts()["QWHS"].length
SHORT_QWHS_BYTES: Final = field_of("QWHS", "qwhsflag4").end
STUB_QWHS_BYTES: Final = field_of("QWHS", "qwhsrmid").end
_STUB_LENGTH_FIELD: Final = 1
_STUB_TRIPLET_COUNT: Final = 2
QWHC_BYTES: Final = layouts()["QWHC"].length
_QWHX_BYTES: Final = layouts()["QWHX"].length
_QWHX_FLAG: Final = 0x40
_FIRST_RELEASE_WITH_QWHX: Final = 946
_KINDS_IN_TOD_UNITS: Final = frozenset({Kind(115, 231), Kind(116, 10)})
_HEADER_TOLERANCE_US: Final = 100_000
"""Longest time to write a record (ours); less than any interval would be too short if its
length were read in the wrong unit."""
_LARGEST_CLOCK_CHANGE_US: Final = 2 * 3600 * US_PER_SECOND
_TASK_KIND: Final = Kind(116, 1)
_TASK_POSITION: Final = 2
_DIGIT_ZERO: Final = 0xF0
_FACILITY_POSITION: Final = 1

_Structures = NDArray[np.void]


def read_heads(records: Records, kind: Kind) -> Heads:
    """Return the heads of records of one decoded kind; corrupt ones go to ``faults``."""
    return _rmf_heads(records, kind) if kind.record_type == RMF_ACTIVITY else _mq(records, kind)


def _mq(records: Records, kind: Kind) -> Heads:
    faults = Faults(len(records))
    header, local = _standard_header(records, "SM115", faults)
    first = triplets(records, 0)
    qwhs = _structures(records, first.offset, "QWHS")
    form = qwhs["qwhslen"].astype(np.int64)
    stub, long = form == _STUB_LENGTH_FIELD, form >= LONG_QWHS_BYTES
    bytes_used = np.select([stub, long], [STUB_QWHS_BYTES, LONG_QWHS_BYTES], SHORT_QWHS_BYTES)
    faults.add(first.count < 1, "the triplet of QWHS is empty")
    faults.add(first.outside(records.size), "QWHS is outside of the record", Corruption.too_short)
    faults.add(
        ~stub & (form < SHORT_QWHS_BYTES),
        "QWHS has none of its known lengths",
        Corruption.wrong_content,
    )
    faults.add(first.length < bytes_used, "QWHS is longer than its triplet says")
    built = np.where(stub, NOT_SET, tod_to_unix_us(qwhs["qwhsstck"]))
    interval = _mq_interval(kind, qwhs, np.where(long, local, NOT_SET), utc_offset_us(local, built))
    if kind == _TASK_KIND:
        interval = _task_interval(records, interval.offset_us)
    faults.add(interval.length_us > LONGEST_INTERVAL_US, "the interval is longer than 25 hours")
    _judge_interval(interval, local, faults)
    behind = np.select(
        [stub, long], [STUB_QWHS_BYTES, LONG_QWHS_BYTES], SHORT_QWHS_BYTES + QWHC_BYTES
    )
    has_extension = stub | ((qwhs["qwhsflag1"] & _QWHX_FLAG) != 0)
    return Heads(
        records=records,
        kind=kind,
        faults=faults,
        triplet_count=np.where(stub, _STUB_TRIPLET_COUNT, qwhs["qwhsnsda"].astype(np.int64)),
        interval=interval,
        local_us=local,
        columns={
            "smfid": encoded_text(_bytes(header, "sid")),
            "qmgr": encoded_text(_bytes(header, "ssi")),
            **_level_and_group(records, header, first, behind, has_extension),
        },
    )


def _standard_header(records: Records, layout: str, faults: Faults) -> tuple[_Structures, Ints]:
    faults.add(
        records.size < HEADER_BYTES + 8,
        "it is shorter than its header and first triplet",
        Corruption.too_short,
    )
    header = _structures(records, 0, layout, HEADER_BYTES, behind=4)
    local, valid = header_local_us(header["tme"], _bytes(header, "dte"))
    faults.add(~valid, "its date or time is none", Corruption.wrong_content)
    odd = np.flatnonzero(valid & ~is_plausible(local))
    faults.add_each(odd, map(clock_problem, local[odd].tolist()), Corruption.wrong_clock)
    return header, local


def _judge_interval(interval: Interval, local: Ints, faults: Faults) -> None:
    """Find records whose interval is not of the time at which they were written."""
    odd = np.abs(interval.offset_us) > US_PER_DAY
    faults.add(
        (interval.offset_us != NOT_SET) & odd,
        "its clock is more than a day from UTC",
        Corruption.wrong_clock,
    )
    late = minus(minus(local, interval.offset_us), interval.end_us)
    away = np.flatnonzero((late != NOT_SET) & (np.abs(late) > LONGEST_INTERVAL_US))
    reasons = (
        f"its interval ends at {shown(end)} UTC, more than 25 hours from its own"
        f" time {shown(written)}"
        for end, written in zip(interval.end_us[away].tolist(), local[away].tolist(), strict=True)
    )
    faults.add_each(away, reasons, Corruption.wrong_clock)


def _mq_interval(kind: Kind, qwhs: _Structures, ended: Ints, offset: Ints) -> Interval:
    """Return the statistics interval; not set where QWHS is short (no ``ended``), its length 0."""
    units = qwhs["qwhsdurn"].astype(np.uint64)
    if kind in _KINDS_IN_TOD_UNITS:
        units = units // np.uint64(TOD_UNITS_PER_US)
    length = np.minimum(units, np.uint64(2 * LONGEST_INTERVAL_US)).astype(np.int64)
    is_set = (ended != NOT_SET) & (length > 0) & (offset != NOT_SET) & (qwhs["qwhstime"] != 0)
    began = np.where(is_set, tod_to_unix_us(qwhs["qwhstime"]), NOT_SET)
    length = np.where(is_set, length, NOT_SET)
    moved = _clock_change(minus(ended, plus(began, length)))
    start = minus(plus(began, moved), offset)
    return Interval(start, plus(start, length), length, offset)


def _clock_change(late: Ints) -> Ints:
    """Return by how much the local clock was put forward between begin and end of the interval.

    ``late`` is the header time minus QWHSTIME and QWHSDURN: nothing, or a change of the clock.
    """
    moved = (late + QUARTER_HOUR_US // 2) // QUARTER_HOUR_US * QUARTER_HOUR_US
    changed = (np.abs(late - moved) <= _HEADER_TOLERANCE_US) & (
        np.abs(moved) <= _LARGEST_CLOCK_CHANGE_US
    )
    return np.where(changed & (late != NOT_SET), moved, 0)


def _task_interval(records: Records, offset: Ints) -> Interval:
    """Return the interval of the task of 116.1 records, in UTC; not set where it is incomplete."""
    place = triplets(records, _TASK_POSITION)
    ends: list[Ints] = []
    for name in ("wtasints", "wtasinte"):
        field = field_of("WTAS", name)
        tod = field_numbers(records.buffer, records.base + place.offset, field)
        ends.append(np.where(place.holds(field.end, records.size), tod_to_unix_us(tod), NOT_SET))
    length = minus(ends[1], ends[0])
    is_set = (length > 0) & (length <= LONGEST_INTERVAL_US)
    start, end, length = (np.where(is_set, values, NOT_SET) for values in (*ends, length))
    return Interval(start, end, length, offset)


def _level_and_group(
    records: Records, header: _Structures, first: Triplets, behind: Ints, has_extension: Flags
) -> dict[str, pa.Array]:
    """Return MQ version and queue sharing group, both from QWHX if it is there (since 10.0)."""
    qwhx = _structures(records, first.offset + behind, "QWHX")
    release = _digits(_bytes(header, "rel"))
    present = (
        has_extension
        & (release >= _FIRST_RELEASE_WITH_QWHX)
        & (behind + _QWHX_BYTES <= first.length)
        & (qwhx["qwhxlen"] == _QWHX_BYTES)
    )
    of_three_digits = release // 100 * 10_000 + release // 10 % 10 * 100 + release % 10
    of_header = np.where(release < 0, -1, of_three_digits)
    version = np.where(present, _digits(_bytes(qwhx, "qwhxrel")), of_header)
    distinct, index = np.unique(version, return_inverse=True)
    texts = [
        f"{number // 10_000}.{number // 100 % 100}.{number % 100}" for number in distinct.tolist()
    ]
    levels = pa.DictionaryArray.from_arrays(column(index.astype(np.int32)), strings(texts))
    group = encoded_text(_bytes(qwhx, "qwhxqsg"))
    return {"mq_level": masked(levels, version < 0), "qsg": masked(group, ~present)}


def _digits(raw: NDArray[np.uint8]) -> Ints:
    digits = raw.astype(np.int64) - _DIGIT_ZERO
    scale = 10 ** np.arange(raw.shape[1] - 1, -1, -1, dtype=np.int64)
    return np.where(((digits >= 0) & (digits <= 9)).all(axis=1), digits @ scale, -1)


def _rmf_heads(records: Records, kind: Kind) -> Heads:
    faults = Faults(len(records))
    header, local = _standard_header(records, "SMF74HDR", faults)
    count = header["smf74trn"].astype(np.int64)
    layout = layouts()[PRODUCT_STRUCTURE]
    place = triplets(records, 0)
    faults.add((count < 1) | (place.count < 1), "it has no product section")
    faults.add(
        place.outside(records.size),
        "its product section is outside of the record",
        Corruption.too_short,
    )
    faults.add(place.length < layout.length, "its product section is too short")
    product = _structures(records, place.offset, PRODUCT_STRUCTURE)
    interval = _rmf_interval(product, faults)
    _judge_interval(interval, local, faults)
    columns = {
        "smfid": encoded_text(_bytes(header, "sid")),
        "sysplex": encoded_text(_bytes(product, "smf74xnm")),
    }
    if kind == CF_ACTIVITY:
        columns["cf"] = _facility(records, count)
    return Heads(
        records=records,
        kind=kind,
        faults=faults,
        triplet_count=count,
        interval=interval,
        local_us=local,
        columns=columns,
    )


def _rmf_interval(product: _Structures, faults: Faults) -> Interval:
    """Return the gathering interval: its end in UTC, or its local start when that is not set."""
    length, has_length = packed_interval_to_us(_bytes(product, "smf74int"))
    faults.add(~has_length, "its interval length is no number", Corruption.wrong_content)
    offset = product["smf74lgo"].astype(np.int64) // TOD_UNITS_PER_US
    days, is_date = packed_date_to_days(_bytes(product, "smf74dat"))
    clock, is_clock = packed_clock_to_us(_bytes(product, "smf74ist"))
    ended = tod_to_unix_us(product["smf74gie"])
    computed = days * US_PER_DAY + clock - offset + length
    faults.add((ended == NOT_SET) & ~(is_date & is_clock), "its interval has no time")
    end = np.where(ended == NOT_SET, computed, ended)
    return Interval(end - length, end, length, offset)


def _facility(records: Records, count: Ints) -> Any:
    """Return the name of the coupling facility; null where a record has none (pieces may not)."""
    place = triplets(records, _FACILITY_POSITION)
    name = field_of(FACILITY_STRUCTURE, "r744fnam")
    present = (count > _FACILITY_POSITION) & place.holds(name.end, records.size)
    raw = strided_rows(records.buffer, records.base + place.offset + name.offset, name.length)
    return masked(text_column(raw), ~present)


def _structures(
    records: Records, offset: Ints | int, structure: str, length: int = 0, *, behind: int = 0
) -> _Structures:
    """Return the structure at an offset in each record, all of it without ``length``.

    Its first ``behind`` bytes are zero and not read: a record may begin before the buffer does.
    """
    layout = layouts()[structure]
    length = length or layout.length
    block = np.zeros((len(records), length), dtype=np.uint8)
    places = records.base + offset + behind
    block[:, behind:] = strided_rows(records.buffer, places, length - behind)
    return block.view(dtype_of(layout, length)).reshape(len(records))


def _bytes(rows: _Structures, column: str) -> Bytes:
    """Return the raw bytes of a field, a row of bytes per record."""
    values = np.ascontiguousarray(rows[column])
    return values.view(np.uint8).reshape(len(rows), values.dtype.itemsize)
