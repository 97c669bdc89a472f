"""Use of the log of distributed queue managers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from spark_apps.metrics import distributed
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.rows import START, levels, samples

USED = {"figure": "log_primary_used_pct", "value": 150.0}
PRIMARY = ("mq_log_primary_used_pct", "EAST/QM1")
TOTAL = ("mq_log_total_used_pct", "EAST/QM1")


def found(
    *rows: dict[str, Any], periods: tuple[SettingPeriod, ...] = ()
) -> dict[tuple[str, str], list[float]]:
    return levels(distributed.log_use(samples(*rows, periods=periods)))


def period(begin: datetime, end: datetime, primary: int | None, secondary: int) -> SettingPeriod:
    return SettingPeriod("EAST", "QM1", begin, end, primary, secondary, None)


def test_use_of_all_files_needs_their_numbers() -> None:
    assert found(USED) == {PRIMARY: [150.0]}
    other = period(EPOCH, FOREVER, 3, 2)._replace(qmgr="qm1")
    assert found(USED, periods=(other,)) == {PRIMARY: [150.0]}


def test_use_of_all_files_is_that_of_the_primary_ones_by_their_share() -> None:
    three_and_two = (period(EPOCH, FOREVER, 3, 2),)
    assert found(USED, periods=three_and_two) == {
        PRIMARY: [150.0],
        TOTAL: [90.0],
        ("mq_log_primary_files_count", "EAST/QM1"): [3.0],
        ("mq_log_secondary_files_count", "EAST/QM1"): [2.0],
    }


def test_log_for_media_recovery_is_told() -> None:
    made = found({"figure": "log_media_mib", "value": 48.0})
    assert made == {("mq_log_media_mib", "EAST/QM1"): [48.0]}


@pytest.mark.parametrize(("number", "expected"), [(0.0, []), (1.0, [1.0]), (1_199.0, [1_199.0])])
def test_the_oldest_extent_for_media_recovery_is_that_of_a_linear_log(
    number: float, expected: list[float]
) -> None:
    made = found({"figure": "log_media_extent_count", "value": number})
    assert made.get(("mq_log_media_extent_count", "EAST/QM1"), []) == expected


def test_numbers_of_files_are_told_with_their_use_alone() -> None:
    latency = {"figure": "log_write_latency_us", "value": 9.0}
    made = found(latency, periods=(period(EPOCH, FOREVER, 3, 2),))
    assert set(made) == {("mq_log_write_latency_us", "EAST/QM1")}


def test_a_write_latency_of_zero_is_not_known() -> None:
    rows = ({"figure": "log_write_latency_us", "value": value} for value in (0.0, 0.5))
    assert [found(row) for row in rows] == [{}, {("mq_log_write_latency_us", "EAST/QM1"): [0.5]}]


def test_numbers_of_the_same_capture_come_before_the_settings() -> None:
    captured = [
        {"figure": "log_primary_files_count", "value": 1.0},
        {"figure": "log_secondary_files_count", "value": 1.0},
    ]
    made = found(USED, *captured, periods=(period(EPOCH, FOREVER, 3, 2),))
    assert made[TOTAL] == [75.0]


def test_settings_hold_from_their_time_on() -> None:
    changed = START + timedelta(minutes=5)
    later = {**USED, "reported_utc": changed}
    periods = (period(EPOCH, changed, 3, 2), period(changed, FOREVER, 2, 2))
    assert found(USED, later, periods=periods)[TOTAL] == [90.0, 75.0]


def test_the_need_of_the_workload_may_be_more_than_the_primary_files() -> None:
    made = found({"figure": "log_workload_pct", "value": 146.05})
    assert made == {("mq_log_workload_pct", "EAST/QM1"): [146.05]}
