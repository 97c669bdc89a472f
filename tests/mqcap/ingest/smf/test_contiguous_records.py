from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.ingest.smf.contiguous_records import ContiguousRecords, take_contiguous
from mqcap.ingest.smf.dump import Batch, DumpWalker
from mqcap.ingest.smf.encode import write_dump
from mqcap.ingest.smf.framers import Framer, Segment
from mqcap.ingest.smf.framing import FORMS, DumpForm
from tests.mqcap.ingest.dumps import cf_dump_records, mq_dump_records, with_markers

pytestmark = pytest.mark.thorough


RECORDS = with_markers([*mq_dump_records(), *cf_dump_records()])


ENCODED_FRAMINGS = {"bdw": FORMS[0], "rdw": FORMS[1], "rdwseg": FORMS[1]}


class OneByOne:
    """A framer that never takes more than one segment at a time."""

    def __init__(self, framer: Framer) -> None:
        self._framer = framer

    def read_contiguous(self, position: int, _limit: int, _found: ContiguousRecords) -> int:
        return position

    def segment(self, position: int) -> Segment:
        return self._framer.segment(position)

    def resume(self, start: int) -> int:
        return self._framer.resume(start)


def walked(content: bytes, form: DumpForm, batch_bytes: int, *, fast: bool) -> list[Batch]:
    slow = replace(form, framer=lambda view: OneByOne(form.framer(view)))
    walker = DumpWalker(np.frombuffer(content, np.uint8), form if fast else slow)
    return list(walker.batches(batch_bytes))


@pytest.fixture(scope="module", params=sorted(ENCODED_FRAMINGS))
def framed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("framed") / f"dump.{request.param}"
    write_dump(path, RECORDS, request.param, segment_bytes=700)
    return path


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_taking_records_at_speed_equals_taking_them_one_by_one(
    framed: Path, data: st.DataObject
) -> None:
    content = bytearray(framed.read_bytes())
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=8))
    framing = ENCODED_FRAMINGS[framed.suffix[1:]]
    batch_bytes = data.draw(st.sampled_from([1, 900, 5000, 1 << 20]))
    fast = walked(bytes(content), framing, batch_bytes, fast=True)
    assert fast == walked(bytes(content), framing, batch_bytes, fast=False)


def record(length: int) -> bytes:
    return length.to_bytes(2, "big") + bytes(length - 2)


@pytest.mark.parametrize(
    ("content", "limit", "expected"),
    [
        (record(20) + record(30), 50, [20, 50]),
        (record(20) + record(30), 20, [20]),
        (record(20) + record(30), 21, [20, 50]),
        (record(20) + record(30)[:-1], 50, [20]),
        (record(20) + b"\x00\x14\x01\x00" + bytes(16), 40, [20]),
        (record(17), 17, []),
        (record(20) + b"\x00\x14", 22, [20]),
        (b"", 0, []),
    ],
    ids=["all", "limit", "begins before the limit", "cut", "segment", "short", "half", "empty"],
)
def test_complete_records_are_taken_up_to_the_first_other(
    content: bytes, limit: int, expected: list[int]
) -> None:
    records = ContiguousRecords()
    end = take_contiguous(memoryview(content), 0, limit, len(content), records)
    assert records.end == expected
    assert records.base == records.offset == ([0, *expected[:-1]] if expected else [])
    assert end == (expected[-1] if expected else 0)


def test_a_record_that_was_added_can_be_removed() -> None:
    records = ContiguousRecords()
    records.add(0, 20, 0)
    records.add(20, 40, 20)
    records.keep(1)
    assert (records.base, records.end, records.offset) == ([0], [20], [0])
