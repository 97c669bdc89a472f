"""From a figure back to the files and records that it was made from."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.estate import Sysplex
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Statistic
from mqcap.lake.landed_places import LandedPlaces
from mqcap.lake.layout import PLACES, landing_document, rows_path
from mqcap.lake.manifest import Manifest, write_manifest
from mqcap.rulebook.provenance import SourceFiles
from mqcap.rulebook.record_lineage import FEW_FIELDS, MOST_RECORDS, Question, lineage
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.models import SourceFileFacts
from tests.factories import source_file
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    landed,
    new_store,
    observe,
    settings_of,
)

NOON = datetime(DAY.year, DAY.month, DAY.day, 12, tzinfo=UTC)
SOURCE = MeasuredDaySource(
    metric="log_growth_mib_per_s", subject=QUEUE_MANAGER, statistic=Statistic.peak, site_date=DAY
)


@pytest.fixture
def site(tmp_path: Path) -> tuple[Store, Settings]:
    return new_store(tmp_path), settings_of(tmp_path)


def described(settings: Settings, name: str, **changed: object) -> None:
    """A manifest beside the landed file."""
    values: dict[str, object] = {
        "sha256": name.ljust(64, "0"), "source": "smf", "name": name, "received_date": DAY,
        "decoder_version": "7", "smfids": ("SYS1",), "sysplex_by_smfid": {"SYS1": "PLEX1"},
        "rows": {"section_qjst": 24},
    }  # fmt: skip
    write_manifest(Path(settings.lake), Manifest.model_validate(values | changed))


def names(site: tuple[Store, Settings]) -> list[str]:
    return [file.name for file in SourceFiles(*site).of_hour(LOG, NOON)]


def test_the_files_of_an_hour_are_those_with_an_interval_in_it(
    site: tuple[Store, Settings],
) -> None:
    for name, begin in (("before", -3), ("into", -1), ("inside", 0), ("after", 1)):
        landed(site[0], name, NOON + timedelta(hours=begin))
    assert names(site) == ["inside", "into"]


def test_the_files_of_a_day_are_those_of_the_site_date(site: tuple[Store, Settings]) -> None:
    for name, hour in (("yesterday", -14), ("midnight", -12), ("evening", 11), ("tomorrow", 12)):
        landed(site[0], name, NOON + timedelta(hours=hour))
    result = [file.name for file in SourceFiles(*site).of_day(SOURCE)]
    assert sorted(result) == ["evening", "midnight"]


@pytest.mark.parametrize(
    ("changed", "holds"),
    [
        ({}, True),
        ({"rows": {"section_qjst": 0, "section_qpst": 3}}, False),
        ({"sysplex_by_smfid": {"SYS1": "PLEX9"}}, False),
        ({"sysplex_by_smfid": {}}, True),
    ],
    ids=["its records", "other sections", "another sysplex", "sysplex not known"],
)
def test_a_described_file_counts_where_its_records_can_be_behind_the_figure(
    site: tuple[Store, Settings], changed: dict[str, object], holds: bool
) -> None:
    lake = Path(site[1].lake)
    lake.mkdir(exist_ok=True)
    catalogue = [{"name": "log_growth_mib_per_s", "reads": ["section_qjst"], "description": ""}]
    (lake / "metric_catalogue.json").write_text(json.dumps(catalogue), encoding="utf-8")
    landed(site[0], "file", NOON)
    described(site[1], "file", **changed)
    assert bool(names(site)) is holds


@pytest.mark.parametrize(("root", "holds"), [("", True), ("PLEX1", True), ("PLEX9", False)])
def test_a_file_of_an_input_of_another_sysplex_does_not_count(
    site: tuple[Store, Settings], root: str, holds: bool
) -> None:
    engine, settings = site
    plexes = (Sysplex(sysplex="PLEX1", smfids=("SYS1",)), Sysplex(sysplex="PLEX9"))
    settings = settings.model_copy(update={"estate": plexes})
    landed(engine, "file", NOON)
    described(settings, "file", root=root)
    assert bool(names((engine, settings))) is holds


SITE_FACT = {"root": "EAST", "figure": "disk_pct", "unit": "%", "has_step": True}


@pytest.mark.parametrize(
    ("series", "changed", "holds"),
    [
        ("tpf_system_sweep_count/EAST/TPF1", {"ztpf_systems": ("TPF1",)}, True),
        ("tpf_sweep_count/EAST/TPF1/RES.IN", {"ztpf_systems": ("TPF2", "TPF1")}, True),
        ("tpf_system_sweep_count/EAST/TPF1", {"ztpf_systems": ("TPF2",)}, False),
        ("mq_log_used_pct/EAST/QM%2F1", {"qmgrs": ("QM/1",)}, True),
        ("mq_log_used_pct/EAST/QM2", {"qmgrs": ("QM/1",)}, False),
        ("host_cpu_pct/EAST/host1", {"qmgrs": ("QM/1",)}, True),
        ("disk_pct/EAST/host1", {"site_figures": (SITE_FACT,)}, True),
        ("disk_pct/WEST/host1", {"site_figures": (SITE_FACT,)}, False),
        ("disk_pct/EAST/QM2", {"site_figures": (SITE_FACT,), "qmgrs": ("QM/1",)}, True),
    ],
)
def test_a_file_of_a_site_counts_for_what_it_names(
    site: tuple[Store, Settings], series: str, changed: dict[str, object], holds: bool
) -> None:
    landed(site[0], "file", NOON)
    described(site[1], "file", **{"smfids": (), "sysplex_by_smfid": {}, **changed})
    others = {"qmgrs": ("QM2",), "ztpf_systems": ("TPF1",)}
    described(site[1], "other", smfids=(), sysplex_by_smfid={}, **others)
    found = SourceFiles(*site).of_hour(series, NOON)
    assert [file.name for file in found] == (["file"] if holds else [])


def test_an_observation_is_that_of_the_day_in_the_zone_of_the_sysplex_else_of_the_site(
    site: tuple[Store, Settings],
) -> None:
    observe(site[0], "log_growth_mib_per_s", QUEUE_MANAGER, days(1, 3.0))
    files = SourceFiles(*site)
    stored = files.observation(SOURCE)
    assert stored is not None
    assert stored.peak == 3.0
    earlier = SOURCE.model_copy(update={"site_date": DAY - timedelta(days=1)})
    assert files.observation(earlier) is None
    assert files.zone(LOG) == "UTC"
    assert files.zone("log_growth_mib_per_s/OTHER/CSQ1") == site[1].site.timezone


HOUR = datetime(2026, 3, 2, 9, tzinfo=UTC)
RECEIVED = date(2026, 3, 3)
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
    hours = [timedelta(hours=hour) for hour in (-3, -1, 0, 1, 2)]
    rows = [message(FIRST, HOUR + at, line) for line, at in enumerate(hours, 1)]
    other = message(FIRST, HOUR, 9, message_id="CSQJ110E")
    write(lake, "console_event", FIRST, [*rows, other])
    records = lineage(lake, [FIRST], asked("storage_mib/PLEX1/CSQ1/CHINIT")).records
    assert [record.place for record in records] == ["line 2", "line 3", "line 4"]
    assert records[1].fields == (("text", "line 3"),)
    assert records[1].start_utc == records[1].end_utc == HOUR


def test_an_unknown_metric_has_no_datasets_and_rows_of_removed_days_are_absent(
    lake: Path,
) -> None:
    assert lineage(lake, [FIRST], asked("unknown/PLEX1/CSQ1")) == ((), (), 0)
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
