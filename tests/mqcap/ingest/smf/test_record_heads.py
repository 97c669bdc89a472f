"""Heads of records: faults, triplets, intervals."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from mqcap.ingest.smf.clock import NOT_SET, Flags, Ints
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.kinds import FIRST_TRIPLET_AT, TRIPLET_BYTES
from mqcap.ingest.smf.record_heads import Faults, Interval, Triplets, triplets

END = FIRST_TRIPLET_AT + TRIPLET_BYTES


def numbers(*values: int) -> Ints:
    return np.array(values, np.int64)


def flags(*values: bool) -> Flags:
    return np.array(values, np.bool_)


def test_a_record_keeps_its_first_reason() -> None:
    faults = Faults(3)
    faults.add(flags(False, True, False), "first", Corruption.too_short)
    faults.add(flags(False, True, True), "second")
    assert faults.sound.tolist() == [True, False, False]
    assert faults.reasons == {1: "first", 2: "second"}
    assert faults.kinds == {1: Corruption.too_short}


def test_without_a_faulty_record_nothing_is_noted() -> None:
    faults = Faults(2)
    faults.add(flags(False, False), "never", Corruption.truncated)
    assert faults.sound.all()
    assert (faults.reasons, faults.kinds) == ({}, {})


@pytest.mark.parametrize(
    ("offset", "size", "outside"),
    [
        (FIRST_TRIPLET_AT - 1, 200, True),
        (FIRST_TRIPLET_AT, 200, False),
        (100, 159, True),
        (100, 160, False),
        (100, 161, False),
    ],
    ids=["in-the-header", "behind-the-header", "one-too-short", "exact", "longer"],
)
def test_sections_are_inside_of_their_record(offset: int, size: int, outside: bool) -> None:
    place = Triplets(numbers(offset), numbers(20), numbers(3))
    assert place.outside(numbers(size)).tolist() == [outside]


def records(*contents: bytes) -> Records:
    sizes = numbers(*(len(content) for content in contents))
    base = np.cumsum(sizes) - sizes
    return Records(np.frombuffer(b"".join(contents), np.uint8), base, sizes, base, sizes)


def test_a_triplet_has_offset_length_and_count() -> None:
    triplet = b"\x00\x00\x01\x02\x00\x20\x00\x03"
    content = bytes(FIRST_TRIPLET_AT) + triplet + bytes(40)
    place = triplets(records(content), 0)
    assert [part.tolist() for part in (place.offset, place.length, place.count)] == [
        [0x102],
        [0x20],
        [3],
    ]


@pytest.mark.parametrize(("size", "count"), [(END - 1, 0), (END, 0xFFFF)])
def test_a_triplet_behind_the_end_of_its_record_is_all_zero(size: int, count: int) -> None:
    content = (bytes(FIRST_TRIPLET_AT) + b"\xff" * TRIPLET_BYTES)[:size]
    place = triplets(records(content, b"\xff" * 64), 0)
    assert place.count.tolist()[0] == count


def test_an_interval_has_its_length_in_seconds_and_its_offset_in_minutes() -> None:
    start, second = 1_741_611_600_000_000, 1_000_000
    made = Interval(
        numbers(start, NOT_SET),
        numbers(start + 1_800 * second, NOT_SET),
        numbers(1_800 * second + 500_000, NOT_SET),
        numbers(-300 * 60 * second, NOT_SET),
    ).columns()
    assert made["interval_start_utc"].to_pylist() == [
        datetime(2025, 3, 10, 13, tzinfo=UTC),
        None,
    ]
    assert made["interval_seconds"].to_pylist() == [1_800.5, None]
    assert made["utc_offset_minutes"].to_pylist() == [-300, None]
