"""Simulated input as read by the product's own reader."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from devtools.simulator import SimulationResult, generate, small_spec
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.encode import WrittenFraming, write_dump
from tests.devtools.simulator.reading import records_of

pytestmark = pytest.mark.thorough

_LAST = date(2025, 10, 27)
_AUTUMN = date(2025, 10, 26)
_ZONES = {"TST1": "Europe/Copenhagen", "TST2": "Europe/Copenhagen"}
_PLACE = ["file_sha256", "record_offset_bytes", "record_hash"]


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> SimulationResult:
    folder = tmp_path_factory.mktemp("estate")
    spec = small_spec().model_copy(update={"anchor_date": _LAST})
    return generate(spec, folder, first_date=_AUTUMN, last_date=_LAST)


def _read(path: Path) -> dict[str, pa.Table]:
    reading = source_for(path, _ZONES).read(path, "0" * 64)
    tables: dict[str, list[pa.Table]] = defaultdict(list)
    for name, table in reading.tables():
        tables[name].append(table)
    summary = reading.summary()
    assert summary.quarantined_bytes == 0
    assert summary.decoded_bytes + summary.skipped_bytes == summary.content_bytes
    assert summary.problems == ()
    return {name: pa.concat_tables(parts) for name, parts in tables.items()}


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    kept = [name for name in table.column_names if name not in _PLACE]
    rows: list[dict[str, Any]] = table.select(kept).to_pylist()
    return sorted(rows, key=repr)


@pytest.mark.parametrize(
    ("framing", "segment_bytes"),
    [(WrittenFraming.rdwseg, 700), (WrittenFraming.bdw, 0), (WrittenFraming.nordw, 0)],
)
def test_every_framing_decodes_to_the_same_rows(
    estate: SimulationResult, tmp_path: Path, framing: WrittenFraming, segment_bytes: int
) -> None:
    plain = estate.dumps[0]
    records = [record.data for record in records_of(plain)]
    path = tmp_path / "same.smf"
    write_dump(path, records, framing, segment_bytes=segment_bytes, compress=True)
    wanted, read = _read(plain), _read(path)
    assert set(read) == set(wanted)
    for name, table in wanted.items():
        assert _rows(read[name]) == _rows(table), name


def test_both_autumn_hours_are_read_with_their_own_utc(estate: SimulationResult) -> None:
    rows = _read(estate.dumps[0])["section_qjst"].to_pylist()
    starts = sorted(row["interval_start_utc"] for row in rows if row["qmgr"] == "MQA2")
    begin = datetime(2025, 10, 25, 22, tzinfo=UTC)
    assert {start.replace(minute=0) for start in starts} >= {
        begin + timedelta(hours=hour) for hour in range(25) if hour not in (4, 5)
    }
    assert len(set(starts)) == len(starts)
    assert {row["utc_offset_minutes"] for row in rows} == {120, 60}


def test_levels_names_and_log_growth_are_read_back(estate: SimulationResult) -> None:
    for path, day in zip(estate.dumps, (_AUTUMN, _LAST), strict=True):
        tables = _read(path)
        rows = tables["section_qjst"].to_pylist()
        assert {(row["smfid"], row["qmgr"], row["mq_level"]) for row in rows} == {
            ("TST1", "MQA1", "9.4.5"),
            ("TST2", "MQA2", "9.2.0"),
        }
        for qmgr in ("MQA1", "MQA2"):
            total = sum(row["qjstbffl"] * 4096 for row in rows if row["qmgr"] == qmgr)
            assert total == estate.truth.log_bytes[f"PLEXA/{qmgr}"][day]
        facilities = tables["section_r744p"].to_pylist()
        assert {(row["sysplex"], row["cf"]) for row in facilities} == {
            ("PLEXA", "CFA1"),
            ("PLEXA", "CFA2"),
        }


def test_console_messages_are_read_with_both_kinds_of_storage(estate: SimulationResult) -> None:
    rows = [row for path in estate.console_logs for row in _read(path)["console_event"].to_pylist()]
    storage = [row for row in rows if row["message_id"] == "CSQX004I"]
    for qmgr, available in (("MQA1", 4096), ("MQA2", None)):
        own = [row for row in storage if row["qmgr"] == qmgr]
        assert len(own) >= 48
        assert {row["used_31bit_mib"] + row["free_31bit_mib"] for row in own} == {1588}
        above = {
            None if row["used_64bit_mib"] is None else row["used_64bit_mib"] + row["free_64bit_mib"]
            for row in own
        }
        assert above == {available}
    switches = [row for row in rows if row["message_id"] == "CSQJ001I"]
    assert {row["log_copy"] for row in switches} == {1, 2}
