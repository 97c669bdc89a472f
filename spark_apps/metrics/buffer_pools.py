"""Metrics of buffer pools and page sets."""

from typing import Final

import polars as pl

from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.transforms.intervals import (
    Counter,
    Gauge,
    Sections,
    at_most,
    interval_rows,
    numbered,
    path,
    ratio,
)

QPST: Final = "section_qpst"

BUFFER_POOL_USED: Final = "buffer_pool_used_pct"


def pools(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, buffer pool and interval; a pool without buffers has none.

    Used are the most buffers of the interval: QPSTCBSL are the fewest that could be stolen.
    """
    pool = numbered("BP", "qpstpool")
    per_hour = 1 / SECONDS_PER_HOUR
    steals = pl.col("qpststl")
    short = pl.sum_horizontal("qpstsos", "qpststla", "qpstdmc", ignore_nulls=False)
    contention_pct = at_most(ratio(100 * pl.col("qpststla"), steals), 100.0)
    return interval_rows(
        sections[QPST].filter(pl.col("qpstnbuf") > 0),
        path("sysplex", "qmgr", pool),
        Gauge(BUFFER_POOL_USED, 100.0 - pl.col("qpstcbsl") * 100.0 / pl.col("qpstnbuf")),
        Gauge("buffer_pool_buffers_count", "qpstnbuf"),
        Counter("buffer_pool_short_count", short, per_hour),
        Counter("buffer_pool_deferred_count", "qpstdwt", per_hour),
        Counter("buffer_pool_io_per_s", pl.col("qpstrio") + pl.col("qpstwio")),
        Counter("buffer_pool_read_per_s", "qpstrio"),
        Counter("buffer_pool_written_per_s", "qpsttpw"),
        Gauge("buffer_pool_contention_pct", contention_pct),
    )


QIS1: Final = "section_qis1"


def page_sets(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, page set and statistics interval; one without pages has none."""
    defined = pl.col("qis1topg")
    used = defined - pl.col("qis1unpg")
    page_set = numbered("PS", "qis1psno")
    return interval_rows(
        sections[QIS1].filter(defined > 0),
        path("sysplex", "qmgr", page_set),
        Gauge("page_set_used_pct", used * 100.0 / defined),
        Gauge("page_set_used_pages", used),
    )
