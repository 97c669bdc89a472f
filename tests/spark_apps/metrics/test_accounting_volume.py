"""Bytes of accounting records, from their sections."""

from __future__ import annotations

from datetime import timedelta

import polars as pl
import pytest

from spark_apps.metrics.accounting import accounting_volume
from tests.spark_apps.rows import START, between, levels, records, sections

SERIES = ("accounting_mib_per_day", "PLEX1/CSQ1")
TASKS = ("accounting_tasks_per_day", "PLEX1/CSQ1")
HOUR = between(START, START + timedelta(hours=1))
RECORD_BYTES = 8_324
"""What MP16 states of a transaction with class 3 and two queues."""


def per_day(total_bytes: int) -> float:
    return 24 * total_bytes / 2**20


def test_a_task_with_two_queues_has_the_bytes_of_mp16() -> None:
    found = sections(
        section_wtid=[{"wtidlen": 208, **HOUR}],
        section_wtas=[{"wtaslen": 2_344, **HOUR}],
        section_wqst=[{"wqll": 2_792, "section_index": index, **HOUR} for index in range(2)],
    )
    assert levels(accounting_volume(found)) == {
        SERIES: [pytest.approx(per_day(RECORD_BYTES))],
        TASKS: [24],
    }


def test_a_record_of_channels_has_one_head_and_each_of_its_sections() -> None:
    channels = [{"qcstll": 324, "section_index": index, **HOUR} for index in range(3)]
    assert levels(accounting_volume(sections(section_qcst=channels))) == {
        SERIES: [pytest.approx(per_day(112 + 3 * 324))]
    }


def test_bytes_of_two_hours_are_divided_and_none_is_lost() -> None:
    long = between(START, START + timedelta(hours=2))
    found = sections(section_wtas=[{"wtaslen": 2_345, **long}, {"wtaslen": 10, **HOUR}])
    of_bytes = accounting_volume(found).filter(pl.col("metric") == SERIES[0])
    rows = records(of_bytes, "interval_start_utc")
    assert [row.amount for row in rows] == [1_172 + 10, 1_173]
