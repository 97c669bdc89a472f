"""Builders of literal rows: a sensible one, with what the test is about changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from types import SimpleNamespace
from typing import Any

import polars as pl

from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.read import row_schema
from spark_apps.registry import datasets_read
from spark_apps.transforms.intervals import INTERVAL_SCHEMA, Sections

START = datetime(2025, 3, 10, 13, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
COMMON: Mapping[str, Any] = {
    "sysplex": "PLEX1",
    "smfid": "SYS1",
    "qmgr": "CSQ1",
    "cf": "CF01",
    "interval_start_utc": START,
    "interval_end_utc": START + HALF_HOUR,
    "event_utc": START,
    "message_id": "CSQX004I",
    "text": "",
    "record_hash": 1,
    "file_sha256": "a",
    "section_index": 0,
    "site": "EAST",
    "host": "",
    "object": "",
    "reading": "gauge",
    "reported_utc": START,
    "step_seconds": 300.0,
    "scrape_seconds": 300.0,
}


def at(text: str) -> datetime:
    """A time of UTC as it is written in ISO 8601."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def frame(dataset: str, rows: Sequence[Mapping[str, Any]]) -> pl.LazyFrame:
    """Rows of a dataset; columns that are not given are those of ``COMMON``, else null."""
    if not rows:
        return _nothing(dataset)
    schema = row_schema(dataset)
    columns = {name: [_value({**COMMON, **row}, name) for row in rows] for name in schema}
    return pl.LazyFrame(columns, schema=schema, strict=False)


@cache
def _nothing(dataset: str) -> pl.LazyFrame:
    return pl.LazyFrame(schema=row_schema(dataset))


def _value(row: Mapping[str, Any], name: str) -> Any:
    value = row.get(name)
    return Decimal(value) if name.endswith("_rba") and value is not None else value


def sections(
    limits: Mapping[str, float] | None = None,
    bridge_queues: Mapping[str, tuple[str, ...]] | None = None,
    log_volumes: Mapping[str, tuple[str, ...]] | None = None,
    **rows: Sequence[Any],
) -> Sections:
    """Sections with the given rows; the other datasets have none."""
    frames = {name: frame(name, rows.get(name, ())) for name in {*datasets_read(), *rows}}
    return Sections(frames, limits or {}, bridge_queues or {}, log_volumes or {})


def samples(*rows: Mapping[str, Any], periods: tuple[SettingPeriod, ...] = ()) -> Sections:
    """Sections with samples of queue manager EAST/QM1, reported at 13:00 unless they say else."""
    made = sections(qmgr_sample=[{"qmgr": "QM1", **row} for row in rows])
    return replace(made, setting_periods=periods)


def between(start: datetime, end: datetime) -> dict[str, datetime]:
    """The interval columns."""
    return {"interval_start_utc": start, "interval_end_utc": end}


def intervals_of(*rows: tuple[Any, ...]) -> pl.LazyFrame:
    """Interval rows of literal ones: metric, subject, start, end, level, amount, its unit."""
    return pl.LazyFrame(list(rows), schema=INTERVAL_SCHEMA, orient="row", strict=False)


def records(frame: pl.LazyFrame, *order: str) -> list[Any]:
    """The rows as objects with an attribute for each column, in order of some columns."""
    ordered = frame.sort(order) if order else frame
    return [SimpleNamespace(**row) for row in ordered.collect().iter_rows(named=True)]


def levels(intervals: pl.LazyFrame) -> dict[tuple[str, str], list[float]]:
    """For each metric and subject: the levels in order of time."""
    result: dict[tuple[str, str], list[float]] = {}
    for row in records(intervals, "interval_start_utc"):
        result.setdefault((row.metric, row.subject), []).append(row.level)
    return result


def figures(
    made_by: Callable[[Sections], pl.LazyFrame], subject: str, given: Sections | None = None,
    **rows: Any,
) -> dict[str, Any]:  # fmt: skip
    """What is made of literal rows, all of it of one subject: the level of each metric, or all."""
    found = levels(made_by(sections(**rows) if given is None else given))
    assert {name for _, name in found} <= {subject}
    return {name: some[0] if len(some) == 1 else some for (name, _), some in found.items()}
