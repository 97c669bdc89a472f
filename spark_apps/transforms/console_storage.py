"""Intervals of channel initiator storage from message CSQX004I."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from spark_apps.transforms.hourly import HOUR_US
from spark_apps.transforms.keys import CARRY_FORWARD_HOURS, INTERVAL

CONSOLE_EVENT: Final = "console_event"
STORAGE_MESSAGE: Final = "CSQX004I"


def storage_intervals(console_event: DataFrame) -> DataFrame:
    """Return a row per storage message with the interval over which its figures hold.

    A value holds until the next message of the same queue manager if that follows within two
    hours, else to the end of its UTC hour.
    """
    order = Window.partitionBy("sysplex", "qmgr").orderBy("event_utc", "text")
    event_us = sf.unix_micros("event_utc")
    next_us = sf.unix_micros(sf.lead("event_utc").over(order))
    hour_end_us = event_us - sf.pmod(event_us, sf.lit(HOUR_US)) + sf.lit(HOUR_US)
    within = next_us - event_us <= CARRY_FORWARD_HOURS * HOUR_US
    return (
        console_event.where(sf.col("message_id") == STORAGE_MESSAGE)
        .withColumn("end_us", sf.when(within, next_us).otherwise(hour_end_us))
        .withColumn(INTERVAL[0], sf.col("event_utc"))
        .withColumn(INTERVAL[1], sf.timestamp_micros("end_us"))
        .drop("end_us")
    )
