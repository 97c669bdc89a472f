"""Metrics of the logs of queue managers.

``log_switches`` is a check: a switch message carries the address (RBA) at which one log data set
ends and the next begins; the difference of two is what was logged between them, whatever the
records contain. Only switches of the same UTC day are compared. The first message of a day may be
that of a start of the queue manager, in the middle of a data set: it counts only when CSQJ002I
confirms that the data set before it was full.
"""

from typing import Final

import polars as pl

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.subject import Subject
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, US_PER_S
from mqcap.ingest.smf.clock import TOD_UNITS_PER_US
from spark_apps.transforms.intervals import (
    MANAGER_SUBJECT,
    Counter,
    Gauge,
    Sections,
    at_least_0,
    divided,
    highest_ratio,
    interval_rows,
    length_us,
    micros,
    path,
    ratio,
    seconds,
    spanning,
    total,
    union,
    whole,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER

QJST: Final = "section_qjst"

LOG_GROWTH: Final = "log_growth_mib_per_s"


def growth(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager and interval; the amount is in bytes."""
    growth_bytes = pl.col("qjstbffl") * PAGE_BYTES
    return interval_rows(
        sections[QJST], MANAGER_SUBJECT, Counter(LOG_GROWTH, growth_bytes, float(MIB_BYTES))
    )


COPIES: Final = 2
"""Most log copies that the log writer task writes at once."""

_IDLE_RATIO_MAX: Final = 2
"""Most that the idle time may be of the interval, which ends a little earlier or later (ours)."""


def log_writer(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and statistics interval.

    A record without the idle time gives no busy figure; one without zHyperLink writes none about
    them. No document gives the unit of their times: more than one task could wait for two copies
    means that it was not microseconds, and is left out.
    """
    length_us = seconds() * US_PER_S
    idle_us = _idle_us(length_us)
    tried = _sum("qjsthlsciw", "qjsthlmciw")
    link_us = _sum("qjsthlsciwttot", "qjsthlmciwttot")
    busy = at_least_0(100 - 100 * idle_us / length_us)
    return interval_rows(
        sections[QJST],
        MANAGER_SUBJECT,
        Gauge("log_task_busy_pct", pl.when((idle_us > 0) & (length_us > 0)).then(busy)),
        Gauge(
            "zhyperlink_busy_pct",
            pl.when((tried > 0) & (length_us > 0) & (link_us <= COPIES * length_us)).then(
                100 * link_us / length_us
            ),
        ),
        Gauge("zhyperlink_sync_pct", ratio(100 * _sum("qjsthlscis", "qjsthlmcis"), tried)),
    )


def _idle_us(length_us: pl.Expr) -> pl.Expr:
    """Return the idle time of the log writer task in microseconds.

    The layout calls QJSTSLPTU a time in TOD units, of which the column is the quotient. A real
    record of MQ 8.0 has microseconds. A field that is at most twice the interval in microseconds is
    taken as such; in TOD units the task would have been busy for more than 99.95 % of the interval.
    """
    field = pl.col("qjstslptu") * TOD_UNITS_PER_US
    is_us = field <= _IDLE_RATIO_MAX * length_us
    return pl.when(is_us).then(field).otherwise(pl.col("qjstslptu"))


def _sum(*columns: str) -> pl.Expr:
    return pl.sum_horizontal(*columns, ignore_nulls=False).cast(pl.Float64)


BEGINS: Final = "CSQJ001I"
ENDS: Final = "CSQJ002I"
COVERED_MIN_RATIO: Final = 0.99
"""Share of the time between two switches that records must cover to be compared (ours)."""
_OF_DAY: Final = ("sysplex", "qmgr", "day")
_ORDER: Final = ("at", "rba_bytes")
_REACHED: Final = ("rba_bytes", "at")


def log_switches(sections: Sections) -> pl.LazyFrame:
    """Return one row per stretch between two switches, and one per day that can be compared."""
    switches = _switches(sections[CONSOLE_EVENT.name])
    return union(_stretches(switches), _deviation(switches, sections[QJST]))


def _switches(events: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per switch: sysplex, qmgr, day, address (bytes) and time of reaching it."""
    is_end = pl.col("message_id") == ENDS
    bytes_then = pl.when(is_end).then(pl.col("end_rba") + 1).otherwise(pl.col("start_rba"))
    place = pl.int_range(pl.len()).over(*_OF_DAY, order_by=_ORDER)
    return (
        events.filter(pl.col("message_id").is_in([BEGINS, ENDS]) & pl.col("qmgr").is_not_null())
        .with_columns(day=pl.col("event_utc").dt.date(), rba_bytes=bytes_then.cast(pl.Int64))
        .filter(pl.col("rba_bytes").is_not_null())
        .group_by(*_OF_DAY, "rba_bytes")
        .agg(pl.col("event_utc").min().alias("at"), is_end.max().alias("confirmed"))
        .filter((place > 0) | pl.col("confirmed"))
    )


def _stretches(switches: pl.LazyFrame) -> pl.LazyFrame:
    then, at = (pl.col(name).shift(-1).over(*_OF_DAY, order_by=_ORDER) for name in _REACHED)
    stretches = switches.with_columns(
        *spanning("at", at), grown_bytes=then - pl.col("rba_bytes")
    ).filter((pl.col("grown_bytes") > 0) & (pl.col(INTERVAL[1]) > pl.col(INTERVAL[0])))
    amount = Counter("log_growth_console_mib_per_s", "grown_bytes", float(MIB_BYTES))
    return interval_rows(stretches, MANAGER_SUBJECT, amount)


def _deviation(switches: pl.LazyFrame, records: pl.LazyFrame) -> pl.LazyFrame:
    in_order = pl.col("rba_bytes").sort_by("at", "rba_bytes")
    days = switches.group_by(*_OF_DAY).agg(
        pl.col("at").min().alias("first_at"),
        pl.col("at").max().alias("last_at"),
        (in_order.last() - in_order.first()).alias("switched_bytes"),
    )
    start, end = micros(INTERVAL[0]), micros(INTERVAL[1])
    first, last = micros("first_at"), micros("last_at")
    shared = pl.min_horizontal(end, last) - pl.max_horizontal(start, first)
    growth = pl.col("qjstbffl") * PAGE_BYTES
    share = pl.col("grown_bytes").cast(pl.Float64) * shared / (end - start)
    compared = (
        records.filter(end > start)
        .select(*MANAGER, *INTERVAL, growth.alias("grown_bytes"))
        .join(days.filter(pl.col("switched_bytes") > 0), on=["sysplex", "qmgr"])
        .filter(shared > 0)
        .group_by(*_OF_DAY, "first_at", "last_at", "switched_bytes")
        .agg(
            total(shared).alias("covered_us"),
            # Integer bytes add up the same in whatever order.
            total(whole(share)).alias("recorded_bytes"),
        )
        .filter(pl.col("covered_us") >= COVERED_MIN_RATIO * (last - first))
        .with_columns(spanning("first_at", "last_at"))
    )
    ratio = pl.col("recorded_bytes") / pl.col("switched_bytes") - 1.0
    deviation = Gauge("log_growth_deviation_pct", 100.0 * ratio)
    return interval_rows(compared, MANAGER_SUBJECT, deviation)


R745D: Final = "section_r745d"
REQUESTS: Final = (
    *("R745DRCR", "R745DRSR", "R745DRNR", "R745DWRC", "R745DWSR", "R745DWNR"),
    *("R745DICL", "R745DBCR"),
)
"""I/Os of a device: the sum of RMF's condition CADTOT (total I/O)."""
BYPASSED: Final = "R745DFWB"
BYPASS: Final = "log_dfw_bypass_pct"


def log_volumes(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and interval with I/Os of a log volume: the highest."""
    ios = sum((pl.col(name.lower()) for name in REQUESTS), start=pl.lit(0.0))
    shares = sections[R745D].select(
        *INTERVAL,
        path("sysplex", "r745dvol").alias("volume"),
        (100 * pl.col(BYPASSED.lower())).alias("bypassed"),
        ios.alias("ios"),
    )
    named = [
        (Subject.of(Subject(manager).sysplex, serial), manager)
        for manager, serials in sections.log_volumes.items()
        for serial in dict.fromkeys(serials)
    ]
    volumes = pl.LazyFrame(named, {"volume": pl.String, "manager": pl.String}, orient="row")
    of_managers = shares.join(volumes, on="volume")
    highest = of_managers.group_by("manager", *INTERVAL).agg(
        highest_ratio("bypassed", "ios").alias("share")
    )
    return interval_rows(highest, pl.col("manager"), Gauge(BYPASS, "share"))


DONE: Final = "CSQJ139I"


def archive_time(sections: Sections) -> pl.LazyFrame:
    """Return one row per offload of a single log.

    An offload of several logs says nothing of one and is left out; so is one that began on the UTC
    day before. Both copies of a log end with a message of their own: it is one log.
    """
    is_full, is_done = pl.col("message_id") == ENDS, pl.col("message_id") == DONE
    log = pl.when(is_full).then(pl.col("start_rba").cast(pl.String))
    ended = is_done.cast(pl.Int64).cum_sum().over(*_OF_DAY, order_by=["at", "message_id"])
    minutes = divided(length_us(), 60 * US_PER_S)
    archived = (
        sections[CONSOLE_EVENT.name]
        .filter((is_full | is_done) & pl.col("qmgr").is_not_null())
        .with_columns(
            day=pl.col("event_utc").dt.date(),
            log=pl.coalesce(log, pl.col("event_utc").cast(pl.String)),
        )
        .group_by(*_OF_DAY, "message_id", "log")
        .agg(pl.col("event_utc").min().alias("at"))
        .with_columns(offload=ended - is_done.cast(pl.Int64))
        .group_by(*_OF_DAY, "offload")
        .agg(
            *spanning(
                pl.when(is_full).then(pl.col("at")).min(), pl.when(is_done).then(pl.col("at")).max()
            ),
            is_full.sum().alias("logs"),
        )
        .filter((pl.col("logs") == 1) & (pl.col(INTERVAL[1]) > pl.col(INTERVAL[0])))
    )
    return interval_rows(archived, MANAGER_SUBJECT, Gauge("log_archive_min", minutes))
