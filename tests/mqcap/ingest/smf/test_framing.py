"""Framing of records: pattern, framers, split records."""

import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from devtools.simulator.encode.framing import write_dump
from devtools.simulator.encode.mq_records import Group, group_of
from devtools.simulator.encode.rmf_product import RmfSystem, SplitPiece, rmf_records
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.framers import CorruptDataError, NordwFramer
from mqcap.ingest.smf.framing import FORMS, LENGTH_FRAMERS, LengthFramer, detect
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.source import SmfReading
from mqcap.ingest.smf.split_records import REMEMBERED_MAX, SplitRecords
from tests.mqcap.ingest.dumps import (
    INTERVALS,
    cf_dump_records,
    mq_dump_records,
    small_dump,
    values_of,
    with_markers,
)
from tests.mqcap.ingest.reading import SHA, Read, is_accounted, read_all

RECORDS = with_markers([*mq_dump_records()[::3], *cf_dump_records()])
PARTS = ("FG", "QS", "P")


def little(word: bytes) -> bytes:
    """A descriptor word with the bytes of its length exchanged."""
    return word[1::-1] + word[2:]


def blocks(records: list[bytes], order: str) -> bytes:
    """Blocks of three records."""
    turned = [(little(r[:4]) if order == "little" else r[:4]) + r[4:] for r in records]
    bodies = [b"".join(turned[at : at + 3]) for at in range(0, len(turned), 3)]
    words = [(len(body) + 4).to_bytes(2, "big") + b"\0\0" for body in bodies]
    return b"".join(
        (little(word) if order == "little" else word) + body
        for word, body in zip(words, bodies, strict=True)
    )


def behind_length(records: list[bytes], word: LengthFramer) -> bytes:
    """Records behind lengths of a form."""
    content = b""
    for record in records:
        body = record if word.keeps_rdw else record[4:]
        length = len(body) + (word.bytes_count if word.counts_itself else 0)
        prefix = bytes(word.length_at) + length.to_bytes(2, word.order)
        content += prefix.ljust(word.bytes_count, b"\0") + body
    return content


WAYS: dict[str, Callable[[list[bytes]], bytes]] = {
    "rdw": b"".join,
    "nordw": lambda records: b"".join(record[4:] for record in records),
    "bdw": partial(blocks, order="big"),
    "little bdw": partial(blocks, order="little"),
    "little rdw": lambda records: b"".join(little(r[:4]) + r[4:] for r in records),
    **{
        str(framer.keywords): partial(behind_length, word=framer(memoryview(b"")))
        for framer in LENGTH_FRAMERS
    },
}


def hashes(content: bytes) -> tuple[list[int], int]:
    """The hashes of the records that were decoded, and the bytes put aside."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump"
        path.write_bytes(content)
        read = read_all(path)
    assert is_accounted(read.summary)
    assert not any("unknown kind" in problem for problem in read.summary.problems)
    found: set[int] = set()
    for name, table in read.tables.items():
        if name != "quarantine":
            found.update(table["record_hash"].to_pylist())
    return sorted(found), read.summary.quarantined_bytes


RECORD_MODE = str(LENGTH_FRAMERS[0].keywords)
USUAL = ["rdw", "bdw", "nordw", "little rdw", RECORD_MODE]
EVERY = hashes(b"".join(RECORDS))[0]


@pytest.mark.parametrize("way", WAYS)
def test_the_same_records_are_read_whatever_comes_before_them(way: str) -> None:
    assert hashes(WAYS[way](RECORDS)) == (EVERY, 0)
    assert hashes(WAYS[way](RECORDS[1:2])) == hashes(RECORDS[1])


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    ways=st.lists(st.sampled_from(USUAL), min_size=2, max_size=3),
    rubbish=st.binary(max_size=30),
    cuts=st.tuples(st.integers(1, len(RECORDS) - 2), st.integers(1, len(RECORDS) - 2)),
)
def test_dumps_that_came_in_several_ways_may_be_one_file(
    ways: list[str], rubbish: bytes, cuts: tuple[int, int]
) -> None:
    first, last = min(cuts), max(cuts) + 1
    parts = [RECORDS[:first], RECORDS[first:last], RECORDS[last:]]
    if len(ways) == 2:
        parts = [parts[0], parts[1] + parts[2]]
    content = [WAYS[way](part) for way, part in zip(ways, parts, strict=True)]
    found, put_aside = hashes(rubbish.join(content))
    most = max(len(record) for record in RECORDS) + 8
    assert put_aside <= (len(ways) - 1) * (len(rubbish) + 2 * most)
    assert len(set(EVERY) - set(found)) <= 2 * (len(ways) - 1)


@pytest.mark.parametrize("way", WAYS)
def test_the_framing_is_detected_behind_a_corrupt_beginning(way: str) -> None:
    assert detect(memoryview(b"\xff" * 100 + WAYS[way](RECORDS))) is not None


ALONE = bytes.fromhex("1e74000010200126100f") + b"\x40" * 200
"""A header that no record follows."""


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\x00" * 500, b"text\r\n" * 50, b"\xff" * 100),
        *(b"\x99" * before + ALONE for before in (5, 6, 7, 8)),
    ],
)
def test_other_content_has_no_framing(content: bytes) -> None:
    assert detect(memoryview(content)) is None


def test_a_descriptor_word_without_a_header_is_no_record_of_an_unknown_type() -> None:
    stranger = (40).to_bytes(2, "big") + bytes([0, 0, 0x5E, 32]) + b"\xee" * 34
    found, put_aside = hashes(b"".join([*RECORDS[:3], stranger, stranger, *RECORDS[3:]]))
    assert (found, put_aside) == (EVERY, 80)


def test_a_length_of_no_form_leads_nowhere() -> None:
    content = WAYS[RECORD_MODE](RECORDS)
    assert LENGTH_FRAMERS[0](memoryview(content)).resume(1) == 4 + len(RECORDS[0]) - 4
    assert len(FORMS) == len(LENGTH_FRAMERS) + 5


def test_the_last_record_of_a_file_is_found_behind_corrupt_data(tmp_path: Path) -> None:
    content = small_dump(tmp_path, "nordw").read_bytes()
    last = end = 0
    while end < len(content):
        last, end = end, NordwFramer(memoryview(content)).segment(end).end
    rest = b"\xff" * 37 + content[last:]
    assert NordwFramer(memoryview(rest)).resume(1) == 37
    with pytest.raises(CorruptDataError, match="the file ends 4 bytes before the record does"):
        NordwFramer(memoryview(rest[:-4])).segment(37)


def _group(name: str, cf: str) -> Group:
    layout = layouts()[f"R744{name}"]
    count = 1 if name in "FG" else 2
    values = values_of(layout, 2 * count)
    if name == "F":
        values["r744fnam"] = cf
    return group_of(layout, values, layout.length, records=2, count=count)


def pieces(cf: str, smfid: str = "PRD1", parts: Iterable[str] = PARTS) -> list[list[bytes]]:
    """For each of two intervals: the pieces of one record, in order."""
    split = list(parts)
    written = [
        rmf_records(
            4,
            RmfSystem(smfid, "SYS1", "PLEXP"),
            {name: _group(name, cf) for name in part},
            INTERVALS,
            SplitPiece(number, len(split)),
        )
        for number, part in enumerate(split, 1)
    ]
    return [[rows[interval].tobytes() for rows in written] for interval in range(2)]


def records_of(*of_facilities: list[list[bytes]]) -> list[bytes]:
    """Interval by interval: the pieces of each facility one after the other."""
    return [
        record
        for interval in range(2)
        for facility in of_facilities
        for record in facility[interval]
    ]


def facilities(read: Read, dataset: str) -> list[str | None]:
    names: list[str | None] = read.tables[dataset]["cf"].to_pylist()
    return names


@pytest.mark.parametrize("framing", ["rdw", "rdwseg", "bdw"])
def test_every_piece_is_filed_under_its_facility(tmp_path: Path, framing: str) -> None:
    path = tmp_path / "broken.smf"
    records = records_of(pieces("CF01"), pieces("CF02"), pieces("CF01", "PRD2"))
    write_dump(path, with_markers(records), framing, segment_bytes=400)
    read = read_all(path)
    assert is_accounted(read.summary)
    of_interval = ["CF01", "CF01", "CF02", "CF02", "CF01", "CF01"]
    for dataset in ("section_r744p", "section_r744s", "section_r744q"):
        assert facilities(read, dataset) == of_interval * 2


def test_pieces_may_lie_in_different_batches(tmp_path: Path) -> None:
    path = tmp_path / "broken.smf"
    write_dump(path, with_markers(records_of(pieces("CF01"), pieces("CF02"))), "rdw")
    reading = source_for(path).read(path, SHA)
    assert isinstance(reading, SmfReading)
    reading.batch_bytes = 500
    names = [
        name
        for dataset, table in reading.tables()
        if dataset == "section_r744p"
        for name in table["cf"].to_pylist()
    ]
    assert names == ["CF01", "CF01", "CF02", "CF02"] * 2


def test_a_piece_whose_record_is_not_known_stays_without_name(tmp_path: Path) -> None:
    path = tmp_path / "broken.smf"
    without_first = [record[1:] for record in pieces("CF01")]
    write_dump(path, with_markers(records_of(pieces("CF02"), without_first)), "rdw")
    read = read_all(path)
    assert facilities(read, "section_r744p") == ["CF02", "CF02", None, None] * 2
    assert read.summary.problems[0].startswith("4 pieces of split 74.4 records name no coupling")


def test_a_missing_middle_piece_does_not_give_its_follower_a_name(tmp_path: Path) -> None:
    path = tmp_path / "broken.smf"
    gap = [[first, last] for first, _, last in pieces("CF01")]
    write_dump(path, with_markers(records_of(gap)), "rdw")
    read = read_all(path)
    assert facilities(read, "section_r744f") == ["CF01", "CF01"]
    assert facilities(read, "section_r744p") == [None] * 4


def test_so_many_writers_of_pieces_are_remembered_the_newest_ones() -> None:
    split = SplitRecords()
    split._last = {("SYS1", number): ("CF01", 2, 1) for number in range(REMEMBERED_MAX + 1)}
    assert list(split.end_batch()) == []
    assert [number for _, number in split._last] == list(range(1, REMEMBERED_MAX + 1))
