"""Attribution: parts of the metrics of some UTC dates, and figures that two sources have."""

from collections.abc import Collection
from datetime import date
from typing import Final

import polars as pl

from mqcap.domain.attribution import OTHERS, PartKind
from mqcap.domain.datasets import CONSOLE_EVENT, METRIC_PART, QMGR_ACCOUNTING, SOURCE_PAIR
from spark_apps.attribution import channels, distributed, facility, queues, tasks
from spark_apps.attribution.compare import COMPARED, source_pairs
from spark_apps.attribution.parts import DAYS, PART
from spark_apps.metrics.channel_initiators import QCST
from spark_apps.metrics.local_queues import RATE
from spark_apps.metrics.structures import ELEMENTS_USED, ENTRIES_USED
from spark_apps.transforms.intervals import Sections, divided, union
from spark_apps.transforms.keys import INTERVAL, TASKS
from spark_apps.transforms.site_midnights import SiteDays

MODULES: Final = (channels, distributed, facility, queues, tasks)
DATASETS: Final = tuple(sorted({*COMPARED, *TASKS, QCST, QMGR_ACCOUNTING.name}))
"""Datasets that attribution reads."""
HIGHEST: Final = (ELEMENTS_USED, ENTRIES_USED, RATE)
"""Metrics whose parts do not add up: every member of a group reports the same part, or they are
highest values. The highest counts."""
_BREAKDOWN: Final = ("metric", "subject", "breakdown", DAYS[0])
_WHOLE: Final = ("metric", "subject", *DAYS)


def attribution(
    sections: Sections,
    dates: Collection[date],
    wholes: pl.DataFrame,
    site_days: SiteDays,
    parts_per_day: int,
) -> dict[str, pl.DataFrame]:
    """Return METRIC_PART, the parts of metrics on some dates, and SOURCE_PAIR, by name.

    Of each breakdown the ``parts_per_day`` largest parts of a UTC date keep their name, of equal
    ones the first by name. Parts of a day on which the metric was not measured have no rows.
    ``wholes`` are those of ``attribution.wholes``.
    """
    begun = _begun_on(sections, dates, site_days)
    every = pl.concat([module.parts(begun).collect() for module in MODULES]).lazy()
    amount, is_highest = pl.col("amount"), pl.col("metric").is_in(HIGHEST)
    sums = every.group_by(*PART, *DAYS).agg(amount.sum(), amount.max().alias("highest"))
    summed = sums.with_columns(amount=pl.when(is_highest).then("highest").otherwise(amount))
    parts = _largest(summed, parts_per_day).collect().lazy()
    measured = wholes.lazy().join(parts, on=list(_WHOLE), how="semi")
    wholes_of_parts = measured.with_columns(
        breakdown=pl.lit(""), kind=pl.lit(str(PartKind.whole)), part=pl.lit("")
    )
    rows = [_valued(parts, wholes.lazy()), wholes_of_parts]
    known = union(*(row.select(*METRIC_PART.columns) for row in rows)).filter(
        pl.col("value").is_not_null()
    )
    return {
        METRIC_PART.name: known.collect(),
        SOURCE_PAIR.name: source_pairs(begun, site_days).collect(),
    }


def _begun_on(sections: Sections, dates: Collection[date], site_days: SiteDays) -> Sections:
    """Return the rows that begin on some UTC dates, with the columns of ``DAYS``."""
    frames = {}
    for name in DATASETS:
        moment = pl.col("event_utc" if name == CONSOLE_EVENT.name else INTERVAL[0])
        root = pl.col("site" if name == QMGR_ACCOUNTING.name else "sysplex")
        frames[name] = (
            sections[name]
            .with_columns(moment.dt.date().alias(DAYS[0]))
            .filter(pl.col(DAYS[0]).is_in(set(dates)))
            .with_columns(site_days.local_date(root, moment).alias(DAYS[1]))
        )
    return Sections(frames)


def _largest(parts: pl.LazyFrame, parts_per_day: int) -> pl.LazyFrame:
    """Return the largest parts of each breakdown, and the others as one."""
    place = pl.int_range(pl.len()).over(*_BREAKDOWN, order_by=[-pl.col("amount"), "part"])
    small = (
        parts.filter(pl.col("kind") != str(PartKind.other))
        .group_by(*PART, DAYS[0])
        .agg(pl.col("amount").sum())
        .filter(place >= parts_per_day)
        .select(*PART, DAYS[0], pl.lit(True).alias("is_small"))
    )
    return (
        parts.join(small, on=[*PART, DAYS[0]], how="left")
        .with_columns(
            pl.when("is_small").then(pl.lit(text)).otherwise(name).alias(name)
            for name, text in (("kind", str(PartKind.other)), ("part", OTHERS))
        )
        .group_by(*PART, *DAYS)
        .agg(pl.col("amount").sum())
    )


def _valued(parts: pl.LazyFrame, wholes: pl.LazyFrame) -> pl.LazyFrame:
    """Return parts in the unit of their metric."""
    amount = pl.col("amount")
    base = pl.coalesce("base", amount.sum().over(*_WHOLE, "breakdown"))
    share = pl.col("value") * (amount / pl.when(base != 0).then(base))
    is_named = pl.col("kind") != str(PartKind.other)
    # Thousandths of a highest value of the day, which do not add up.
    highest = pl.when(is_named).then(divided(amount, 1_000.0))
    return parts.join(wholes, on=list(_WHOLE), how="left").with_columns(
        pl.when(pl.col("metric") == RATE).then(highest).otherwise(share).alias("value"),
        pl.col("covered_seconds").fill_null(0.0),
    )
