"""Read the parts of metrics from the lake, without Spark."""

from __future__ import annotations

from datetime import date

import pyarrow.compute as pc

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.datasets import METRIC_HOURLY, METRIC_PART
from mqcap.domain.metric import series_id
from mqcap.lake.layout import parquet_files
from mqcap.lake.location import Location
from mqcap.lake.partitions import partitions
from mqcap.lake.site_dates import rows_of_site_dates
from mqcap.lake.tables import read_rows


def part_days(lake: Location, metric: str, subject: str, first: date, last: date) -> list[PartDay]:
    """Return the parts of a metric of a subject on the site dates from first to last.

    In order of day, breakdown, kind and name. A site date that spans two UTC dates has the rows
    of both. Empty where the lake has none: not measured, or aggregated by an older release.
    """
    of_series = (pc.field("metric") == metric) & (pc.field("subject") == subject)
    found = rows_of_site_dates(lake, METRIC_PART, first, last, PartDay._fields, of_series)
    return sorted(PartDay(**row) for row in found)


def largest_part(lake: Location, metric: str, subject: str, day: date) -> str | None:
    """Return the named part with the highest value of a site date; ``None`` without any.

    Of equal ones the first by name.
    """
    rows = part_days(lake, metric, subject, day, day)
    named = [row for row in rows if row.kind not in {PartKind.other, PartKind.whole}]
    return min(named, key=lambda row: (-row.value, row.part)).part if named else None


def attributed_series(lake: Location, first: date, last: date) -> list[str]:
    """Return the ids of the series that have parts between two days, in order."""
    is_whole = pc.field("kind") == str(PartKind.whole)
    columns = ("metric", "subject")
    rows = rows_of_site_dates(lake, METRIC_PART, first, last, columns, is_whole)
    return sorted({series_id(row["metric"], row["subject"]) for row in rows})


def measured_subjects(lake: Location, first: date, last: date) -> list[str]:
    """Return the subjects of the hourly metrics of the UTC dates from first to last, in order."""
    days = partitions(lake, METRIC_HOURLY.name).items()
    folders = [folder for day, folder in days if first <= day <= last]
    paths = [path for folder in folders for path in parquet_files(folder)]
    if not paths:
        return []
    rows = read_rows(paths, ["subject"])
    return sorted(pc.unique(rows["subject"]).to_pylist())


def part_dates(lake: Location) -> list[date]:
    """Return the UTC dates of which the lake has parts, in order."""
    return list(partitions(lake, METRIC_PART.name))
