"""Site figures: those that rules know, and those that the settings declare."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.site_figure import KNOWN, PUBLISHED
from mqcap.domain.metric import Metric
from spark_apps.site_figure_placement import SITE_SAMPLE, lowest_hours
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.samples import counted_once
from spark_apps.transforms.site_samples import site_levels

_MEASURED: Final = tuple(Metric(**each.model_dump(), reads=(SITE_SAMPLE,)) for each in KNOWN)
METRICS: Final = (*_MEASURED, *lowest_hours(_MEASURED))


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per figure, subject and time; those that queue managers publish are theirs."""
    return counted_once(site_levels(sections).filter(~pl.col("metric").is_in(PUBLISHED)))
