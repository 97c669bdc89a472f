from __future__ import annotations

import pytest

from mqcap.ingest.smf.header_pattern import candidates, is_bare_header, is_header, read_rdw

HEADER = bytes.fromhex("5e730020f5800125069f")
"""Flag, type 115, 06:00:00.00 in hundredths, and 2025-03-10."""
RECORD = b"\x00\x20\x00\x00" + HEADER + bytes(18)


def view(content: bytes) -> memoryview:
    return memoryview(content)


def test_time_and_date_make_a_header() -> None:
    assert is_header(view(HEADER), 0)
    assert is_bare_header(view(HEADER), 0)


@pytest.mark.parametrize(
    ("place", "value"),
    [(2, 0x01), (3, 0x84), (6, 0x02), (7, 0xA5), (8, 0x4A), (9, 0x9C)],
    ids=["time too large", "hour 24", "century", "year", "day of year", "sign"],
)
def test_a_time_or_date_that_cannot_be_makes_none(place: int, value: int) -> None:
    content = bytearray(HEADER)
    content[place] = value
    assert not is_header(view(bytes(content)), 0)


def test_without_descriptor_word_the_flag_must_be_one_of_a_record() -> None:
    content = b"\x00" + HEADER[1:]
    assert is_header(view(content), 0)
    assert not is_bare_header(view(content), 0)


def test_a_header_cut_by_the_end_is_none() -> None:
    assert not is_header(view(HEADER[:-1]), 0)


def test_candidates_are_found_in_order_also_inside_other_bytes() -> None:
    content = b"\xff" * 7 + RECORD + b"\xff" * 3 + RECORD
    assert list(candidates(view(content), 0, with_rdw=True)) == [7, 7 + len(RECORD) + 3]
    assert list(candidates(view(content), 8, with_rdw=True)) == [7 + len(RECORD) + 3]
    assert next(candidates(view(content), 0, with_rdw=False)) == 11


def test_a_descriptor_word_is_length_segment_code_and_zero() -> None:
    assert read_rdw(RECORD, 0) == (32, 0, 0)
