"""Site figures: those that rules know, and those that the settings declare."""

import polars as pl

from mqcap.domain.distributed.site_figure import PUBLISHED
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.samples import counted_once, site_levels


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per figure, subject and time; those that queue managers publish are theirs."""
    return counted_once(site_levels(sections).filter(~pl.col("metric").is_in(PUBLISHED)))
