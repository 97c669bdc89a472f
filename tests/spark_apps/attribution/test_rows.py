"""Rows of a date are read from files that hold others, and copies, as well."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from spark_apps.attribution.rows import DayRows, section_schema

DAY = date(2026, 3, 10)
MIDNIGHT = datetime(2026, 3, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
QJST = "section_qjst"


def record(start: datetime, **more: Any) -> dict[str, Any]:
    common = {"smfid": "SYS1", "qmgr": "CSQ1", "record_hash": 1, "file_sha256": "a"}
    times = {"interval_start_utc": start, "interval_end_utc": start + HOUR}
    return {**common, **times, "qjstbffl": 7, **more}


def rows_of(
    folder: Path, *files: list[dict[str, Any]], repeated: bool = False, dataset: str = QJST
) -> DayRows:
    paths = []
    for number, rows in enumerate(files):
        paths.append(str(folder / f"{number}.parquet"))
        pq.write_table(pa.Table.from_pylist(rows, section_schema(dataset)), paths[-1])
    known = frozenset([dataset]) if repeated else frozenset[str]()
    return DayRows(DAY, {dataset: paths}, known, {"SYS1": "PLEX1"}, {"CSQ9": "PLEX9"})


def test_an_interval_belongs_to_the_date_on_which_it_begins(tmp_path: Path) -> None:
    before = record(MIDNIGHT - HOUR / 2)
    last = record(MIDNIGHT + timedelta(days=1) - HOUR / 2)
    after = record(MIDNIGHT + timedelta(days=1))
    rows = rows_of(tmp_path, [before, record(MIDNIGHT)], [last, after])
    starts = rows.of(QJST)["interval_start_utc"].to_pylist()
    assert starts == [MIDNIGHT, last["interval_start_utc"]]


def test_a_row_without_the_end_of_its_interval_is_left_out(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, [record(MIDNIGHT, interval_end_utc=None)])
    assert rows.of(QJST).num_rows == 0


def test_a_row_of_a_facility_without_a_name_is_left_out(tmp_path: Path) -> None:
    unnamed = record(MIDNIGHT, sysplex="PLEX2", r744snam="A")
    rows = rows_of(tmp_path, [unnamed, unnamed | {"cf": "CF01"}], dataset="section_r744s")
    found = rows.of("section_r744s", "r744snam").to_pylist()
    assert [(row["sysplex"], row["cf"], row["r744snam"]) for row in found] == [
        ("PLEX2", "CF01", "A")
    ]


def test_of_copies_the_one_with_the_lowest_hash_is_kept(tmp_path: Path) -> None:
    one = record(MIDNIGHT, record_hash=5, qjstbffl=1)
    other = record(MIDNIGHT, record_hash=-5, qjstbffl=2)
    later = record(MIDNIGHT + HOUR, qjstbffl=3)
    rows = rows_of(tmp_path, [one, one, later], [other], repeated=True)
    assert sorted(rows.of(QJST, "qjstbffl")["qjstbffl"].to_pylist()) == [2, 3]


def test_the_sysplex_is_that_of_the_system_then_of_the_queue_manager(tmp_path: Path) -> None:
    rows = rows_of(
        tmp_path,
        [
            record(MIDNIGHT),
            record(MIDNIGHT, smfid="SYS7", qmgr="CSQ9"),
            record(MIDNIGHT, smfid=None, qmgr=None),
        ],
    )
    assert rows.of(QJST)["sysplex"].to_pylist() == ["PLEX1", "PLEX9", "UNKNOWN"]


def test_without_files_there_are_no_rows_but_all_columns(tmp_path: Path) -> None:
    rows = DayRows(DAY, {}, frozenset(), {}, {})
    table = rows.of(QJST, "qjstbffl")
    assert table.num_rows == 0
    assert {"sysplex", "qmgr", "interval_start_utc", "qjstbffl"} <= set(table.column_names)


def test_a_file_of_an_older_layout_lacks_a_column(tmp_path: Path) -> None:
    path = tmp_path / "old.parquet"
    table = pa.Table.from_pylist([record(MIDNIGHT)], section_schema(QJST))
    pq.write_table(table.drop_columns("qjstbffl"), path)
    rows = DayRows(DAY, {QJST: [str(path)]}, frozenset(), {}, {})
    assert rows.of(QJST, "qjstbffl")["qjstbffl"].to_pylist() == [None]
