"""A small lake beside the store of ``builder``: hours of one series, the records behind them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.metric import split_series_id
from mqcap.store.feeds import upsert_source_files
from tests.plugins import builder

FIRST: Final = datetime(2026, 1, 29, 23, tzinfo=UTC)
"""Midnight of 30 January in the zone of the sysplex."""
GAP: Final = datetime(2026, 1, 31, 4, tzinfo=UTC)
"""An hour that was not measured."""
BUSIEST: Final = datetime(2026, 1, 31, 9, tzinfo=UTC)
HOURS: Final = 48
OFFSET_BYTES: Final = 4_590
OVERLAP: Final = "c" * 64
"""A second dump with the same records."""


def fill(folder: Path) -> Path:
    """Write two days of hours, their records in two overlapping dumps, and the catalogue."""
    lake = folder / "lake"
    hours = [FIRST + timedelta(hours=count) for count in range(HOURS)]
    _hourly(lake, [hour for hour in hours if hour != GAP])
    _intervals(lake, [hour for hour in hours if hour != GAP])
    for sha256 in ("a" * 64, OVERLAP):
        _records(lake, sha256, hours)
    catalogue = [
        {
            "name": split_series_id(builder.LOG)[0],
            "description": "How fast the log grows (QJSTBFFL x 4096).",
            "fields": ["QJSTBFFL"],
            "reads": ["section_qjst"],
        }
    ]
    (lake / "metric_catalogue.json").write_text(json.dumps(catalogue), encoding="utf-8")
    return lake


def know_files(folder: Path) -> None:
    """Make the two dumps known to the store."""
    engine = builder.empty_store(folder)
    known = {"first_interval_utc": FIRST, "last_interval_utc": FIRST + timedelta(hours=HOURS)}
    again = {"sha256": OVERLAP, "name": "AGAIN.D260131.smf"}
    upsert_source_files(
        engine, [builder.source_file(**known), builder.source_file(**known, **again)]
    )
    engine.dispose()


def _hourly(lake: Path, hours: Sequence[datetime]) -> None:
    metric, subject = split_series_id(builder.LOG)
    rows = [
        {
            "metric": metric,
            "subject": str(subject),
            "series_id": builder.LOG,
            "hour_utc": hour,
            "value": 1.5,
            "peak": 2.5 if hour == BUSIEST else 2.0,
            "peak_interval_start_utc": hour,
            "total": None,
            "covered_seconds": 3_600.0,
            "interval_count": 2,
        }
        for hour in hours
    ]
    _write_days(lake / "metric_hourly", rows, "hour_utc")


def _intervals(lake: Path, hours: Sequence[datetime]) -> None:
    """Two intervals in every hour, the second of them higher."""
    half = timedelta(minutes=30)
    rows = [
        {
            "series_id": builder.LOG,
            "interval_start_utc": hour + half * part,
            "interval_end_utc": hour + half * (part + 1),
            "level": 1.0 + part,
        }
        for hour in hours
        for part in (0, 1)
    ]
    _write_days(lake / "metric_interval", rows, "interval_start_utc")


def _records(lake: Path, sha256: str, hours: Sequence[datetime]) -> None:
    rows = [
        {
            "smfid": "SYS1",
            "qmgr": "CSQ1",
            "record_type": 115,
            "record_subtype": 1,
            "interval_start_utc": hour,
            "interval_end_utc": hour + timedelta(hours=1),
            "section_index": 0,
            "record_hash": count,
            "record_offset_bytes": OFFSET_BYTES + count,
            "file_sha256": sha256,
            "qjstid": 147,
            "qjstbffl": 1_000 + count,
        }
        for count, hour in enumerate(hours)
    ]
    folder = lake / "section_qjst" / f"received_date={builder.DAY}"
    _write(folder / f"{sha256}.parquet", rows)


def _write_days(folder: Path, rows: list[dict[str, Any]], begins: str) -> None:
    for day, of_day in groupby(rows, key=lambda row: row[begins].date()):
        _write(folder / f"hour_date={day}" / "part-0.parquet", list(of_day))


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows whose columns are of the types of the first row's values, absent ones figures."""
    kinds = {int: pa.int64(), str: pa.string(), datetime: pa.timestamp("us", tz="UTC")}
    types = [(name, kinds.get(type(value), pa.float64())) for name, value in rows[0].items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(types)), path)
