"""Record headers: who wrote a record, at which product level, and for which interval.

Header time and QWHSTIME are local, QWHSSTCK is UTC; their difference, rounded to a quarter of
an hour, is the UTC offset. QWHSDURN counts microseconds, but TOD units in 115.231 and 116.10.
The interval of 116.1 is that of its task (WTAS). The other records without one get none here:
115.5, 6, 7 with their stub of a header and 116.2 (``borrowed_intervals`` looks for it), and 116.0.
"""

from functools import cache, partial
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.ingest.smf.arrow import column, masked, strings
from mqcap.ingest.smf.clock import (
    NOT_SET,
    QUARTER_HOUR_US,
    TOD_UNITS_PER_US,
    US_PER_SECOND,
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
from mqcap.ingest.smf.clock import US_PER_DAY as DAY_US
from mqcap.ingest.smf.columns import encoded_text, text_column
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.kinds import (
    CF_ACTIVITY,
    FACILITY_STRUCTURE,
    PRODUCT_STRUCTURE,
    RMF_ACTIVITY,
    Kind,
)
from mqcap.ingest.smf.layout import field_of, layouts
from mqcap.ingest.smf.record_heads import (
    LONGEST_INTERVAL_US,
    Faults,
    Heads,
    Interval,
    Triplets,
    triplets,
)
from mqcap.ingest.smf.strided_read import field_bytes, strided_rows, strided_structures

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


def read_heads(records: Records, kind: Kind) -> Heads:
    """Return the heads of records of one decoded kind; corrupt ones go to ``faults``."""
    return _rmf_heads(records, kind) if kind.record_type == RMF_ACTIVITY else _mq(records, kind)


def _mq(records: Records, kind: Kind) -> Heads:
    """Return heads of MQ records: standard header, then QWHS and QWHX."""
    faults = Faults(len(records))
    header = _standard_header(records, "SM115", faults)
    local = _local_time(header, faults)
    first = triplets(records, 0)
    qwhs = strided_structures(
        records.buffer, records.base + first.offset, layouts()["QWHS"], LONG_QWHS_BYTES
    )
    form = qwhs["qwhslen"].astype(np.int64)
    stub, long = form == _STUB_LENGTH_FIELD, form >= LONG_QWHS_BYTES
    _judge_qwhs(form, first, records.size, faults)
    built = np.where(stub, NOT_SET, tod_to_unix_us(qwhs["qwhsstck"]))
    interval = _mq_interval(kind, qwhs, np.where(long, local, NOT_SET), utc_offset_us(local, built))
    if kind == _TASK_KIND:
        interval = _task_interval(records, interval.offset_us)
    faults.add(interval.length_us > LONGEST_INTERVAL_US, "the interval is longer than 25 hours")
    _judge_interval(interval, local, faults)
    return Heads(
        records=records,
        kind=kind,
        faults=faults,
        triplet_count=np.where(stub, _STUB_TRIPLET_COUNT, qwhs["qwhsnsda"].astype(np.int64)),
        interval=interval,
        local_us=local,
        columns=cache(partial(_mq_columns, records, header, qwhs, first)),
    )


def _mq_columns(
    records: Records, header: NDArray[np.void], qwhs: NDArray[np.void], first: Triplets
) -> dict[str, pa.Array]:
    """Return the columns that identify the writer of the records and its version."""
    return {
        "smfid": encoded_text(field_bytes(header, "sid")),
        "qmgr": encoded_text(field_bytes(header, "ssi")),
        **_level_and_group(records, header, qwhs, first),
    }


def _standard_header(records: Records, layout: str, faults: Faults) -> NDArray[np.void]:
    """Return the header of every record, behind its descriptor word."""
    faults.add(
        records.size < HEADER_BYTES + 8,
        "it is shorter than its header and first triplet",
        Corruption.too_short,
    )
    return strided_structures(
        records.buffer, records.base, layouts()[layout], HEADER_BYTES, behind=4
    )


def _local_time(header: NDArray[np.void], faults: Faults) -> Ints:
    """Return local time of every record."""
    local, valid = header_local_us(header["tme"], field_bytes(header, "dte"))
    faults.add(~valid, "its date or time is none", Corruption.wrong_content)
    odd = np.flatnonzero(valid & ~is_plausible(local))
    reasons = map(clock_problem, local[odd].tolist())
    faults.add_each(odd, reasons, Corruption.wrong_clock)
    return local


def _judge_interval(interval: Interval, local: Ints, faults: Faults) -> None:
    """Find records whose interval is not of the time at which they were written."""
    odd = np.abs(interval.offset_us) > DAY_US
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


def _judge_qwhs(form: Ints, first: Triplets, size: Ints, faults: Faults) -> None:
    """Find records whose QWHS is missing, outside of them, or of an unknown form."""
    stub, long = form == _STUB_LENGTH_FIELD, form >= LONG_QWHS_BYTES
    bytes_used = np.select([stub, long], [STUB_QWHS_BYTES, LONG_QWHS_BYTES], SHORT_QWHS_BYTES)
    faults.add(first.count < 1, "the triplet of QWHS is empty")
    faults.add(first.outside(size), "QWHS is outside of the record", Corruption.too_short)
    faults.add(
        ~stub & (form < SHORT_QWHS_BYTES),
        "QWHS has none of its known lengths",
        Corruption.wrong_content,
    )
    faults.add(first.length < bytes_used, "QWHS is longer than its triplet says")


def _mq_interval(kind: Kind, qwhs: NDArray[np.void], ended: Ints, offset: Ints) -> Interval:
    """Return the statistics interval; not set where QWHS is short or its length is zero.

    ``ended`` is the local time of records with a long QWHS.
    """
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
    ends: dict[str, Ints] = {}
    for field in layouts()["WTAS"].fields:
        if field.name in {"wtasints", "wtasinte"}:
            raw = strided_rows(
                records.buffer, records.base + place.offset + field.offset, field.length
            )
            inside = (place.count > 0) & (place.length >= field.end) & ~place.outside(records.size)
            values = np.ascontiguousarray(raw).view(">u8").reshape(len(records))
            ends[field.name] = np.where(inside, tod_to_unix_us(values), NOT_SET)
    length = minus(ends["wtasinte"], ends["wtasints"])
    is_set = (length > 0) & (length <= LONGEST_INTERVAL_US)
    start, end = (np.where(is_set, ends[name], NOT_SET) for name in ("wtasints", "wtasinte"))
    return Interval(start, end, np.where(is_set, length, NOT_SET), offset)


def _level_and_group(
    records: Records, header: NDArray[np.void], qwhs: NDArray[np.void], first: Triplets
) -> dict[str, pa.Array]:
    """Return MQ version and queue sharing group, both from QWHX if there is one (since 10.0)."""
    form = qwhs["qwhslen"].astype(np.int64)
    stub, long = form == _STUB_LENGTH_FIELD, form >= LONG_QWHS_BYTES
    place = np.select(
        [stub, long], [STUB_QWHS_BYTES, LONG_QWHS_BYTES], SHORT_QWHS_BYTES + QWHC_BYTES
    )
    qwhx = strided_structures(
        records.buffer, records.base + first.offset + place, layouts()["QWHX"], _QWHX_BYTES
    )
    release = _digits(field_bytes(header, "rel"))
    flagged = stub | ((qwhs["qwhsflag1"] & _QWHX_FLAG) != 0)
    present = (
        flagged
        & (release >= _FIRST_RELEASE_WITH_QWHX)
        & (place + _QWHX_BYTES <= first.length)
        & (qwhx["qwhxlen"] == _QWHX_BYTES)
    )
    version = np.where(present, _digits(field_bytes(qwhx, "qwhxrel")), _three_digits(release))
    group = encoded_text(field_bytes(qwhx, "qwhxqsg"))
    return {
        "mq_level": _levels(version),
        "qsg": masked(group, ~present),
    }


def _digits(raw: NDArray[np.uint8]) -> Ints:
    """Return EBCDIC digits as a number; -1 where a byte is no digit."""
    digits = raw.astype(np.int64) - _DIGIT_ZERO
    scale = 10 ** np.arange(raw.shape[1] - 1, -1, -1, dtype=np.int64)
    return np.where(((digits >= 0) & (digits <= 9)).all(axis=1), digits @ scale, -1)


def _three_digits(release: Ints) -> Ints:
    """Return a release such as 935 in the form VVRRMM (90305)."""
    number = release // 100 * 10_000 + release // 10 % 10 * 100 + release % 10
    return np.where(release < 0, -1, number)


def _levels(version: Ints) -> pa.Array:
    """Return VVRRMM as text such as 9.3.5; null where it is unknown."""
    distinct, index = np.unique(version, return_inverse=True)
    texts = [
        f"{number // 10_000}.{number // 100 % 100}.{number % 100}" for number in distinct.tolist()
    ]
    levels = pa.DictionaryArray.from_arrays(column(index.astype(np.int32)), strings(texts))
    return masked(levels, version < 0)


def _rmf_heads(records: Records, kind: Kind) -> Heads:
    """Return heads of RMF records: product section, and in 74.4 the name of the facility."""
    faults = Faults(len(records))
    header = _standard_header(records, "SMF74HDR", faults)
    local = _local_time(header, faults)
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
    product = strided_structures(records.buffer, records.base + place.offset, layout, layout.length)
    interval = _rmf_interval(product, faults)
    _judge_interval(interval, local, faults)
    return Heads(
        records=records,
        kind=kind,
        faults=faults,
        triplet_count=count,
        interval=interval,
        local_us=local,
        columns=cache(partial(_rmf_columns, records, kind, header, product)),
    )


def _rmf_columns(
    records: Records, kind: Kind, header: NDArray[np.void], product: NDArray[np.void]
) -> dict[str, pa.Array]:
    """Return the columns that identify the writer of the records and the coupling facility."""
    writer = {
        "smfid": encoded_text(field_bytes(header, "sid")),
        "sysplex": encoded_text(field_bytes(product, "smf74xnm")),
    }
    if kind != CF_ACTIVITY:
        return writer
    facility, present = _facility(records, header["smf74trn"].astype(np.int64))
    return {**writer, "cf": masked(facility, ~present)}


def _rmf_interval(product: NDArray[np.void], faults: Faults) -> Interval:
    """Return the gathering interval: its end in UTC, or its local start when that is not set."""
    length, has_length = packed_interval_to_us(field_bytes(product, "smf74int"))
    faults.add(~has_length, "its interval length is no number", Corruption.wrong_content)
    offset = product["smf74lgo"].astype(np.int64) // TOD_UNITS_PER_US
    days, is_date = packed_date_to_days(field_bytes(product, "smf74dat"))
    clock, is_clock = packed_clock_to_us(field_bytes(product, "smf74ist"))
    ended = tod_to_unix_us(product["smf74gie"])
    computed = days * DAY_US + clock - offset + length
    faults.add((ended == NOT_SET) & ~(is_date & is_clock), "its interval has no time")
    end = np.where(ended == NOT_SET, computed, ended)
    return Interval(end - length, end, length, offset)


def _facility(records: Records, count: Ints) -> tuple[pa.Array, NDArray[Any]]:
    """Return the name of the coupling facility, and whether the record has one (pieces may not)."""
    place = triplets(records, _FACILITY_POSITION)
    layout = layouts()[FACILITY_STRUCTURE]
    name = layout.fields[0]
    present = (
        (count > _FACILITY_POSITION)
        & (place.count > 0)
        & (place.length >= name.end)
        & ~place.outside(records.size)
    )
    rows = strided_structures(records.buffer, records.base + place.offset, layout, name.end)
    return text_column(field_bytes(rows, name.column)), present
