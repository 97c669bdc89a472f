"""Parts of literal rows, for the tests of attribution."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_PART
from spark_apps.attribution.daily import metric_parts
from spark_apps.attribution.days import SiteDays
from tests.spark_apps.rows import sections


def parts_of(
    spark: SparkSession, parts_per_day: int = 20, zone: str = "UTC", **rows: Any
) -> list[Any]:
    found = metric_parts(sections(spark, **rows), SiteDays({}, zone), parts_per_day)
    assert found.columns == list(METRIC_PART.columns)
    return found.orderBy(*METRIC_PART.key).collect()


def values(rows: list[Any], metric: str) -> dict[tuple[str, str, str], float]:
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
