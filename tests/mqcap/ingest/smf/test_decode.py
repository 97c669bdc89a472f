"""Decoding of records, their hashes, and what is set aside."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devtools.simulator.encode.fields import encode_sections
from mqcap.ingest.smf.columns import encoded_text, text_column
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.dump_file import open_content
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.quarantine import (
    KEPT_QUARANTINE_BYTES,
    quarantine_row,
)
from mqcap.ingest.smf.record_heads import record_hashes
from tests.mqcap.ingest.dumps import decode, small_dump


def test_only_used_slots_of_an_array_become_rows() -> None:
    layout = layouts()["QEST"]
    columns = {
        "qeststuc_0_qeststr": "CSQ_ADMIN",
        "qeststuc_5_qeststr": "APPL1",
        "qeststuc_5_qestmnus": 17,
    }
    rows = encode_sections(layout, columns, layout.length, 2)
    result = decode(layout, rows.tobytes(), layout.length).to_pylist()
    names = ["CSQ_ADMIN", "APPL1"] * 2
    assert [row["qeststr"] for row in result] == names
    assert result[1]["qestmnus"] == 17
    assert result[1]["qesteyec"] == "QEST"


def test_an_unsigned_number_that_no_counter_reaches_is_null() -> None:
    layout = layouts()["QCCT"]
    limits = np.array([2**64 - 1, 17592186040320], np.uint64)
    rows = encode_sections(layout, {"qcctslim": limits}, 64, 2)
    result = decode(layout, rows.tobytes(), 64).column("qcctslim").to_pylist()
    assert result == [None, 17592186040320]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xd8\xd4\x40\x40", "QM"),
        (b"\xd8\x40\xd4\x00", "Q M"),
        (b"\x00\x00\x00\x00", ""),
        (b"\x40\x40\xf1\x40", "  1"),
        (b"\xd8\x01\x40\x40", "Q?"),
        (b"\xd8\x51\x00\x40", "Q\N{LATIN SMALL LETTER E WITH ACUTE}"),
    ],
)
def test_text_loses_only_trailing_blanks_and_zeros(raw: bytes, text: str) -> None:
    content = np.frombuffer(raw, np.uint8).reshape(1, 4)
    assert text_column(content).to_pylist() == encoded_text(content).to_pylist() == [text]


def test_an_array_that_the_section_ends_before_has_no_entries() -> None:
    layout = layouts()["QEST"]
    rows = encode_sections(layout, {}, 40, 1)
    assert decode(layout, rows.tobytes(), 40).num_rows == 0


def test_of_a_long_range_only_the_first_bytes_are_stored() -> None:
    for size in (1, KEPT_QUARANTINE_BYTES, KEPT_QUARANTINE_BYTES + 1):
        row = quarantine_row("ab", 0, size, "long", bytes(size))
        assert row["bytes_count"] == size
        assert len(row["raw_hex"]) == 2 * min(size, KEPT_QUARANTINE_BYTES)


@pytest.mark.thorough
def test_bytes_that_were_let_go_can_be_read_again(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    content = open_content(dump)
    content.release(1, len(content.data))
    assert content.data.tobytes() == dump.read_bytes()


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


def test_a_hash_is_the_same_in_every_process() -> None:
    assert record_hashes(records_of(bytes(range(20)))).tolist() == [-2384440710343335910]
