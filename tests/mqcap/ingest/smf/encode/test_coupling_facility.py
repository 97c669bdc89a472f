"""Coupling facility records as the encoder writes them, read back by the decoder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from mqcap.ingest.smf.encode import CouplingFacilityRecords, Group, cf_records, group_of
from mqcap.ingest.smf.layout import layouts
from tests.mqcap.ingest.dumps import INTERVALS, cf_dump_records
from tests.mqcap.ingest.smf.test_header import read_records


def facility(name: str = "CF01") -> Group:
    layout = layouts()["R744F"]
    return group_of(layout, {"r744fnam": name}, layout.length, records=2)


def content(*names: str) -> CouplingFacilityRecords:
    groups = {name: facility() for name in names}
    return CouplingFacilityRecords("PRD1", "SYS1", "PLEXP", groups)


def test_there_is_a_record_for_each_interval_with_its_own_length() -> None:
    made = cf_records(content("F"), INTERVALS)
    assert made.shape[0] == len(INTERVALS) == 2
    assert {int.from_bytes(row[:2].tobytes(), "big") for row in made} == {made.shape[1]}


def test_a_record_says_who_wrote_it_about_which_facility_and_when(tmp_path: Path) -> None:
    rows = [row.tobytes() for row in cf_records(content("F"), INTERVALS)]
    first, second = read_records(tmp_path, *rows).tables["section_r744f"].to_pylist()
    assert (first["smfid"], first["sysplex"], first["cf"]) == ("PRD1", "PLEXP", "CF01")
    assert first["interval_start_utc"] == datetime(2025, 3, 10, 13, tzinfo=UTC)
    assert first["interval_end_utc"] == second["interval_start_utc"]
    assert first["interval_seconds"] == 1_800.0
    assert first["utc_offset_minutes"] == -300


def test_a_missing_group_has_an_empty_triplet(tmp_path: Path) -> None:
    rows = [row.tobytes() for row in cf_records(content("F"), INTERVALS)]
    alone = read_records(tmp_path, *rows).tables
    every = read_records(tmp_path, *cf_dump_records()).tables
    assert {name for name in alone if name.startswith("section_r744")} == {"section_r744f"}
    assert {name for name in every if name.startswith("section_r744")} == {
        f"section_r744{name}" for name in "fxgqsp"
    }
