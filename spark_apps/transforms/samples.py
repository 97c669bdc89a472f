"""Samples of distributed queue managers as interval rows.

``counted_once`` is the rule for all of them: a moment of a series belongs to the figure that is
reported next, whichever file, job or host tells it. A row that reaches back over an earlier figure
is cut there, so that overlapping answers and several collectors count once.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from mqcap.domain.distributed.mq_name import ESCAPES
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.subject import SERIES_SEPARATOR, Subject
from mqcap.domain.units import US_PER_S
from mqcap.ingest.samples import AMOUNT_BELOW, COUNTER_REACH_STEPS
from spark_apps.digests import DistributedPlacement
from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.site_figure_placement import SITE_SAMPLE, SiteFigurePlacement
from spark_apps.transforms.intervals import (
    INTERVAL_COLUMNS,
    Counter,
    Gauge,
    Sections,
    instant,
    interval_rows,
    known_rows,
    length_us,
    looked_up,
    micros,
    path,
    spanning,
    whole,
)
from spark_apps.transforms.keys import INTERVAL

QMGR_SAMPLE: Final = "qmgr_sample"
SERIES: Final = ("site", "qmgr", "object", "figure")
PLACED_COLUMNS: Final = (
    "site",
    "qmgr",
    "host",
    "object",
    "figure",
    "reading",
    "reported_utc",
    "step_seconds",
    "scrape_seconds",
    "value",
    "file_sha256",
)
_SETTING_SCHEMA: Final = pl.Schema(
    {
        "site": pl.String(),
        "qmgr": pl.String(),
        "from_utc": pl.Datetime("us", "UTC"),
        "to_utc": pl.Datetime("us", "UTC"),
        **dict.fromkeys(SettingPeriod._fields[4:], pl.Int64()),
    }
)


def placed_samples(frame: pl.LazyFrame, place: DistributedPlacement) -> pl.LazyFrame:
    """Return ``PLACED_COLUMNS`` of queue managers of one place, with the step of its scrapes."""
    labels: dict[str, str] = {Subject.of(*key): name for key, name in place.hosts.items()}
    placed = placed_rows(frame, "qmgr", place.site_by_qmgr).with_columns(
        scrape_seconds=looked_up("site", place.scrape_seconds, pl.Float64),
        label=path("site", "host"),
    )
    return placed.with_columns(
        host=pl.coalesce(looked_up("label", labels), "host"),
        step_seconds=pl.coalesce("step_seconds", "scrape_seconds"),
    ).select(*PLACED_COLUMNS)


def placed_rows(frame: pl.LazyFrame, owner: str, site_by_owner: Mapping[str, str]) -> pl.LazyFrame:
    """Return rows of queue managers or systems of one place, with ``site``."""
    placed = frame.with_columns(site=looked_up(owner, site_by_owner))
    return placed.filter(pl.col("site").is_not_null())


def part(column: str) -> pl.Expr:
    """Return a name as a part of a subject, as ``escaped`` of the domain does."""
    text = pl.col(column)
    for character, escape in ESCAPES:
        text = text.str.replace_all(character, escape, literal=True)
    return text


def qmgr_subject() -> pl.Expr:
    """Return the subject of a queue manager: ``EAST/QM1``."""
    return path("site", part("qmgr"))


def at_one_time(
    sections: Sections, key: Sequence[str], figures: Mapping[QmgrFigure, str]
) -> pl.LazyFrame:
    """Return gauges that were reported of one subject at one time, side by side.

    A row per site, key and time, with an interval, and a column per figure under the name given;
    null where that figure was not reported then.
    """
    is_gauge = pl.col("reading") == str(SampleReading.gauge)
    reported = sections[QMGR_SAMPLE].filter(
        is_gauge & pl.col("figure").is_in([str(name) for name in figures])
    )
    names = {str(figure): name for figure, name in figures.items()}
    return side_by_side(reported, ["site", *key], figures).rename(names)


def side_by_side(rows: pl.LazyFrame, key: Sequence[str], figures: Iterable[str]) -> pl.LazyFrame:
    """Return a row per key and time, with an interval, and the highest value of each figure."""
    value, figure = pl.col("value"), pl.col("figure")
    values = (value.filter(figure == str(name)).max().alias(str(name)) for name in figures)
    step = pl.col("step_seconds").max()
    return with_interval(rows.group_by(*key, "reported_utc").agg(step, *values))


def with_settings(frame: pl.LazyFrame, periods: Sequence[SettingPeriod]) -> pl.LazyFrame:
    """Return rows with the settings of their time (``SettingPeriod``); null without a capture."""
    settings = pl.LazyFrame(
        [tuple(period) for period in periods], schema=_SETTING_SCHEMA, orient="row"
    ).sort("from_utc")
    joined = frame.sort("reported_utc").join_asof(
        settings,
        left_on="reported_utc",
        right_on="from_utc",
        by=["site", "qmgr"],
        strategy="backward",
        check_sortedness=False,
    )
    is_over = pl.col("reported_utc") >= pl.col("to_utc")
    names = SettingPeriod._fields[4:]
    in_force = [pl.when(~is_over).then(pl.col(name)).alias(name) for name in names]
    return joined.with_columns(*in_force).drop("from_utc", "to_utc", strict=False)


def with_interval(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Return rows with the interval of the step before they were reported."""
    start_us = micros("reported_utc") - whole(pl.col("step_seconds") * float(US_PER_S))
    return frame.with_columns(spanning(instant(start_us), "reported_utc"))


def amounts(
    sections: Sections,
    figure: QmgrFigure,
    metric: str,
    amount_per_unit: float,
    subject: pl.Expr | None = None,
) -> pl.LazyFrame:
    """Return interval rows of what was counted: deltas and differences of counters.

    ``subject`` is by default the queue manager; it may use ``site``, ``qmgr`` and ``object``.
    """
    reported = sections[QMGR_SAMPLE].filter(pl.col("figure") == str(figure))
    counted = pl.concat([_since_before(reported), _differences(reported)])
    amount = Counter(metric, pl.col("value").cast(pl.Int64), amount_per_unit)
    return rows_once(counted, qmgr_subject() if subject is None else subject, amount)


def rows_once(frame: pl.LazyFrame, subject: pl.Expr, *figures: Gauge | Counter) -> pl.LazyFrame:
    """Return ``interval_rows`` of samples, as ``counted_once``."""
    return counted_once(interval_rows(frame, subject, *figures))


def counted_once(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return interval rows without their overlaps; amounts are cut in proportion.

    Each moment belongs to the row that ends next. Of rows that end together the one that begins
    first counts; of equal ones the highest.
    """
    start, end = INTERVAL
    highest_first = -pl.col("level")
    before = pl.col(end).shift(1).over("metric", "subject", order_by=[end, start, highest_first])
    first = pl.col("first")
    kept_us = micros(end) - first.cast(pl.Int64)
    share = whole(pl.col("amount") * (kept_us / length_us()))
    return (
        rows.filter(length_us() > 0)
        .with_columns(first=pl.max_horizontal(start, before))
        .filter(first < pl.col(end))
        .with_columns(
            pl.when(kept_us == length_us()).then(pl.col("amount")).otherwise(share).alias("amount"),
            first.alias(start),
        )
        .select(*INTERVAL_COLUMNS)
    )


def _since_before(reported: pl.LazyFrame) -> pl.LazyFrame:
    """Return what was counted in a step or since a scrape; nothing of one with a larger step."""
    reading, step, of_scrapes = (pl.col(n) for n in ("reading", "step_seconds", "scrape_seconds"))
    is_scrape = (reading == str(SampleReading.scrape)) & (step <= of_scrapes)
    rows = reported.filter((reading == str(SampleReading.delta)) | is_scrape).with_columns(
        step_seconds=pl.when(is_scrape).then(of_scrapes).otherwise(step)
    )
    return with_interval(rows).select("site", "qmgr", "object", *INTERVAL, "value")


def _differences(reported: pl.LazyFrame) -> pl.LazyFrame:
    """Return the differences of neighbouring samples of each counter; of one that fell none."""
    once = (
        reported.filter(pl.col("reading") == str(SampleReading.counter))
        .group_by(*SERIES, "reported_utc")
        .agg(pl.col("value").max(), pl.col("step_seconds").max())
    )
    value = pl.col("value")
    then = pl.col("reported_utc").shift(1).over(*SERIES, order_by="reported_utc")
    before = value.shift(1).over(*SERIES, order_by="reported_utc")
    reach_us = whole(pl.col("step_seconds") * COUNTER_REACH_STEPS * float(US_PER_S))
    return (
        once.with_columns(*spanning(then, "reported_utc"), value=value - before)
        .filter(length_us() <= reach_us)
        .filter((value >= 0) & (value < AMOUNT_BELOW))
        .select("site", "qmgr", "object", *INTERVAL, "value")
    )


SITE_COLUMNS: Final = ("metric", "subject", "reported_utc", "step_seconds", "value")


def placed_site_samples(frame: pl.LazyFrame, place: SiteFigurePlacement) -> pl.LazyFrame:
    """Return ``SITE_COLUMNS`` of figures that are used, of known roots, with unit and step."""
    root = pl.col("subject").str.split(SERIES_SEPARATOR).list.first()
    step = looked_up("figure", place.steps, pl.Float64)
    unit = pl.col("unit")
    return (
        frame.filter(root.is_in(sorted(place.roots)))
        .filter((unit == "") | (unit == looked_up("figure", place.units)))
        .with_columns(
            metric=looked_up("figure", place.metrics),
            step_seconds=pl.coalesce("step_seconds", step),
        )
        .filter(pl.col("metric").is_not_null() & pl.col("step_seconds").is_not_null())
        .select(*SITE_COLUMNS)
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
