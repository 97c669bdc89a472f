from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.ingest.smf.contiguous_records import ContiguousRecords
from mqcap.ingest.smf.framers import (
    COMPLETE,
    FIRST,
    LAST,
    BdwFramer,
    CorruptDataError,
    NordwFramer,
    RdwFramer,
)
from tests.mqcap.ingest.dumps import small_dump


def content_of(folder: Path, framing: str) -> bytes:
    return small_dump(folder, framing).read_bytes()


def ends(framer: RdwFramer | BdwFramer | NordwFramer, size: int) -> list[int]:
    """Ends of all segments of a sound content, one after another."""
    result = []
    position = 0
    while position < size:
        position = framer.segment(position).end
        result.append(position)
    return result


@pytest.mark.parametrize("framing", ["rdw", "bdw", "nordw"])
def test_segments_lead_from_one_to_the_next_up_to_the_end(tmp_path: Path, framing: str) -> None:
    content = content_of(tmp_path, framing)
    framer = {"rdw": RdwFramer, "bdw": BdwFramer, "nordw": NordwFramer}[framing](
        memoryview(content)
    )
    assert ends(framer, len(content))[-1] == len(content)


def test_contiguous_records_end_where_single_segments_end(tmp_path: Path) -> None:
    content = content_of(tmp_path, "rdw")
    records = ContiguousRecords()
    end = RdwFramer(memoryview(content)).read_contiguous(0, len(content), records)
    assert end == len(content)
    assert records.end == ends(RdwFramer(memoryview(content)), len(content))
    assert records.base == [0, *records.end[:-1]] == records.offset


def test_records_without_descriptor_words_are_never_read_in_bulk(tmp_path: Path) -> None:
    framer = NordwFramer(memoryview(content_of(tmp_path, "nordw")))
    records = ContiguousRecords()
    assert framer.read_contiguous(0, 1 << 20, records) == 0
    assert records.base == []


def test_the_segments_of_a_spanned_record_are_first_to_last(tmp_path: Path) -> None:
    content = content_of(tmp_path, "rdwseg")
    framer = RdwFramer(memoryview(content))
    codes = []
    position = 0
    while position < len(content):
        code, _, position = framer.segment(position)
        codes.append(code)
    assert {FIRST, LAST} <= set(codes)
    assert codes.count(FIRST) == codes.count(LAST)


@pytest.mark.parametrize(
    ("framing", "content", "reason"),
    [
        ("rdw", b"\x00\x20", "inside a record descriptor word"),
        ("rdw", b"\x00\x20\x00\x01" + bytes(40), "no record descriptor word"),
        ("rdw", b"\x00\x20\x04\x00" + bytes(40), "no record descriptor word"),
        ("rdw", b"\x00\x05\x00\x00" + bytes(40), "a record length of 5"),
        ("rdw", b"\x00\x20\x00\x00" + bytes(20), "the file ends 8 bytes before the record does"),
        ("bdw", b"\x00\x20\x00", "inside a block descriptor word"),
        ("bdw", b"\x00\x20\x00\x01" + bytes(40), "no block descriptor word"),
        ("nordw", bytes(40), "no record header"),
    ],
)
def test_corrupt_data_is_described(framing: str, content: bytes, reason: str) -> None:
    framer = {"rdw": RdwFramer, "bdw": BdwFramer, "nordw": NordwFramer}[framing](
        memoryview(content)
    )
    with pytest.raises(CorruptDataError, match=reason):
        framer.segment(0)


@pytest.mark.parametrize("framing", ["rdw", "bdw", "nordw"])
def test_reading_resumes_at_the_next_record(tmp_path: Path, framing: str) -> None:
    content = content_of(tmp_path, framing)
    garbage = b"\xff" * 37
    framer = {"rdw": RdwFramer, "bdw": BdwFramer, "nordw": NordwFramer}[framing](
        memoryview(garbage + content)
    )
    place = framer.resume(1)
    assert len(garbage) <= place <= len(garbage) + 4
    assert framer.segment(place).code in {COMPLETE, FIRST}


def test_without_another_record_reading_resumes_at_the_end() -> None:
    content = memoryview(b"\xff" * 300)
    for framer in (RdwFramer(content), BdwFramer(content), NordwFramer(content)):
        assert framer.resume(0) == 300
