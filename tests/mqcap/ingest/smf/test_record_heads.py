"""Hashes of records."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.record_heads import record_hashes
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.ingest.reading import read_all


def records_of(*contents: bytes) -> Records:
    sizes = np.array([4 + len(content) for content in contents], dtype=np.int64)
    buffer = np.frombuffer(b"".join(bytes(4) + content for content in contents), np.uint8)
    base = np.cumsum(sizes) - sizes
    return Records(buffer, base, sizes, base, sizes)


@pytest.mark.thorough
@given(st.lists(st.binary(min_size=14, max_size=60), min_size=1, max_size=8))
def test_records_have_one_hash_exactly_when_their_bytes_are_equal(contents: list[bytes]) -> None:
    hashes = record_hashes(records_of(*contents, *reversed(contents))).tolist()
    assert hashes == [*hashes[: len(contents)], *reversed(hashes[: len(contents)])]
    assert len(set(hashes)) == len(set(contents))


@pytest.mark.thorough
@given(st.binary(min_size=14, max_size=400), st.data())
def test_one_changed_bit_changes_the_hash(content: bytes, data: st.DataObject) -> None:
    changed = bytearray(content)
    changed[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    first, second = record_hashes(records_of(content, bytes(changed)))
    assert first != second


@pytest.mark.thorough
def test_a_hash_is_the_same_in_every_framing_and_process(tmp_path: Path) -> None:
    result = [
        read_all(small_dump(tmp_path, name)).tables["section_qjst"]["record_hash"].to_pylist()
        for name in ("rdw", "bdw", "rdwseg", "nordw")
    ]
    assert result == [result[0]] * 4
    assert record_hashes(records_of(bytes(range(20)))).tolist() == [-2384440710343335910]
