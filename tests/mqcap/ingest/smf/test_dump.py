"""Damaged dumps: what is sound is read, the rest is quarantined with its place and reason."""

import gzip
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.domain.errors import InputError
from mqcap.ingest.check.dump_summary import summarise
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.layout import field_of
from tests.fuzz.check import check_file
from tests.mqcap.ingest.dumps import cf_dump_records, mq_dump_records, small_dump, with_markers
from tests.mqcap.ingest.reading import Read, is_accounted, read_all

pytestmark = pytest.mark.thorough

FRAMINGS = ["rdw", "rdwseg", "bdw", "nordw"]
RECORDS = with_markers([*mq_dump_records(), *cf_dump_records()])


@lru_cache
def sound(framing: str) -> bytes:
    """The content of a sound dump."""
    with tempfile.TemporaryDirectory() as folder:
        return small_dump(Path(folder), framing).read_bytes()


def read_bytes(content: bytes) -> Read:
    """Read a content as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.smf"
        path.write_bytes(content)
        return read_all(path)


def rows(read: Read) -> int:
    return sum(table.num_rows for name, table in read.tables.items() if name != "quarantine")


def check(content: bytes) -> None:
    """What the fuzzer asks of any content: read or refused, with every byte accounted for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.smf"
        path.write_bytes(content)
        check_file(path)


@given(st.binary(max_size=3000))
@settings(max_examples=60, deadline=None)
def test_arbitrary_bytes_are_refused_or_accounted_for(content: bytes) -> None:
    check(content)


@given(st.sampled_from(FRAMINGS), st.integers(0, 400_000))
@settings(max_examples=40, deadline=None)
def test_a_truncated_dump_keeps_what_came_before(framing: str, cut: int) -> None:
    content = sound(framing)
    content = content[: 2000 + cut % (len(content) - 2000)]
    read = read_bytes(content)
    assert is_accounted(read.summary)
    assert read.summary.quarantined_bytes < 33_000
    assert all("the transfer stopped early" in text for text in read.summary.problems)


def test_a_wrong_length_is_reported_with_its_place() -> None:
    records = list(RECORDS)
    offset = len(records[0]) + len(records[1])
    records[2] = (12).to_bytes(2, "big") + records[2][2:]
    read = read_bytes(b"".join(records))
    row = read.tables["quarantine"].to_pylist()[0]
    assert (row["byte_offset"], row["bytes_count"]) == (offset, len(records[2]))
    assert row["reason"] == "a record length of 12, outside 18 to 32760"
    problem = f"damaged.smf record 3 at byte {offset}: {row['reason']}"
    assert read.summary.problems == (f"{problem}; found {len(records[2])} bytes quarantined.",)
    assert read.summary.quarantined_bytes == len(records[2])


def test_a_length_that_swallows_the_next_record_costs_only_its_own_record() -> None:
    records = list(RECORDS)
    wrong = len(records[2]) + 40
    records[2] = wrong.to_bytes(2, "big") + records[2][2:]
    read = read_bytes(b"".join(records))
    assert read.summary.quarantined_bytes == len(records[2])
    assert read.summary.record_count == len(records) - 1
    assert "wrong length" in read.summary.problems[0]


def test_damages_of_one_kind_are_one_problem_with_their_count() -> None:
    record = with_markers(mq_dump_records())[1]
    unsound = record[:10] + b"\x01\x25\x40\x0f" + record[14:]
    read = read_bytes(record + unsound * 30 + record * 2)
    assert read.tables["quarantine"].num_rows == 30
    [problem] = read.summary.problems
    assert problem.endswith("29 more like it.")


def test_a_cut_gzip_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = gzip.compress(sound("rdw") * 40, compresslevel=1)
    path = tmp_path / "cut.gz"
    path.write_bytes(whole[: len(whole) - 40])
    summary = read_all(path).summary
    assert "gzip file is truncated or corrupt" in summary.problems[0]
    assert is_accounted(summary)


@pytest.mark.parametrize(
    "content",
    [b"\x1f\x8b", b"\x1f\x8b\x08\x00broken", gzip.compress(b"", mtime=0)],
    ids=["magic only", "cut header", "empty"],
)
def test_a_gzip_file_without_content_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "none.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be unpacked"):
        source_for(path)


def behind_the_first_record(framing: str, *inserted: bytes) -> bytes:
    return sound(framing)[:18] + b"".join(inserted) + sound(framing)[18:]


def segment(code: int, content: bytes, length: int) -> bytes:
    """A segment of so many bytes, filled up with zeros."""
    return length.to_bytes(2, "big") + bytes([code, 0]) + content.ljust(length - 4, b"\0")


def without_words() -> bytes:
    """Records without descriptor words, one of them of a type that cannot be delimited."""
    odd = RECORDS[3][:5] + bytes([30]) + RECORDS[3][6:]
    return b"".join(record[4:] for record in [*RECORDS[:3], odd, *RECORDS[4:]])


UNENDING = segment(1, RECORDS[1][4:60], 60)
TOO_LONG = (segment(1, RECORDS[1][4:28], 20_000), segment(2, b"", 20_000))
CRUMBS = (b"\xff" * 9, RECORDS[-1], b"\xff\xff")


@pytest.mark.parametrize(
    ("content", "quarantined", "problem"),
    [
        (lambda: behind_the_first_record("rdw", UNENDING), 60, "without its last segment"),
        (lambda: behind_the_first_record("rdwseg", UNENDING), 60, "without its last segment"),
        (lambda: behind_the_first_record("rdwseg", *TOO_LONG), 40_000, "add up to 39996 bytes"),
        (without_words, len(RECORDS[3]) - 4, "cannot be delimited without descriptor words"),
        (lambda: sound("rdw") + b"".join(CRUMBS), 9 + 18 + 2, ""),
        (lambda: behind_the_first_record("rdw", *believable_headers()), 9 + 18 + 14, ""),
    ],
    ids=[
        "unending record",
        "unending segments",
        "too long a record",
        "unknown type without words",
        "crumbs behind the last record",
        "believable headers with unbelievable lengths",
    ],
)
def test_what_is_no_record_is_quarantined_and_no_more(
    content: Callable[[], bytes], quarantined: int, problem: str
) -> None:
    read = read_bytes(content())
    assert read.summary.quarantined_bytes == quarantined
    assert problem in read.summary.problems[0]


def believable_headers() -> tuple[bytes, ...]:
    header = sound("rdw")[4:18]
    short = (9).to_bytes(2, "big") + b"\x00\x00" + header
    long = (40_000 - 32_768).to_bytes(2, "big") + b"\x00\x00" + header
    return b"\xff" * 9, short, long[:14]


def test_a_dump_of_spanned_records_only_is_read() -> None:
    record = RECORDS[1]
    parts = segment(1, record[4:60], 60) + segment(2, record[60:], len(record) - 56)
    read = read_bytes(parts * 2)
    assert (read.summary.framing, read.summary.record_count) == ("rdwseg", 2)


def test_a_block_length_that_ends_between_two_records_costs_no_byte(tmp_path: Path) -> None:
    content = small_dump(tmp_path, "bdw", mq_level="9.4.0").read_bytes()
    first_end = 4 + int.from_bytes(content[4:6], "big")
    second_end = first_end + int.from_bytes(content[first_end : first_end + 2], "big")
    read = read_bytes(second_end.to_bytes(2, "big") + content[2:])
    assert is_accounted(read.summary)
    assert read.summary.quarantined_bytes == 0
    assert "quarantine" not in read.tables
    assert rows(read) == rows(read_bytes(content))


def in_blocks(*blocks: list[bytes]) -> bytes:
    bodies = [b"".join(records) for records in blocks]
    return b"".join((len(body) + 4).to_bytes(2, "big") + b"\0\0" + body for body in bodies)


@pytest.mark.parametrize("beyond", [False, True], ids=["into a record", "beyond the file"])
def test_an_apparent_large_block_after_a_corrupt_range_costs_no_record(*, beyond: bool) -> None:
    records = mq_dump_records(mq_level="9.4.0")
    lost = bytearray(records[1])
    length = 1 << 30 if beyond else 4 + len(records[2]) + len(records[3]) // 2
    lost[:4] = b"\xff" * 4
    lost[-4:] = (0x8000_0000 | length).to_bytes(4, "big")
    sound_part = read_bytes(in_blocks([records[0], *records[2:4]], records[4:]))
    read = read_bytes(in_blocks([records[0], bytes(lost), *records[2:4]], records[4:]))
    assert is_accounted(read.summary)
    assert read.summary.quarantined_bytes == len(lost)
    assert rows(read) == rows(sound_part) > 0


def cut_the_end(content: bytearray) -> None:
    del content[-25:]


def remove_a_first_segment(content: bytearray) -> None:
    begin = content.index(b"\x02\xbc\x01\x00")
    del content[begin : begin + 700]


def insert_bytes(content: bytearray) -> None:
    content[3000:3000] = b"\x0d\x0a\x15"


def blank_an_eye_catcher(content: bytearray) -> None:
    at = content.index("QMST".encode("cp037"))
    content[at : at + 4] = b"    "


def point_a_triplet_behind_the_record(content: bytearray) -> None:
    first_record = 18  # behind the header of the dump
    content[first_record + 28 : first_record + 32] = (30_000).to_bytes(4, "big")


def set_the_clock_to_1971(content: bytearray) -> None:
    first_record = 18
    content[first_record + 10 : first_record + 14] = bytes.fromhex("0071125f")


def change_a_bit_of_a_count(content: bytearray) -> None:
    at = content.index("QJST".encode("cp037")) - 4
    content[at + field_of("QJST", "qjstcmpuncmp").offset] |= 0x40


@pytest.mark.parametrize(
    ("framing", "damage", "kind"),
    [
        ("rdw", cut_the_end, Corruption.truncated),
        ("rdwseg", remove_a_first_segment, Corruption.lost_segment),
        ("rdw", insert_bytes, Corruption.wrong_length),
        ("rdw", blank_an_eye_catcher, Corruption.wrong_content),
        ("rdw", change_a_bit_of_a_count, Corruption.impossible_value),
        ("rdw", set_the_clock_to_1971, Corruption.wrong_clock),
        ("rdw", point_a_triplet_behind_the_record, Corruption.too_short),
    ],
    ids=[kind.value for kind in Corruption],
)
def test_a_damaged_dump_shows_the_kind_of_its_damage(
    tmp_path: Path, framing: str, damage: Callable[[bytearray], None], kind: Corruption
) -> None:
    path = small_dump(tmp_path, framing)
    assert summarise(path).corruptions == frozenset()
    content = bytearray(path.read_bytes())
    damage(content)
    path.write_bytes(bytes(content))
    assert kind in summarise(path).corruptions
