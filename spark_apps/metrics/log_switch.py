"""Growth of the log from its switches, and the deviation of the records from it: a check.

A switch message carries the address (RBA) at which one log data set ends and the next begins;
the difference of two such addresses is what was logged between them, whatever the records contain.
Only switches of the same UTC day are compared. The first message of a day may be that of a start
of the queue manager, in the middle of a data set: it counts only when CSQJ002I confirms that the
data set before it was full.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from spark_apps.transforms.intervals import (
    Counter,
    Gauge,
    Sections,
    interval_rows,
    micros,
    path,
    total,
    union,
    whole,
)
from spark_apps.transforms.keys import INTERVAL

QJST: Final = "section_qjst"
BEGINS: Final = "CSQJ001I"
ENDS: Final = "CSQJ002I"
COVERED_MIN_RATIO: Final = 0.99
"""Share of the time between two switches that records must cover to be compared (ours)."""
_OF_DAY: Final = ("sysplex", "qmgr", "day")
_ORDER: Final = ("at", "rba_bytes")
_REACHED: Final = ("rba_bytes", "at")


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per stretch between two switches, and one per day that can be compared."""
    switches = _switches(sections[CONSOLE_EVENT.name])
    return union([_stretches(switches), _deviation(switches, sections[QJST])])


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
        (then - pl.col("rba_bytes")).alias("grown_bytes"),
        pl.col("at").alias(INTERVAL[0]),
        at.alias(INTERVAL[1]),
    ).filter((pl.col("grown_bytes") > 0) & (pl.col(INTERVAL[1]) > pl.col(INTERVAL[0])))
    amount = Counter("log_growth_console_mib_per_s", pl.col("grown_bytes"), float(MIB_BYTES))
    return interval_rows(stretches, path("sysplex", "qmgr"), [amount])


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
        .select("sysplex", "qmgr", *INTERVAL, growth.alias("grown_bytes"))
        .join(days.filter(pl.col("switched_bytes") > 0), on=["sysplex", "qmgr"])
        .filter(shared > 0)
        .group_by(*_OF_DAY, "first_at", "last_at", "switched_bytes")
        .agg(
            total(shared).alias("covered_us"),
            # Integer bytes add up the same in whatever order.
            total(whole(share)).alias("recorded_bytes"),
        )
        .filter(pl.col("covered_us") >= COVERED_MIN_RATIO * (last - first))
        .with_columns(pl.col("first_at").alias(INTERVAL[0]), pl.col("last_at").alias(INTERVAL[1]))
    )
    ratio = pl.col("recorded_bytes") / pl.col("switched_bytes") - 1.0
    deviation = Gauge("log_growth_deviation_pct", 100.0 * ratio)
    return interval_rows(compared, path("sysplex", "qmgr"), [deviation])
