"""Heads of records: faults, triplets, intervals."""

from __future__ import annotations

import numpy as np
import pytest

from mqcap.ingest.smf.clock import Ints
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.kinds import FIRST_TRIPLET_AT, TRIPLET_BYTES
from mqcap.ingest.smf.record_heads import Triplets, triplets

END = FIRST_TRIPLET_AT + TRIPLET_BYTES


def numbers(*values: int) -> Ints:
    return np.array(values, np.int64)


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


@pytest.mark.parametrize(("size", "count"), [(END - 1, 0), (END, 0xFFFF)])
def test_a_triplet_behind_the_end_of_its_record_is_all_zero(size: int, count: int) -> None:
    content = (bytes(FIRST_TRIPLET_AT) + b"\xff" * TRIPLET_BYTES)[:size]
    place = triplets(records(content, b"\xff" * 64), 0)
    assert place.count.tolist()[0] == count
