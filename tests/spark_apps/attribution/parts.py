"""Parts of literal rows, for the tests of attribution."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import polars as pl

from mqcap.domain.datasets import METRIC_PART
from spark_apps.attribution.by_date import attribution
from spark_apps.attribution.wholes import ATTRIBUTED, wholes
from spark_apps.registry import families
from spark_apps.transforms.intervals import Sections, union
from spark_apps.transforms.site_midnights import SiteDays
from tests.spark_apps.rows import COMMON, sections

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


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


def dates_of(rows: Rows) -> list[date]:
    starts = [{**COMMON, **row}["interval_start_utc"] for some in rows.values() for row in some]
    return sorted({start.date() for start in starts})


def wholes_of(made: Sections, site_days: SiteDays) -> pl.DataFrame:
    """The metrics that have parts, of literal rows."""
    every = union(
        *(
            family.intervals(made)
            for family in families()
            if {*ATTRIBUTED} & {metric.name for metric in family.metrics}
        )
    )
    return wholes(every, made, site_days).collect()


def parts_of(parts_per_day: int = 20, zone: str = "UTC", **rows: Any) -> list[Part]:
    made, site_days = sections(**rows), SiteDays({}, zone)
    whole = wholes_of(made, site_days)
    parts = attribution(made, dates_of(rows), whole, site_days, parts_per_day)["metric_part"]
    assert parts.columns == list(METRIC_PART.columns)
    return sorted(Part(**row) for row in parts.iter_rows(named=True))


def values(rows: list[Part], metric: str, breakdown: str = "queue") -> dict[str, float]:
    """Parts of a breakdown by name, what is no part of its kind by kind and name."""
    return {
        row.part if row.kind == breakdown else f"{row.kind} {row.part}".strip(): round(row.value, 9)
        for row in rows
        if row.metric == metric and row.breakdown in {breakdown, ""}
    }


def put(queue: str, messages: int, message_bytes: int = 1_000, **more: Any) -> dict[str, Any]:
    """A queue to which persistent messages were put."""
    counts = {"qqstputs": messages, "qqstppt": messages}
    sizes = {"qqstputb": messages * message_bytes, "qqstppb": messages * message_bytes}
    return {"qqstqnam": queue, **counts, **sizes, **more}
