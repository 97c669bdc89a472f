"""Site figures as interval rows of their metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import SERIES_SEPARATOR
from spark_apps.site_figure_placement import SITE_SAMPLE, SiteFigurePlacement
from spark_apps.transforms.intervals import INTERVAL_COLUMNS, Sections
from spark_apps.transforms.samples import with_interval

PLACED_COLUMNS: Final = ("metric", "subject", "reported_utc", "step_seconds", "value")


def placed_site_samples(frame: DataFrame, place: SiteFigurePlacement) -> DataFrame:
    """Return samples of figures that are used, with their metric: ``PLACED_COLUMNS``.

    A sample of another unit, of a subject in no estate, or without any step is left out.
    """
    root = sf.substring_index("subject", SERIES_SEPARATOR, 1)
    step = sf.coalesce("step_seconds", _looked_up(place.steps).cast("double"))
    return (
        frame.where(root.isin(sorted(place.roots)))
        .where((sf.col("unit") == "") | (sf.col("unit") == _looked_up(place.units)))
        .withColumn("metric", _looked_up(place.metrics))
        .withColumn("step_seconds", step)
        .where(sf.col("metric").isNotNull() & sf.col("step_seconds").isNotNull())
        .select(*PLACED_COLUMNS)
    )


def site_levels(sections: Sections) -> DataFrame:
    """Return an interval row per metric, subject and time at which a site figure was reported."""
    none = sf.lit(None)
    return (
        with_interval(sections[SITE_SAMPLE])
        .withColumn("level", sf.col("value"))
        .withColumn("amount", none.cast("bigint"))
        .withColumn("amount_per_unit", none.cast("double"))
        .select(*INTERVAL_COLUMNS)
    )


def _looked_up(by_figure: Mapping[str, str] | Mapping[str, float]) -> Column:
    if not by_figure:
        return sf.lit(None).cast("string")
    pairs = [sf.lit(text) for item in sorted(by_figure.items()) for text in item]
    return sf.create_map(*pairs)[sf.col("figure")]
