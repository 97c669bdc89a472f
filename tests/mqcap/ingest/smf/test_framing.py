from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.ingest.smf.framers import BdwFramer, NordwFramer, RdwFramer
from mqcap.ingest.smf.framing import Framing, detect, framer_of
from tests.mqcap.ingest.dumps import small_dump


@pytest.mark.parametrize(
    ("written", "detected"),
    [
        ("rdw", Framing.RDW),
        ("rdwseg", Framing.RDW),
        ("bdw", Framing.BDW),
        ("nordw", Framing.NORDW),
    ],
)
def test_the_framing_is_detected_from_the_content(
    tmp_path: Path, written: str, detected: Framing
) -> None:
    content = small_dump(tmp_path, written).read_bytes()
    assert detect(memoryview(content)) is detected


@pytest.mark.parametrize("written", ["rdw", "bdw", "nordw"])
def test_the_framing_is_detected_behind_a_corrupt_beginning(tmp_path: Path, written: str) -> None:
    content = small_dump(tmp_path, written).read_bytes()
    assert detect(memoryview(b"\xff" * 100 + content)) is not None


@pytest.mark.parametrize("content", [b"", b"\x00" * 500, b"text\r\n" * 50, b"\xff" * 100])
def test_other_content_has_no_framing(content: bytes) -> None:
    assert detect(memoryview(content)) is None


def test_spanned_records_are_read_as_records_with_descriptor_words() -> None:
    view = memoryview(b"")
    assert isinstance(framer_of(Framing.RDWSEG, view), RdwFramer)
    assert isinstance(framer_of(Framing.RDW, view), RdwFramer)
    assert isinstance(framer_of(Framing.BDW, view), BdwFramer)
    assert isinstance(framer_of(Framing.NORDW, view), NordwFramer)
