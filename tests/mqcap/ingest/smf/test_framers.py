from __future__ import annotations

import pytest

from mqcap.ingest.smf.framers import (
    BdwFramer,
    CorruptDataError,
    NordwFramer,
    RdwFramer,
)


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
