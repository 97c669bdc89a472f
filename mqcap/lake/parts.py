"""Read parts of metrics, and rows by site date, from the lake, without Spark."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.datasets import METRIC_HOURLY, METRIC_PART, Dataset
from mqcap.domain.metric import series_id
from mqcap.lake.layout import hour_partitions, partitions
from mqcap.lake.location import Location
from mqcap.lake.tables import partition_rows

_ONE_DAY: Final = timedelta(days=1)
_NOT_LISTED_DAYS: Final = 14
"""Up to so many folders are looked at without a list of all of them (ours)."""


def rows_of_site_dates(
    lake: Location,
    dataset: Dataset,
    first: date,
    last: date,
    columns: Iterable[str],
    wanted: pc.Expression | None = None,
) -> list[dict[str, Any]]:
    """Return the wanted rows of the site dates from first to last; all of them by default.

    A site date that spans two UTC dates has the rows of both. Empty where the lake has none.
    """
    begin, end = first - _ONE_DAY, last + _ONE_DAY
    is_short = (end - begin).days < _NOT_LISTED_DAYS
    folders = (hour_partitions if is_short else _listed)(lake, dataset.name, begin, end)
    site_date = pc.field("site_date")
    rows = (site_date >= pa.scalar(first)) & (site_date <= pa.scalar(last))
    if wanted is not None:
        rows &= wanted
    found: list[dict[str, Any]] = partition_rows(folders, list(columns), rows).to_pylist()
    return found


def _listed(lake: Location, dataset: str, first: date, last: date) -> list[Location]:
    return [folder for day, folder in partitions(lake, dataset).items() if first <= day <= last]


PartsOf = Callable[[str, str, date, date], list[PartDay]]
"""The parts of a metric and subject on the site dates from first to last, as ``part_days``."""


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
    rows = partition_rows(_listed(lake, METRIC_HOURLY.name, first, last), ["subject"])
    return sorted(pc.unique(rows["subject"]).to_pylist())


def part_dates(lake: Location) -> list[date]:
    """Return the UTC dates of which the lake has parts, in order."""
    return list(partitions(lake, METRIC_PART.name))
