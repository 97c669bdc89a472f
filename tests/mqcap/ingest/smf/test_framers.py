from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.ingest.smf.framers import (
    BdwFramer,
    CorruptDataError,
    NordwFramer,
    RdwFramer,
)
from tests.mqcap.ingest.dumps import small_dump


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


def test_the_last_record_of_a_file_is_found_behind_corrupt_data(tmp_path: Path) -> None:
    content = small_dump(tmp_path, "nordw").read_bytes()
    last = end = 0
    while end < len(content):
        last, end = end, NordwFramer(memoryview(content)).segment(end).end
    rest = b"\xff" * 37 + content[last:]
    assert NordwFramer(memoryview(rest)).resume(1) == 37
    with pytest.raises(CorruptDataError, match="the file ends 4 bytes before the record does"):
        NordwFramer(memoryview(rest[:-4])).segment(37)
