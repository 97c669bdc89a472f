"""The log's rate against what carries and keeps it: devices, the logger task, archives."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
ARCHIVES: Final = {"maxarch": 100, "log_size_mib": 1_800, "backup_hours": 50}
"""180,000 MiB in 180,000 s: 1 MiB/s."""


def test_the_daily_log_is_watched_above_one_and_a_half_times_the_usual() -> None:
    assert severities("LOG-RATE-MBH", "recent", 2.9, 3, 3.01, usual=2) == [OK, OK, WATCH]
    judged = finding("LOG-RATE-MBH", recent=4, usual=2)
    assert "per hour: 14,400 MiB, 7,200 MiB before" in judged.arithmetic
    assert "REC-FORMULA-A" in judged.advice
    assert RULES["LOG-RATE-MBH"].traits.superseded_by == "LOG-FILL-30MIN"


def test_the_load_is_spread_until_each_has_half_of_its_devices() -> None:
    load = {"log_rate_mib_per_s": 120, "log_ceiling_mib_per_s": 100}
    judged = finding("LOG-DASD-50PCT", **load)
    assert typed(judged) == ["3 queue managers"]  # 120 / 50
    assert "40 MiB/s each" in judged.changes[0].action
    assert after_advice("LOG-DASD-50PCT", **load).breach is False


def test_the_hours_that_archives_reach_back_are_compared_with_those_between_backups() -> None:
    judged = finding("LOG-MAXARCH", day_mean_mib_per_s=1.25, **ARCHIVES)
    assert (judged.observed, judged.limit_value, judged.unit) == (40, 50, "h")
    assert judged.headroom_ratio == pytest.approx(-0.2)
    assert (judged.crossing_limit, judged.crossing_direction) == (1, Direction.upward)
    assert "reach = 180,000 MiB / 1.25 MiB/s = 40 h" in judged.arithmetic
    quiet = finding("LOG-MAXARCH", day_mean_mib_per_s=0, **ARCHIVES)
    assert (quiet.observed, quiet.breach) == (8_760, False)


@pytest.mark.parametrize(
    ("rate", "size", "hours", "expected"),
    [
        (1.5, 1_800, 50, ["MAXARCH=150"]),  # 270,000 / 1,800
        (10, 1_800, 50, ["MAXARCH=1000"]),  # 1,800,000 / 1,800
        (20, 1_800, 50, ["MAXARCH=1000", "CYL(5120)"]),  # 3,600 MiB each
        (20, 1_800, 100, ["MAXARCH=1000", "CYL(5825)", "every 48 h"]),  # 56.9 h: two days
        (20, 4_096, 100, ["MAXARCH=1000", "every 48 h"]),  # as large as a log can be
        (2_000, 4_096, 1, ["MAXARCH=1000", "every 30 min"]),  # 0.569 h
    ],
)
def test_more_archives_come_first_then_larger_logs_then_backups(
    rate: float, size: float, hours: float, expected: list[str]
) -> None:
    inputs = {"maxarch": 100, "log_size_mib": size, "backup_hours": hours}
    judged = finding("LOG-MAXARCH", day_mean_mib_per_s=rate, **inputs)
    assert typed(judged) == expected
    assert after_advice("LOG-MAXARCH", day_mean_mib_per_s=rate, **inputs).breach is False


def test_a_schedule_of_backups_is_asked_for_and_more_than_1000_archives_are_refused() -> None:
    unknown = finding("LOG-MAXARCH", maxarch=100, log_size_mib=1_800, day_mean_mib_per_s=1)
    assert "page_set_backup_hours" in unknown.missing[0]
    assert "structure_backup_hours" in unknown.missing[0]
    refused = finding("LOG-MAXARCH", **{**ARCHIVES, "maxarch": 1_001}, day_mean_mib_per_s=1)
    assert refused.severity is Severity.unknown


def test_the_task_that_writes_the_log_may_be_95_percent_busy() -> None:
    assert severities("LOG-LOGGER-BUSY", "busy_pct", 80.7, 80.8, 95, 95.1) == [
        OK, WATCH, WATCH, ACT,
    ]  # fmt: skip
    assert finding("LOG-LOGGER-BUSY", busy_pct=95).breach is False
    assert "LOG-DASD-50PCT" in finding("LOG-LOGGER-BUSY", busy_pct=96).advice
