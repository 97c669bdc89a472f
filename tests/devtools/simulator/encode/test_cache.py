"""Cache activity records as the encoder writes them, byte by byte, and read back by the decoder."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from devtools.simulator.encode.framing import write_dump
from devtools.simulator.encode.mq_records import Group, group_of
from devtools.simulator.encode.rmf_product import RmfSystem, SplitPiece, rmf_records
from mqcap.ingest.smf.layout import layouts
from tests.mqcap.ingest.dumps import INTERVALS, cf_dump_records, with_markers
from tests.mqcap.ingest.reading import Read, is_accounted, read_all

LAYOUT = layouts()["R745D"]
DATASET = LAYOUT.dataset
MIDDLE = {"r745drcr": 250.0, "r745dwrc": 1_000.0, "r745dicl": 2.0, "r745dbcr": 8.0}


def devices(*volumes: str, length: int = LAYOUT.length, **changed: Any) -> Group:
    """Return a section for each volume in each of two intervals."""
    columns = {**MIDDLE, "r745dfwb": 12.5, **changed}
    serials = {"r745dvol": [*volumes] * 2}
    return group_of(LAYOUT, {**columns, **serials}, length, len(INTERVALS), len(volumes))


def records(group: Group, smfid: str = "PRD1", piece: SplitPiece | None = None) -> list[bytes]:
    rows = rmf_records(5, RmfSystem(smfid, "SYS1", "PLEXP"), {"D": group}, INTERVALS, piece)
    return [row.tobytes() for row in rows]


def read(folder: Path, made: list[bytes], framing: str = "rdw") -> Read:
    path = folder / "cache.smf"
    write_dump(path, with_markers(made), framing, segment_bytes=100)
    return read_all(path)


def test_a_device_is_read_back_with_who_wrote_it_and_when(tmp_path: Path) -> None:
    result = read(tmp_path, records(devices("MQL001", r745devn="1a05")))
    first, second = result.tables[DATASET].to_pylist()
    assert (first["smfid"], first["sysplex"]) == ("PRD1", "PLEXP")
    assert first["interval_start_utc"] == datetime(2025, 3, 10, 13, tzinfo=UTC)
    assert first["interval_end_utc"] == second["interval_start_utc"]
    assert (first["record_type"], first["record_subtype"]) == (74, 5)
    assert (first["r745dvol"], first["r745devn"], first["r745dfwb"]) == ("MQL001", "1a05", 12.5)
    assert {name: first[name] for name in MIDDLE} == MIDDLE
    assert set(result.tables) == {DATASET}
    assert "cf" not in first
    assert is_accounted(result.summary)


def test_records_of_several_subsystems_and_pieces_of_one_interval_give_every_device(
    tmp_path: Path,
) -> None:
    made = [
        *records(devices("VOL001", "VOL002"), piece=SplitPiece(1, 2)),
        *records(devices("VOL003"), piece=SplitPiece(2, 2)),
        *records(devices("MQL001")),
        *records(devices("MQL001"), smfid="PRD2"),
        *cf_dump_records(),
    ]
    result = read(tmp_path, made, "rdwseg")
    rows = result.tables[DATASET].to_pylist()
    written = [(row["smfid"], row["r745dvol"], row["section_index"]) for row in rows]
    assert sorted(written) == sorted(
        2 * [("PRD1", "VOL001", 0), ("PRD1", "VOL002", 1), ("PRD1", "VOL003", 0)]
        + 2 * [("PRD1", "MQL001", 0), ("PRD2", "MQL001", 0)]
    )
    assert result.summary.problems == ()


def test_a_section_that_ends_before_the_bypassed_writes_has_none_and_never_zero(
    tmp_path: Path,
) -> None:
    rows = read(tmp_path, records(devices("MQL001", length=88))).tables[DATASET].to_pylist()
    assert [(row["r745dbcr"], row["r745dfwb"]) for row in rows] == [(8.0, None)] * 2


def test_a_subsystem_whose_data_could_not_be_collected_has_no_devices(tmp_path: Path) -> None:
    assert DATASET not in read(tmp_path, records(devices())).tables
