"""From a figure of a series to the records in the lake that it was made from."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.lake.landed_places import LandedPlaces
from mqcap.lake.layout import PLACES, landing_document, rows_path
from mqcap.rulebook.record_lineage import FEW_FIELDS, MOST_RECORDS, Question, lineage
from mqcap.store.models import SourceFileFacts
from tests.factories import source_file

HOUR = datetime(2026, 3, 2, 9, tzinfo=UTC)
RECEIVED = date(2026, 3, 3)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"
FIRST = source_file(sha256="a" * 64, name="FIRST.smf", received_date=RECEIVED)
SECOND = source_file(sha256="b" * 64, name="SECOND.smf", received_date=RECEIVED)
INSTANT = pa.timestamp("us", tz="UTC")


def declare(lake: Path, metric: str, dataset: str, *fields: str) -> None:
    lake.mkdir(exist_ok=True)
    catalogue = [{"name": metric, "reads": [dataset], "fields": list(fields), "description": ""}]
    (lake / "metric_catalogue.json").write_text(json.dumps(catalogue), encoding="utf-8")


def write(lake: Path, dataset: str, file: SourceFileFacts, rows: list[dict[str, Any]]) -> None:
    kinds = {int: pa.int64(), str: pa.string(), datetime: INSTANT}
    schema = pa.schema([(name, kinds[type(value)]) for name, value in rows[0].items()])
    path = rows_path(lake, dataset, file.received_date, file.sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)


def section(file: SourceFileFacts, **changed: Any) -> dict[str, Any]:
    """The row of a QJST section of the hour."""
    return {
        "smfid": "SYS1", "qmgr": "CSQ1", "record_type": 115, "record_subtype": 1,
        "interval_start_utc": HOUR, "interval_end_utc": HOUR + timedelta(minutes=30),
        "section_index": 0, "record_hash": 7, "record_offset_bytes": 4_590,
        "file_sha256": file.sha256, "qjstid": 147, "qjstbffl": 1_034, "qjstwtb": 5,
    } | changed  # fmt: skip


def asked(series_id: str = LOG, begin: datetime = HOUR, **changed: Any) -> Question:
    return Question(series_id, begin, begin + timedelta(hours=1), **changed)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A lake whose catalogue knows that the log growth is made from QJSTBFFL."""
    declare(tmp_path / "lake", "log_growth_mib_per_s", "section_qjst", "QJSTBFFL")
    return tmp_path / "lake"


def test_a_section_has_its_place_its_interval_and_the_fields_that_the_metric_declares(
    lake: Path,
) -> None:
    write(lake, "section_qjst", FIRST, [section(FIRST)])
    sections = lineage(lake, [FIRST], asked())
    assert (sections.reads, sections.left_off) == (("section_qjst",), 0)
    [record] = sections.records
    assert (record.file, record.place, record.what) == (FIRST, "byte 4,590", "115.1 QJST 1")
    assert (record.smfid, record.start_utc) == ("SYS1", HOUR)
    assert record.end_utc == HOUR + timedelta(minutes=30)
    assert record.fields == (("QJSTBFFL", "1,034"),)
    assert not record.repeated


def test_without_declared_fields_the_first_figures_are_shown(lake: Path) -> None:
    declare(lake, "log_growth_mib_per_s", "section_qjst")
    more = {f"figure{number}": number for number in range(FEW_FIELDS)}
    write(lake, "section_qjst", FIRST, [section(FIRST, **more)])
    names = [name for name, _ in lineage(lake, [FIRST], asked()).records[0].fields]
    assert names[:2] == ["QJSTBFFL", "QJSTWTB"]  # an identifier is no figure
    assert len(names) == FEW_FIELDS


def test_the_same_record_of_a_second_dump_is_marked_as_repeated(lake: Path) -> None:
    for file in (FIRST, SECOND):
        write(lake, "section_qjst", file, [section(file)])
    records = lineage(lake, [SECOND, FIRST], asked()).records
    assert [(record.file.name, record.repeated) for record in records] == [
        ("FIRST.smf", False),
        ("SECOND.smf", True),
    ]


@pytest.mark.parametrize(
    ("minutes", "listed"),
    [(-30, False), (-29, True), (0, True), (59, True), (60, False)],
    ids=["ends-at-begin", "ends-behind-begin", "begins", "begins-before-end", "begins-at-end"],
)
def test_a_section_is_listed_when_its_interval_overlaps_the_hour(
    lake: Path, minutes: int, listed: bool
) -> None:
    start = HOUR + timedelta(minutes=minutes)
    times = {"interval_start_utc": start, "interval_end_utc": start + timedelta(minutes=30)}
    write(lake, "section_qjst", FIRST, [section(FIRST, **times)])
    assert bool(lineage(lake, [FIRST], asked()).records) is listed


@pytest.mark.parametrize(
    ("changed", "foreign", "listed"),
    [
        ({"qmgr": "CSQ2"}, frozenset(), False),
        ({}, frozenset({"SYS9"}), True),
        ({"smfid": "SYS9"}, frozenset({"SYS9"}), False),
    ],
    ids=["other-queue-manager", "own-system", "other-sysplex"],
)
def test_records_of_others_are_not_listed(
    lake: Path, changed: dict[str, Any], foreign: frozenset[str], listed: bool
) -> None:
    write(lake, "section_qjst", FIRST, [section(FIRST, **changed)])
    assert bool(lineage(lake, [FIRST], asked(foreign=foreign)).records) is listed


def test_a_part_of_a_queue_manager_has_the_sections_of_its_number(lake: Path) -> None:
    declare(lake, "pool_used_pct", "section_qpst", "QPSTPOOL")
    pools = [section(FIRST, qpstpool=number, section_index=number) for number in (0, 2, 3)]
    write(lake, "section_qpst", FIRST, pools)
    [record] = lineage(lake, [FIRST], asked("pool_used_pct/PLEX1/CSQ1/BP02")).records
    assert (record.what, record.fields) == ("115.1 QPST 3", (("QPSTPOOL", "2"),))


@pytest.mark.parametrize(
    ("count", "left_off"), [(MOST_RECORDS, 0), (MOST_RECORDS + 1, 1), (MOST_RECORDS - 1, 0)]
)
def test_at_most_so_many_sections_are_listed_and_the_others_counted(
    lake: Path, count: int, left_off: int
) -> None:
    rows = [section(FIRST, record_hash=number) for number in range(count)]
    write(lake, "section_qjst", FIRST, rows)
    sections = lineage(lake, [FIRST], asked())
    assert (len(sections.records), sections.left_off) == (min(count, MOST_RECORDS), left_off)


def message(file: SourceFileFacts, at: datetime, line: int, **changed: Any) -> dict[str, Any]:
    return {
        "smfid": "SYS1", "qmgr": "CSQ1", "event_utc": at, "message_id": "CSQX004I",
        "text": f"line {line}", "line_number": line, "file_sha256": file.sha256,
    } | changed  # fmt: skip


def test_messages_of_the_hour_come_with_the_one_before_and_the_one_after(lake: Path) -> None:
    declare(lake, "storage_mib", "console_event", "CSQX004I")
    ends = [timedelta(hours=-3), timedelta(hours=-1), timedelta(0), timedelta(hours=1),
            timedelta(hours=2)]  # fmt: skip
    rows = [message(FIRST, HOUR + at, line) for line, at in enumerate(ends, 1)]
    other = message(FIRST, HOUR, 9, message_id="CSQJ110E")
    write(lake, "console_event", FIRST, [*rows, other])
    records = lineage(lake, [FIRST], asked("storage_mib/PLEX1/CSQ1/CHINIT")).records
    assert [record.place for record in records] == ["line 2", "line 3", "line 4"]
    assert records[1].fields == (("text", "line 3"),)
    assert records[1].start_utc == records[1].end_utc == HOUR


def test_a_metric_that_the_lake_does_not_know_has_no_datasets(lake: Path) -> None:
    assert lineage(lake, [FIRST], asked("unknown/PLEX1/CSQ1")) == ((), (), 0)


def test_rows_that_were_removed_with_old_days_are_absent(lake: Path) -> None:
    assert lineage(lake, [FIRST], asked()) == (("section_qjst",), (), 0)


def test_of_the_volumes_of_a_sysplex_those_of_the_logs_are_listed(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    declare(lake, "log_dfw_bypass_pct", "section_r745d", "R745DFWB")
    of_record = section(FIRST, record_type=74, record_subtype=5, sysplex="PLEX1")
    del of_record["qmgr"]
    rows = [
        {**of_record, "r745dvol": volume, "sysplex": sysplex, "r745dfwb": 4, "section_index": place}
        for place, (volume, sysplex) in enumerate(
            [("MQL001", "PLEX1"), ("DATA01", "PLEX1"), ("MQL001", "PLEX2")]
        )
    ]
    write(lake, "section_r745d", FIRST, rows)
    wanted = asked("log_dfw_bypass_pct/PLEX1/CSQ1", volumes=frozenset({"MQL001"}))
    [record] = lineage(lake, [FIRST], wanted).records
    assert (record.what, record.fields) == ("74.5 R745D 1", (("R745DFWB", "4"),))
    assert lineage(lake, [FIRST], wanted._replace(volumes=frozenset())).records == ()


@pytest.mark.parametrize(
    ("root", "listed"), [("", ["PLEX1"]), ("PLEX1", ["PLEX1", "SAME"]), ("PLEX2", [])]
)
def test_records_of_an_input_of_a_sysplex_are_of_it_whatever_they_name(
    lake: Path, root: str, listed: list[str]
) -> None:
    declare(lake, "cf_busy_pct", "section_r744f", "R744FPBSY")
    rows = [
        section(FIRST, qmgr="CF01", cf="CF01", sysplex=name, r744fpbsy=1, record_hash=place)
        for place, name in enumerate(("PLEX1", "SAME"))
    ]
    write(lake, "section_r744f", FIRST, rows)
    places = LandedPlaces.load(lake)
    places.put(FIRST.sha256, root, "FIRST.smf", lambda _name: True)
    landing_document(lake, PLACES).parent.mkdir()
    places.save()
    found = lineage(lake, [FIRST], asked("cf_busy_pct/PLEX1/CF01")).records
    assert len(found) == len(listed)
