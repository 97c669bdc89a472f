"""Site figures as interval rows of their metrics."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import SERIES_SEPARATOR
from spark_apps.site_figure_placement import SITE_SAMPLE, SiteFigurePlacement
from spark_apps.transforms.deduplicate import looked_up
from spark_apps.transforms.intervals import INTERVAL_COLUMNS, Sections, known_rows
from spark_apps.transforms.samples import with_interval

PLACED_COLUMNS: Final = ("metric", "subject", "reported_utc", "step_seconds", "value")


def placed_site_samples(frame: pl.LazyFrame, place: SiteFigurePlacement) -> pl.LazyFrame:
    """Return samples of figures that are used, with their metric: ``PLACED_COLUMNS``.

    A sample of another unit, of a subject in no estate, or without any step is left out.
    """
    root = pl.col("subject").str.split(SERIES_SEPARATOR).list.first()
    step_texts = {figure: repr(float(step)) for figure, step in place.steps.items()}
    step = looked_up("figure", step_texts).cast(pl.Float64)
    unit = pl.col("unit")
    return (
        frame.filter(root.is_in(sorted(place.roots)))
        .filter((unit == "") | (unit == looked_up("figure", place.units)))
        .with_columns(
            metric=looked_up("figure", place.metrics),
            step_seconds=pl.coalesce("step_seconds", step),
        )
        .filter(pl.col("metric").is_not_null() & pl.col("step_seconds").is_not_null())
        .select(*PLACED_COLUMNS)
    )


def site_levels(sections: Sections) -> pl.LazyFrame:
    """Return an interval row per metric, subject and time at which a site figure was reported."""
    return known_rows(
        with_interval(sections[SITE_SAMPLE])
        .with_columns(
            level=pl.col("value"),
            amount=pl.lit(None, pl.Int64),
            amount_per_unit=pl.lit(None, pl.Float64),
        )
        .select(*INTERVAL_COLUMNS)
    )
