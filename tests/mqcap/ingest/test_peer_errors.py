"""Errors of other readers of these records that this one does not repeat.

``docs/formatter-differences.md`` lists them all with the name of the test; those that other
tests cover already are not here.
"""

import csv
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devtools.simulator.encode.fields import encode_sections
from devtools.simulator.encode.framing import write_dump
from mqcap.ingest.export import ExportFormat, export
from mqcap.ingest.smf.layout import layouts
from tests.mqcap.ingest.dumps import (
    cf_dump_records,
    decode,
    mq_dump_records,
    small_dump,
    with_markers,
)
from tests.mqcap.ingest.reading import is_accounted, read_all
from tests.mqcap.ingest.smf.test_borrowed_intervals import dump, half_hours, statistics
from tests.mqcap.ingest.smf.test_header import record, section, short_qwhs

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "formatter-differences.md"
NEW_YEAR = datetime(2025, 1, 1, tzinfo=UTC)


def one_row(structure: str, length: int, **columns: Any) -> dict[str, Any]:
    """A section of a structure, decoded."""
    layout = layouts()[structure]
    raw = encode_sections(layout, columns, length, 1).tobytes()
    (row,) = decode(layout, raw, length).to_pylist()
    result: dict[str, Any] = row
    return result


def test_the_wait_time_for_smds_buffers_is_all_of_its_64_bits() -> None:
    wait_us = 3_600_000_000 * 5 + 0.25
    assert one_row("QESD", 336, qesdbfbt=wait_us)["qesdbfbt"] == wait_us


def test_encryption_of_smds_is_read_from_its_flag_and_not_the_next_word() -> None:
    flagged = one_row("QESD", 336, qesdflag=0x80000000)
    assert flagged["qesdflag"] & 0x80000000
    behind = bytearray(encode_sections(layouts()["QESD"], {}, 336, 1).tobytes())
    behind[332:336] = b"\xff" * 4
    assert decode(layouts()["QESD"], bytes(behind), 336)["qesdflag"].to_pylist() == [0]


def test_persistent_and_nonpersistent_gets_and_browses_are_not_exchanged() -> None:
    raw = bytearray(672)
    for place, number in ((296, 11), (304, 22), (344, 33), (352, 44)):
        raw[place : place + 8] = number.to_bytes(8, "big")
    (row,) = decode(layouts()["QQST"], bytes(raw), 672).to_pylist()
    assert (row["qqstnpdg"], row["qqstpdg"]) == (11, 22)
    assert (row["qqstnpbr"], row["qqstpbr"]) == (33, 44)


def test_a_time_that_is_not_set_or_not_there_is_null_and_no_date_of_1970() -> None:
    assert one_row("QQST", 672)["qqstlput"] is None
    assert one_row("QQST", 84)["qqstlput"] is None


def test_not_available_is_null_and_no_large_number() -> None:
    columns = {"qqstmage": 0xFFFFFFFF, "qqstqtst": 0xFFFFFFFF, "qqstpsid": -1, "qqstbpid": -1}
    assert {one_row("QQST", 672, **columns)[name] for name in columns} == {None}
    assert one_row("QCST", 340, qcstetmn=0x8FFFFFFF)["qcstetmn"] is None
    assert one_row("QQST", 672, qqstmage=0)["qqstmage"] == 0


def test_an_interval_keeps_its_fraction_of_a_second(tmp_path: Path) -> None:
    whole = half_hours("UTC", NEW_YEAR, 1)
    short = type(whole)(whole.start_us, whole.start_us + 1_234_567, whole.offset_minutes)
    (row,) = read_all(dump(tmp_path, statistics(short))).tables["section_qjst"].to_pylist()
    assert row["interval_seconds"] == 1.234567


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine that stands in another zone than the mainframe."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_the_zone_of_this_machine_changes_no_time(tmp_path: Path) -> None:
    path = dump(tmp_path, statistics(half_hours("America/New_York", NEW_YEAR, 1)))
    (row,) = read_all(path).tables["section_qjst"].to_pylist()
    assert row["interval_start_utc"] == NEW_YEAR
    assert one_row("QQST", 672, qqstlput=NEW_YEAR.timestamp() * 1e6)["qqstlput"] == NEW_YEAR


@pytest.mark.thorough
def test_csv_has_neither_a_spreadsheet_guard_nor_a_last_empty_column(tmp_path: Path) -> None:
    layout = layouts()["QJST"]
    export({small_dump(tmp_path): "small.smf"}, tmp_path / "out", ExportFormat.CSV)
    with (tmp_path / "out" / "QJST.csv").open() as lines:
        rows = list(csv.reader(lines))
    assert rows[0][-1] == [field.column for field in layout.fields if not field.is_reserved][-1]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not any(cell.startswith("=") for row in rows for cell in row)


def test_a_record_of_an_unknown_subtype_neither_stops_nor_crashes(tmp_path: Path) -> None:
    strange = [bytearray(mq_dump_records()[0]) for _ in range(3)]
    for item, subtype in zip(strange, (240, 999, 0xFFFF), strict=True):
        item[22:24] = subtype.to_bytes(2, "big")
    path = tmp_path / "strange.smf"
    write_dump(path, with_markers([*map(bytes, strange), *cf_dump_records()]), "rdw")
    read = read_all(path)
    assert is_accounted(read.summary)
    assert len(read.summary.problems) == 2  # 240 is known, though undocumented
    assert read.tables["section_r744p"].num_rows == 4


def test_random_flag_bits_before_10_0_are_no_queue_sharing_group(tmp_path: Path) -> None:
    (sound,) = statistics(half_hours("UTC", NEW_YEAR, 1), mq_level="9.3.5")
    at = int.from_bytes(sound[28:32], "big") + layouts_offset("QWHS", "qwhsflag1")
    flagged = sound[:at] + b"\x40" + sound[at + 1 :]
    (row,) = read_all(dump(tmp_path, [flagged])).tables["section_qjst"].to_pylist()
    assert (row["qsg"], row["mq_level"]) == (None, "9.3.5")


def layouts_offset(structure: str, column: str) -> int:
    """Where a field lies in its structure."""
    return next(field.offset for field in layouts()[structure].fields if field.column == column)


def test_a_triplet_longer_than_its_block_sets_the_step_but_not_the_bytes_read(
    tmp_path: Path,
) -> None:
    """QSGM sections 60 bytes apart, whose own length says 48."""
    blocks = section("QSGM", qsgmcount=1) + bytes(12) + section("QSGM", qsgmcount=2) + bytes(12)
    made = bytearray(record((115, 6), b"\x00\x01\x00\x00", {1: blocks}, 2))
    made[40:44] = (60).to_bytes(2, "big") + (2).to_bytes(2, "big")
    table = read_all(dump(tmp_path, [bytes(made)])).tables["section_qsgm"]
    assert table["qsgmcount"].to_pylist() == [1, 2]
    assert read_all(dump(tmp_path, [bytes(made)])).summary.problems == ()


def test_queue_blocks_of_accounting_are_read_up_to_their_own_length(tmp_path: Path) -> None:
    """2792 bytes at 8.0, 2788 at 9.3.0, 2800 from 9.3.2 on."""
    for length in (2788, 2792, 2800):
        block = section("WQST", length)
        made = record((116, 2), short_qwhs(3), {2: block}, 4)
        (row,) = read_all(dump(tmp_path, [made])).tables["section_wqst"].to_pylist()
        assert row["wqll"] == length


def test_triplets_of_facility_records_are_8_bytes_from_offset_28_on() -> None:
    """A public reader takes 12 bytes from offset 26 on, against the manual."""
    header = layouts()["SMF74HDR"]
    offsets = [field.offset for field in header.fields if field.name.endswith(".offset")]
    assert offsets == [28 + 8 * number for number in range(len(offsets))]
    lengths = [field.length for field in layouts()["SMF74PRO"].fields if field.name == "SMF74INT"]
    assert lengths == [4]
    types = {field.name: field.type.value for field in layouts()["SMF74PRO"].fields}
    assert types["SMF74INT"] == "packed"


def test_hexadecimal_floats_are_not_read_as_ieee_numbers() -> None:
    raw = bytearray(layouts()["R744F"].length)
    raw[52:60] = bytes.fromhex("461e848000000000")
    rows = decode(layouts()["R744F"], bytes(raw), len(raw))["r744ftor"].to_pylist()
    assert rows == [2_000_000.0]
    assert np.frombuffer(bytes(raw[52:60]), ">f8")[0] != 2_000_000.0


def functions_of(file: Path) -> set[str]:
    """The tests that a file defines."""
    return set(re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE))


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8")))
    every = [functions_of(file) for file in (ROOT / "tests").rglob("test_*.py")]
    assert len(named) > 20
    assert named <= set().union(*every)
    unnamed = functions_of(Path(__file__)) - named
    assert unnamed == {"test_every_test_that_the_page_names_exists"}
