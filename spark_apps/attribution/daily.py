"""Parts of metrics by day: the largest of each breakdown, the others added up, and the metric."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.attribution import OTHERS, PartKind
from mqcap.domain.datasets import METRIC_PART
from spark_apps.attribution import channels, compare, facility, queues, tasks
from spark_apps.attribution.days import DAYS, PART, SiteDays
from spark_apps.attribution.wholes import wholes
from spark_apps.metrics.queues import RATE
from spark_apps.metrics.structure import ENTRIES_USED
from spark_apps.transforms.intervals import Sections, union

_MODULES: Final = (channels, facility, queues, tasks)
_READERS: Final = (*_MODULES, compare)
DATASETS: Final = tuple(sorted({name for module in _READERS for name in module.READS}))
"""Datasets that attribution reads, beside those of the metrics."""
_BREAKDOWN: Final = ("metric", "subject", "breakdown", DAYS[0])
ONCE_OF_MEMBERS: Final = (ENTRIES_USED.name,)
"""Metrics of which every member of a group reports the same part: the highest counts."""
PEAKS: Final = (RATE.name,)
"""Metrics whose parts are thousandths of a highest value of the day, which do not add up."""
_WHOLE: Final = ("metric", "subject", *DAYS)


def metric_parts(sections: Sections, site_days: SiteDays, parts_per_day: int) -> DataFrame:
    """Return the columns of METRIC_PART.

    Of each breakdown and UTC date the ``parts_per_day`` largest parts keep their name, of equal
    ones the first by name. Parts of a day on which the metric was not measured have no rows.
    """
    every = union([module.parts(sections, site_days) for module in _MODULES])
    is_highest = sf.col("metric").isin([*ONCE_OF_MEMBERS, *PEAKS])
    amount = sf.when(is_highest, sf.max("amount")).otherwise(sf.sum("amount"))
    summed = every.groupBy(*PART, *DAYS).agg(amount.alias("amount")).repartition(*_BREAKDOWN)
    total = sf.sum("amount").over(Window.partitionBy(*_BREAKDOWN, "kind", "part"))
    order = Window.partitionBy(*_BREAKDOWN).orderBy(
        sf.col("kind") == str(PartKind.other), sf.desc("total"), "part"
    )
    is_small = (sf.dense_rank().over(order) > parts_per_day) & (
        sf.col("kind") != str(PartKind.other)
    )
    kept = (
        summed.withColumn("total", total)
        .withColumn("is_small", is_small)
        .withColumn(
            "kind", sf.when(sf.col("is_small"), str(PartKind.other)).otherwise(sf.col("kind"))
        )
        .withColumn("part", sf.when(sf.col("is_small"), OTHERS).otherwise(sf.col("part")))
        .groupBy(*PART, *DAYS)
        .agg(sf.sum("amount").alias("amount"))
    )
    return _valued(kept, wholes(sections, site_days))


def _valued(parts: DataFrame, metrics: DataFrame) -> DataFrame:
    """Return parts in the unit of their metric, and a row for each metric that has any."""
    whole = str(PartKind.whole)
    of_metrics = metrics.withColumns(
        {"breakdown": sf.lit(""), "kind": sf.lit(whole), "part": sf.lit("")}
    )
    of_metric, of_breakdown = Window.partitionBy(*_WHOLE), Window.partitionBy(*_WHOLE, "breakdown")
    figures = {name: sf.max(name).over(of_metric) for name in ("value", "covered_seconds", "base")}
    base = sf.coalesce("base", sf.sum("amount").over(of_breakdown))
    share = sf.when(sf.col("kind") == whole, 1.0).otherwise(sf.try_divide(sf.col("amount"), base))
    is_peak = sf.col("metric").isin(list(PEAKS))
    peak = sf.when(sf.col("kind") != str(PartKind.other), sf.col("amount") / sf.lit(1_000.0))
    return (
        of_metrics.unionByName(parts, allowMissingColumns=True)
        .withColumns(figures)
        .withColumn("part_count", sf.count("amount").over(of_metric))
        .where(sf.col("part_count") > 0)
        .withColumn("value", sf.when(is_peak, peak).otherwise(sf.col("value") * share))
        .withColumn("covered_seconds", sf.coalesce("covered_seconds", sf.lit(0.0)))
        .where(sf.col("value").isNotNull())
        .select(*METRIC_PART.columns)
    )
