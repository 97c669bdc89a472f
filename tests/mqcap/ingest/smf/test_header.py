"""Forms of records that the encoder does not write, put together by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devtools.simulator.encode.fields import encode_sections
from devtools.simulator.encode.framing import write_dump
from mqcap.ingest.smf.layout import layouts
from tests.mqcap.ingest.dumps import START_US, cf_dump_records, mq_dump_records, with_markers
from tests.mqcap.ingest.reading import Read, is_accounted, read_all

STUB = b"\x00\x01\x00\x00"
LOCAL_HUNDREDTHS = 8 * 360_000
"""08:00:00 on 2025-03-10."""


def section(name: str, length: int | None = None, **columns: Any) -> bytes:
    layout = layouts()[name]
    return encode_sections(layout, columns, length or layout.length, 1).tobytes()


def short_qwhs(triplet_count: int) -> bytes:
    """The 36-byte form, built five hours after local time."""
    columns = {"qwhslen": 36, "qwhsnsda": triplet_count, "qwhsstck": START_US}
    return section("QWHS", 36, **columns)


def qwhx() -> bytes:
    return section("QWHX", qwhxlen=16, qwhxqsg="QSGP", qwhxrel="100100")


def record(kind: tuple[int, int], header: bytes, sections: dict[int, bytes], count: int) -> bytes:
    """A record with its QWHS first, then one section behind each triplet."""
    parts = {0: header, **sections}
    place = 28 + 8 * count
    triplets = bytearray(8 * count)
    for position, content in parts.items():
        triplet = (place, len(content), 1)
        triplets[8 * position : 8 * position + 8] = b"".join(
            number.to_bytes(size, "big") for number, size in zip(triplet, (4, 2, 2), strict=True)
        )
        place += len(content)
    columns: dict[str, Any] = {
        "len": place,
        "flg": 0x5E,
        "rty": kind[0],
        "sty": kind[1],
        "sid": "PRD1",
    }
    columns |= {"ssi": "MQP1", "rel": "946", "tme": LOCAL_HUNDREDTHS, "dte": "0125069f"}
    return section(f"SM{kind[0]}", **columns) + bytes(triplets) + b"".join(parts.values())


def read_records(folder: Path, *records: bytes, framing: str = "rdw") -> Read:
    path = folder / "forms.smf"
    write_dump(path, with_markers(records), framing)
    read = read_all(path)
    assert is_accounted(read.summary)
    return read


@pytest.mark.parametrize("framing", ["rdw", "nordw"])
@pytest.mark.parametrize(("subtype", "name"), [(5, "QSPH"), (6, "QSGM"), (7, "QSRS")])
def test_a_stub_of_a_header_has_level_and_group_but_no_interval(
    tmp_path: Path, framing: str, subtype: int, name: str
) -> None:
    result = record((115, subtype), STUB + qwhx(), {1: section(name)}, 2)
    read = read_records(tmp_path, result, framing=framing)
    row = read.tables[f"section_{name.lower()}"].to_pylist()[0]
    assert (row["mq_level"], row["qsg"], row["qmgr"]) == ("10.1.0", "QSGP", "MQP1")
    unknown = ("interval_start_utc", "interval_end_utc", "utc_offset_minutes", "record_utc")
    assert {row[name] for name in unknown} == {None}
    assert read.summary.first_interval_utc is None


@pytest.mark.parametrize("framing", ["rdw", "nordw"])
def test_accounting_records_name_their_user(tmp_path: Path, framing: str) -> None:
    user = section("QWHC", qwhcaid="MQUSER", qwhccn="CICSPROD")
    tasks = {1: section("WTID"), 2: section("WTAS", wtaswqct=1), 3: section("WQST")}
    read = read_records(
        tmp_path,
        record((116, 0), short_qwhs(3) + user + qwhx(), {2: section("QMAC")}, 7),
        record((116, 1), short_qwhs(4) + user, tasks, 4),
        framing=framing,
    )
    users = read.tables["section_qwhc"].to_pylist()
    assert [(row["qwhcaid"], row["qwhccn"]) for row in users] == [("MQUSER", "CICSPROD")] * 2
    assert [row["utc_offset_minutes"] for row in users] == [-300, -300]
    assert {name for name, table in read.tables.items() if table.num_rows == 1} == {
        "section_qmac",
        "section_wtid",
        "section_wtas",
        "section_wqst",
    }


def test_a_longer_section_is_a_newer_level(tmp_path: Path) -> None:
    newer = bytearray(section("QSGM", 60))
    newer[2:4] = (60).to_bytes(2, "big")
    read = read_records(tmp_path, record((115, 6), STUB, {1: bytes(newer)}, 2))
    assert read.tables["section_qsgm"].num_rows == 1
    (problem,) = read.summary.problems
    assert problem.startswith("1 QSGM sections are longer than the 48 bytes that are known")


@pytest.mark.parametrize(
    ("records", "at", "content", "reason"),
    [
        (mq_dump_records, 34, b"\x00\x00", "the triplet of QWHS is empty"),
        (mq_dump_records, 28, b"\x00\x00\xff\xff", "QWHS is outside of the record"),
        (mq_dump_records, 32, b"\x00\x08", "QWHS is longer than its triplet says"),
        (
            mq_dump_records,
            10,
            b"\x01\x25\x40\x0f",
            "no time and date of a record header behind the",
        ),
        (cf_dump_records, 24, b"\x00\x00", "it has no product section"),
        (cf_dump_records, 28, b"\x00\x00\xff\xff", "its product section is outside of the record"),
        (cf_dump_records, 32, b"\x00\x20", "its product section is too short"),
        (cf_dump_records, 124 + 18, b"\x00\x00\x00\x0f", "its interval length is no number"),
        (cf_dump_records, 124 + 60, b"\x7f" * 8, "its clock is more than a day from UTC"),
        (cf_dump_records, 68 + 4, b"\x00\x04", "its R744S sections are too short"),
    ],
)
def test_a_record_with_an_impossible_head_is_quarantined(
    tmp_path: Path, records: Callable[[], list[bytes]], at: int, content: bytes, reason: str
) -> None:
    sound = records()
    broken = sound[0][:at] + content + sound[0][at + len(content) :]
    summary = read_records(tmp_path, *sound, broken, *sound).summary
    assert reason in summary.problems[0]
    assert summary.problems[0].endswith(f"; found {len(broken)} bytes quarantined.")
    assert summary.quarantined_bytes == len(broken)


def test_without_a_utc_end_the_local_start_counts(tmp_path: Path) -> None:
    plain = cf_dump_records()[0]
    at = 124 + 80
    local_only = plain[:at] + bytes(8) + plain[at + 8 :]
    rows = read_records(tmp_path, plain, local_only).tables["section_r744g"].to_pylist()
    assert rows[0]["interval_end_utc"] == rows[-1]["interval_end_utc"]
    no_time = local_only[: 124 + 10] + b"\xff" * 8 + local_only[124 + 18 :]
    assert "has no time" in read_records(tmp_path, plain, no_time).summary.problems[0]


def test_a_release_that_is_no_number_leaves_the_level_open(tmp_path: Path) -> None:
    first = mq_dump_records(mq_level="9.4.0")[0]
    odd = first[:24] + "9X0".encode("cp037") + first[27:]
    rows = read_records(tmp_path, odd).tables["section_qjst"].to_pylist()
    assert {row["mq_level"] for row in rows} == {None}
