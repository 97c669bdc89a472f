"""Intervals of channel initiator storage from message CSQX004I."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.hourly import HOUR_US
from spark_apps.transforms.intervals import instant, micros
from spark_apps.transforms.keys import CARRY_FORWARD_HOURS, INTERVAL

CONSOLE_EVENT: Final = "console_event"
STORAGE_MESSAGE: Final = "CSQX004I"


def storage_intervals(console_event: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per storage message with the interval over which its figures hold.

    A value holds until the next message of the same queue manager if that follows within two
    hours, else to the end of its UTC hour.
    """
    event_us = micros("event_utc")
    next_us = event_us.shift(-1).over("sysplex", "qmgr", order_by=["event_utc", "text"])
    hour_end_us = event_us - event_us % HOUR_US + HOUR_US
    within = next_us - event_us <= CARRY_FORWARD_HOURS * HOUR_US
    return console_event.filter(pl.col("message_id") == STORAGE_MESSAGE).with_columns(
        pl.col("event_utc").alias(INTERVAL[0]),
        instant(pl.when(within).then(next_us).otherwise(hour_end_us)).alias(INTERVAL[1]),
    )
