"""Growth of the log from its switches, and the deviation of the records from it: a check.

A switch message carries the address (RBA) at which one log data set ends and the next begins;
the difference of two such addresses is what was logged between them, whatever the records contain.
Only switches of the same UTC day are compared. The first message of a day may be that of a start
of the queue manager, in the middle of a data set: it counts only when CSQJ002I confirms that the
data set before it was full.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from spark_apps.transforms.intervals import Counter, Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.keys import INTERVAL

QJST: Final = "section_qjst"
BEGINS: Final = "CSQJ001I"
ENDS: Final = "CSQJ002I"
COVERED_MIN_RATIO: Final = 0.99
"""Share of the time between two switches that records must cover to be compared (ours)."""
_OF_DAY: Final = ("sysplex", "qmgr", "day")

LOG_GROWTH_CONSOLE: Final = Metric(
    name="log_growth_console_mib_per_s",
    label="Log write rate by console messages",
    unit="MiB/s",
    subject_kind=SubjectKind.queue_manager,
    description="How fast the log grows between two log switches (CSQJ001I, CSQJ002I).",
    reads=(CONSOLE_EVENT.name,),
    fields=("CSQJ001I", "CSQJ002I"),
)
LOG_GROWTH_DEVIATION: Final = Metric(
    name="log_growth_deviation_pct",
    label="Log write rate, records against console",
    unit="%",
    subject_kind=SubjectKind.queue_manager,
    description=(
        "Log growth of the records (QJSTBFFL x 4096) above (+) or below (-) that of the first to"
        " the last log switch of the day."
    ),
    reads=(CONSOLE_EVENT.name, QJST),
    fields=("QJSTBFFL",),
)
METRICS: Final = (LOG_GROWTH_CONSOLE, LOG_GROWTH_DEVIATION)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per stretch between two switches, and one per day that can be compared."""
    switches = _switches(sections[CONSOLE_EVENT.name])
    return union([_stretches(switches), _deviation(switches, sections[QJST])])


def _switches(events: DataFrame) -> DataFrame:
    """Return a row per switch: sysplex, qmgr, day, address (bytes) and time of reaching it."""
    is_end = sf.col("message_id") == ENDS
    bytes_then = sf.when(is_end, sf.col("end_rba") + 1).otherwise(sf.col("start_rba"))
    first = sf.row_number().over(Window.partitionBy(*_OF_DAY).orderBy("at", "rba_bytes")) == 1
    return (
        events.where(sf.col("message_id").isin(BEGINS, ENDS) & sf.col("qmgr").isNotNull())
        .withColumn("day", sf.to_date("event_utc"))
        .withColumn("rba_bytes", bytes_then.cast("bigint"))
        .where(sf.col("rba_bytes").isNotNull())
        .groupBy(*_OF_DAY, "rba_bytes")
        .agg(sf.min("event_utc").alias("at"), sf.max(is_end).alias("confirmed"))
        .withColumn("first", first)
        .where(~sf.col("first") | sf.col("confirmed"))
    )


def _stretches(switches: DataFrame) -> DataFrame:
    order = Window.partitionBy(*_OF_DAY).orderBy("at", "rba_bytes")
    grown = sf.lead("rba_bytes").over(order) - sf.col("rba_bytes")
    stretches = (
        switches.withColumn("grown_bytes", grown)
        .withColumn(INTERVAL[1], sf.lead("at").over(order))
        .withColumn(INTERVAL[0], sf.col("at"))
        .where((sf.col("grown_bytes") > 0) & (sf.col(INTERVAL[1]) > sf.col(INTERVAL[0])))
    )
    amount = Counter(LOG_GROWTH_CONSOLE.name, sf.col("grown_bytes"), float(MIB_BYTES))
    return interval_rows(stretches, path("sysplex", "qmgr"), [amount])


def _deviation(switches: DataFrame, records: DataFrame) -> DataFrame:
    moment = sf.struct("at", "rba_bytes")
    days = switches.groupBy(*_OF_DAY).agg(
        sf.min("at").alias("first_at"),
        sf.max("at").alias("last_at"),
        (sf.max(moment)["rba_bytes"] - sf.min(moment)["rba_bytes"]).alias("switched_bytes"),
    )
    start, end = sf.unix_micros(INTERVAL[0]), sf.unix_micros(INTERVAL[1])
    first, last = sf.unix_micros("first_at"), sf.unix_micros("last_at")
    shared = sf.least(end, last) - sf.greatest(start, first)
    growth = sf.col("qjstbffl").cast("bigint") * sf.lit(PAGE_BYTES)
    share = sf.col("grown_bytes").cast("double") * shared / (end - start)
    compared = (
        records.where(end > start)
        .select("sysplex", "qmgr", *INTERVAL, growth.alias("grown_bytes"))
        .join(days.where(sf.col("switched_bytes") > 0), on=["sysplex", "qmgr"])
        .where(shared > 0)
        .groupBy(*_OF_DAY, "first_at", "last_at", "switched_bytes")
        .agg(
            sf.sum(shared).alias("covered_us"),
            # Integer bytes add up the same in whatever order.
            sf.sum(sf.round(share).cast("bigint")).alias("recorded_bytes"),
        )
        .where(sf.col("covered_us") >= COVERED_MIN_RATIO * (last - first))
        .withColumn(INTERVAL[0], sf.col("first_at"))
        .withColumn(INTERVAL[1], sf.col("last_at"))
    )
    ratio = sf.col("recorded_bytes") / sf.col("switched_bytes") - sf.lit(1.0)
    deviation = Gauge(LOG_GROWTH_DEVIATION.name, sf.lit(100.0) * ratio)
    return interval_rows(compared, path("sysplex", "qmgr"), [deviation])
