"""Parts of literal rows, for the tests of attribution."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_PART
from spark_apps.attribution.daily import parts_of_day
from spark_apps.attribution.days import SiteDays
from spark_apps.attribution.rows import DayRows, section_schema
from spark_apps.attribution.wholes import attributed, wholes
from tests.spark_apps.rows import COMMON, sections

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
SYSPLEX_BY_SMFID = {"SYS1": "PLEX1", "SYS2": "PLEX1"}


class Part(NamedTuple):
    """A row of METRIC_PART."""

    metric: str
    subject: str
    site_date: date
    breakdown: str
    kind: str
    part: str
    value: float
    covered_seconds: float
    hour_date: date


def days_of_rows(folder: Path, rows: Rows) -> list[DayRows]:
    """Write the rows to a file per dataset; return the dates on which they begin."""
    files: dict[str, list[str]] = {}
    dates: set[date] = set()
    for dataset, literal in rows.items():
        complete = [{**COMMON, **row} for row in literal]
        path = folder / f"{dataset}.parquet"
        pq.write_table(pa.Table.from_pylist(complete, section_schema(dataset)), path)
        files[dataset] = [str(path)]
        dates |= {row["interval_start_utc"].date() for row in complete}
    return [DayRows(day, files, frozenset(), SYSPLEX_BY_SMFID, {}) for day in sorted(dates)]


def parts_of(
    spark: SparkSession, parts_per_day: int = 20, zone: str = "UTC", **rows: Any
) -> list[Part]:
    frames, site_days = sections(spark, **rows), SiteDays({}, zone)
    measured = wholes(attributed(frames), frames, site_days).toArrow()
    found: list[Part] = []
    with tempfile.TemporaryDirectory() as folder:
        for day in days_of_rows(Path(folder), rows):
            of_day = measured.filter(pc.equal(measured["hour_date"], day.day))
            made = parts_of_day(day, of_day.drop_columns("hour_date"), site_days, parts_per_day)
            assert made.column_names == list(METRIC_PART.columns)
            found.extend(Part(**row) for row in made.to_pylist())
    return sorted(found)


def values(rows: list[Part], metric: str) -> dict[tuple[str, str, str], float]:
    return {
        (row.breakdown, row.kind, row.part): round(row.value, 9)
        for row in rows
        if row.metric == metric
    }


def put(queue: str, messages: int, message_bytes: int = 1_000, **more: Any) -> dict[str, Any]:
    """A queue to which persistent messages were put."""
    counts = {"qqstputs": messages, "qqstppt": messages}
    sizes = {"qqstputb": messages * message_bytes, "qqstppb": messages * message_bytes}
    return {"qqstqnam": queue, **counts, **sizes, **more}
