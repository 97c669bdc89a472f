"""Datasets of the lake as metrics read them."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import polars as pl
import pyarrow.parquet as pq
import pytest

from spark_apps.digests import DistributedPlacement, Placement
from spark_apps.read import (
    DateFiles,
    Share,
    file_schema,
    identity_of,
    read_contradicting,
    read_sections,
    row_schema,
)
from spark_apps.site_figure_placement import SiteFigurePlacement
from spark_apps.transforms.duplicates import conflicts
from tests.spark_apps.lakes import stored
from tests.spark_apps.manifests import DAY
from tests.spark_apps.rows import between, records

PLACE: Final = Placement(
    sysplex_by_smfid={"SYS1": "PLEX1", "SYS2": "PLEX2"},
    chinit_31bit_limits_mib={"PLEX1/CSQ1": 1_588},
    distributed=DistributedPlacement({"QM1": "EAST"}, site_by_ztpf={"TPF1": "EAST"}),
    site_figures=SiteFigurePlacement(frozenset({"EAST"}), {"pool": "site_pool"}, {"pool": "%"}),
)
MIDNIGHT: Final = datetime(2025, 3, 10, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
QJST: Final = "section_qjst"
COLUMNS: Final = ("smfid", "sysplex", "qjstbffl", "interval_start_utc", "interval_end_utc")


def files(lake: Path, dataset: str, *of_files: list[dict[str, Any]], **changed: Any) -> DateFiles:
    """The rows of some files about one date."""
    paths = [stored(lake, f"{place}", dataset, *rows) for place, rows in enumerate(of_files)]
    return replace(DateFiles(DAY, DAY, {dataset: paths}, frozenset()), **changed)


def read(
    dates: DateFiles, columns: Collection[str] = COLUMNS, place: Placement = PLACE
) -> list[Any]:
    [dataset] = dates.files
    return records(read_sections(dates, place, {dataset: columns})[dataset])


def test_whole_numbers_of_rows_have_64_bits_and_every_row_what_placement_adds() -> None:
    assert file_schema(QJST)["qjstwtb"] == pl.Int32
    assert row_schema(QJST)["qjstwtb"] == pl.Int64
    assert row_schema(QJST)["sysplex"] == pl.String
    assert row_schema("console_event")["start_rba"] == pl.Decimal(20, 0)
    assert {"site", "scrape_seconds"} <= {*row_schema("qmgr_sample")}
    assert {"site", "interval_start_utc"} <= {*row_schema("ztpf_sweep")}
    assert {"metric"} <= {*row_schema("site_sample")} - {*file_schema("site_sample")}


def test_a_dataset_without_files_has_the_columns_that_are_asked_for() -> None:
    none = DateFiles(DAY, DAY, {}, frozenset())
    sections = read_sections(none, PLACE, {QJST: COLUMNS})
    assert sections[QJST].collect().shape == (0, len(COLUMNS))
    assert sections.chinit_31bit_limits_mib == {"PLEX1/CSQ1": 1_588}


@pytest.mark.parametrize(
    ("dataset", "row", "kept"),
    [
        (QJST, {}, 1),
        (QJST, {"interval_start_utc": None}, 0),
        (QJST, {"interval_end_utc": None}, 0),
        (QJST, {"smfid": None}, 1),
        ("section_r744f", {}, 1),
        ("section_r744f", {"cf": None}, 0),
    ],
)
def test_rows_that_belong_to_no_hour_or_facility_are_left_out(
    tmp_path: Path, dataset: str, row: dict[str, Any], kept: int
) -> None:
    assert len(read(files(tmp_path, dataset, [row]), ["smfid", "sysplex"])) == kept


def test_rows_get_the_sysplex_of_their_system(tmp_path: Path) -> None:
    rows = read(files(tmp_path, QJST, [{}, {"smfid": "SYS9"}]))
    assert {row.smfid: row.sysplex for row in rows} == {"SYS1": "PLEX1", "SYS9": "UNKNOWN"}


def test_a_file_of_an_older_layout_lacks_a_column_and_one_of_a_later_has_more(
    tmp_path: Path,
) -> None:
    dates = files(tmp_path, QJST, [{"qjstbffl": 7}], [{"qjstbffl": 8}])
    older, later = (Path(file) for file in dates.files[QJST])
    table = pq.ParquetFile(older).read()
    pq.write_table(table.drop_columns("qjstbffl"), older)
    table = pq.ParquetFile(later).read()
    pq.write_table(table.append_column("qjstnew", table["qjstbffl"]), later)
    assert {row.qjstbffl for row in read(dates)} == {None, 8}


@pytest.mark.parametrize("is_repeated", [True, False])
def test_a_record_of_two_files_counts_once_where_files_may_overlap(
    tmp_path: Path, *, is_repeated: bool
) -> None:
    later = {"interval_start_utc": MIDNIGHT + 14 * HOUR, "qjstbffl": 2}
    known = frozenset({QJST}) if is_repeated else frozenset[str]()
    dates = files(tmp_path, QJST, [{"qjstbffl": 1}, later], [later], repeated=known)
    found = sorted(row.qjstbffl for row in read(dates))
    assert found == ([1, 2] if is_repeated else [1, 2, 2])


def test_of_contradicting_records_the_one_received_last_is_read(tmp_path: Path) -> None:
    first, second = ({"qjstbffl": number, "record_hash": -number} for number in (5, 6))
    alone = {"qmgr": "CSQ2", "record_hash": 7}
    dates = files(tmp_path, QJST, [first], [second, alone], repeated=frozenset({QJST}))
    for arrivals, kept in ((("0", "1"), 6), (("1", "0"), 5)):
        rows = read(replace(dates, arrivals=arrivals), [*COLUMNS, "qmgr"])
        assert [row.qjstbffl for row in rows if row.qmgr == "CSQ1"] == [kept]
    hashes = {row.record_hash for row in records(read_contradicting(dates, PLACE, QJST))}
    assert hashes == {-5, -6}


@pytest.mark.parametrize(
    ("repeated", "start_hours", "end_hours", "is_near"),
    [
        ({QJST}, -26, -25, True),
        ({QJST}, -27, -25.01, False),
        ({QJST}, 49, 50, True),
        ({QJST}, 49.01, 50, False),
        ((), -1, 0, True),
        ((), -1, -0.01, False),
        ((), 24, 25, True),
        ((), 24.01, 25, False),
        ((), 25, 23.9, True),
    ],
)
def test_rows_far_from_the_dates_and_rows_that_occur_once_and_touch_none_are_not_read(
    tmp_path: Path, repeated: Collection[str], start_hours: float, end_hours: float, is_near: bool
) -> None:
    row = between(MIDNIGHT + start_hours * HOUR, MIDNIGHT + end_hours * HOUR)
    assert len(read(files(tmp_path, QJST, [row], repeated=frozenset(repeated)))) == is_near


@pytest.mark.parametrize(
    ("hours", "is_near"), [(-25.01, False), (-25, True), (49, True), (49.01, False)]
)
def test_samples_far_from_the_dates_of_a_task_are_not_read(
    tmp_path: Path, hours: float, *, is_near: bool
) -> None:
    row = {"qmgr": "QM1", "figure": "put_count", "reported_utc": MIDNIGHT + hours * HOUR}
    found = read(files(tmp_path, "qmgr_sample", [row]), ["site", "reported_utc"])
    assert len(found) == is_near


def test_console_messages_are_read_however_early_they_are(tmp_path: Path) -> None:
    """A value is carried forward to the next message."""
    rows: list[dict[str, Any]] = [{"event_utc": MIDNIGHT - 90 * HOUR}]
    assert len(read(files(tmp_path, "console_event", rows), ["event_utc"])) == 1


def test_sweeps_have_the_interval_of_their_local_date(tmp_path: Path) -> None:
    row = {"system": "TPF1", "queue": "Q", "local_date": "2025-03-10", "local_time": "14.40.27"}
    columns = ["site", "interval_start_utc", "interval_end_utc"]
    [found] = read(files(tmp_path, "ztpf_sweep", [row, row | {"system": "TPF9"}]), columns)
    assert (found.site, found.interval_start_utc) == ("EAST", MIDNIGHT)
    assert found.interval_end_utc == MIDNIGHT + 24 * HOUR


OF_SHARES: Final[Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]]] = {
    QJST: ({}, {"smfid": "SYS2"}),
    "section_r744f": ({"sysplex": "PLEX1"}, {"sysplex": "PLEX2"}),
    "qmgr_sample": ({"qmgr": "QM1"}, {"qmgr": "QM2"}),
    "ztpf_sample": ({"system": "TPF1"}, {"system": "TPF2"}),
    "site_sample": ({"subject": "EAST/a"}, {"subject": "WEST/a"}),
}


@pytest.mark.parametrize("dataset", OF_SHARES)
def test_every_row_is_in_one_share_of_its_date(tmp_path: Path, dataset: str) -> None:
    sites = {"QM1": "EAST", "QM2": "WEST"}
    place = replace(
        PLACE,
        distributed=DistributedPlacement(sites, site_by_ztpf={"TPF1": "EAST", "TPF2": "WEST"}),
        site_figures=replace(PLACE.site_figures, roots=frozenset(sites.values())),
    )
    common = {"figure": "pool", "unit": "%"}
    dates = files(tmp_path, dataset, [{**common, **row} for row in OF_SHARES[dataset]])
    assert_divided(dates, [*row_schema(dataset)], place, *([number] for number in range(8)))


def assert_divided(
    dates: DateFiles, columns: Collection[str], place: Placement, *shares: Collection[int]
) -> None:
    """Each row is in one of these shares of their numbers."""
    count = sum(map(len, shares))
    found = [
        row
        for numbers in shares
        for row in read(replace(dates, share=Share(frozenset(numbers), count)), columns, place)
    ]
    everything = read(dates, columns, place)
    assert sorted(map(str, found)) == sorted(map(str, everything))
    assert len(everything) > 1


def test_rows_of_systems_that_are_not_known_or_missing_are_in_one_share_too(tmp_path: Path) -> None:
    rows = [
        {"smfid": smfid, "qmgr": qmgr}
        for smfid in ("SYS1", "SYS2", "SYS9", "", None)
        for qmgr in ("CSQ1", "CSQ7", None)
    ]
    place = replace(PLACE, sysplex_by_qmgr={"CSQ7": "PLEX2"})
    assert_divided(files(tmp_path, QJST, rows), [*COLUMNS, "qmgr"], place, [0, 2], [1])


PLEXES: Final = [f"PLEX{number:02d}" for number in range(24)]
OF_FILES: Final = replace(
    PLACE,
    root_by_file={f"{place}": name for place, name in enumerate(PLEXES)},
    by_root={name: replace(PLACE, sysplex=name) for name in PLEXES},
    shared_smfids=frozenset({"SYS1"}),
)


@pytest.mark.thorough
@pytest.mark.parametrize("is_repeated", [True, False])
@pytest.mark.parametrize(
    "dataset", [QJST, "section_r744f", "section_r745d", "console_event", "zos_sample"]
)
def test_24_sysplexes_with_one_name_of_system_and_queue_manager_stay_24(
    tmp_path: Path, dataset: str, *, is_repeated: bool
) -> None:
    repeated = frozenset({dataset}) if is_repeated else frozenset[str]()
    rows: list[list[dict[str, Any]]] = [[{"sysplex": "PLEX1"}] for _ in PLEXES]
    dates = files(tmp_path, dataset, *rows, repeated=repeated)
    found = read(dates, ["sysplex", "smfid"], OF_FILES)
    assert sorted(row.sysplex for row in found) == PLEXES


def test_equal_keys_of_two_sysplexes_do_not_contradict(tmp_path: Path) -> None:
    rows = [[{"record_hash": -1, "qjstbffl": 1}], [{"record_hash": -2, "qjstbffl": 2}]]
    dates = files(tmp_path, QJST, *rows, repeated=frozenset({QJST}))
    frame = read_contradicting(dates, OF_FILES, QJST)
    assert conflicts(frame, QJST, identity_of(QJST, OF_FILES)).collect().is_empty()
    alone = read_contradicting(dates, PLACE, QJST)
    assert len(conflicts(alone, QJST, identity_of(QJST, PLACE)).collect()) == 1


def test_rows_of_a_shared_system_that_nothing_places_are_left_out(tmp_path: Path) -> None:
    place = Placement({}, {"CSQ7": "PLEX7"}, shared_smfids=frozenset({"SYS1"}))
    rows: list[dict[str, Any]] = [{}, {"smfid": "SYS9"}, {"qmgr": "CSQ7"}, {"smfid": None}]
    found = read(files(tmp_path, QJST, rows), ["smfid", "sysplex", "qmgr"], place)
    placed = sorted((row.smfid or "", row.sysplex) for row in found)
    assert placed == [("", "UNKNOWN"), ("SYS1", "PLEX7"), ("SYS9", "UNKNOWN")]


def test_samples_of_two_sites_with_one_name_of_queue_manager_stay_two(tmp_path: Path) -> None:
    sites = ("EAST", "WEST")
    views = {name: Placement(distributed=DistributedPlacement({"QM1": name})) for name in sites}
    place = Placement(root_by_file={"0": "EAST", "1": "WEST"}, by_root=views)
    row = {"qmgr": "QM1", "figure": "put_count"}
    found = read(files(tmp_path, "qmgr_sample", [row], [row]), ["site", "qmgr"], place)
    assert sorted(row.site for row in found) == [*sites]
