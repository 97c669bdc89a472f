"""Pieces of split 74.4 records: every section is filed under the facility that it is about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.encode import CouplingFacilityRecords, Group, cf_records, group_of, write_dump
from mqcap.ingest.smf.encode.rmf_product import SplitPiece
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.source import SmfReading
from tests.mqcap.ingest.dumps import INTERVALS, values_of, with_markers
from tests.mqcap.ingest.reading import SHA, Read, is_accounted, read_all

PARTS = ("FG", "QS", "P")


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
        cf_records(
            CouplingFacilityRecords(
                smfid,
                "SYS1",
                "PLEXP",
                {name: _group(name, cf) for name in part},
                SplitPiece(number, len(split)),
            ),
            INTERVALS,
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
