"""Shares of limits that have changed, as input of a forecast."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.judging.todays_limits import LIMITS, in_todays_limits, window_in_todays_limits
from mqcap.store.models import TrainingRow, WindowDay
from spark_apps.registry import all_metrics

QUEUE, QMGR = "EAST/QM1/APP.IN", "EAST/QM1"
DEPTH = f"mq_queue_depth_used_pct/{QUEUE}"
MAX_DEPTH = ("mq_queue_depth_max_count", QUEUE)


def day(number: int) -> date:
    return date(2026, 7, number)


def shares(series_id: str, *values: float) -> list[TrainingRow]:
    return [
        TrainingRow(series_id, Statistic.peak, day(number), value, None)
        for number, value in enumerate(values, start=1)
    ]


def test_a_raised_limit_is_no_fall_of_the_load() -> None:
    limits = {MAX_DEPTH: {day(1): 5_000.0, day(2): 5_000.0, day(3): 10_000.0}}
    made = in_todays_limits(shares(DEPTH, 80.0, 90.0, 50.0), limits)
    assert [row.value for row in made] == [40.0, 45.0, 50.0]


def test_a_lowered_limit_is_no_rise_of_the_load() -> None:
    limits = {MAX_DEPTH: {day(1): 10_000.0, day(2): 5_000.0}}
    assert [row.value for row in in_todays_limits(shares(DEPTH, 40.0, 90.0), limits)] == [80.0, 90]


def test_days_without_a_limit_have_that_of_the_day_before_or_the_first() -> None:
    limits = {MAX_DEPTH: {day(2): 5_000.0, day(4): 10_000.0}}
    made = in_todays_limits(shares(DEPTH, 10.0, 10.0, 10.0, 10.0, 10.0), limits)
    assert [row.value for row in made] == [5.0, 5.0, 5.0, 10.0, 10.0]


@pytest.mark.parametrize(("before", "value"), [(3.0, 62.5), (6.0, 100.0)])
def test_the_limit_of_all_log_files_is_their_sum(before: float, value: float) -> None:
    limits = {
        ("mq_log_primary_files_count", QMGR): {day(1): before, day(2): 6.0},
        ("mq_log_secondary_files_count", QMGR): {day(1): 2.0, day(2): 2.0},
    }
    rows = shares(f"mq_log_total_used_pct/{QMGR}", 100.0, 70.0)
    assert [row.value for row in in_todays_limits(rows, limits)] == [value, 70.0]


def test_other_series_and_unknown_limits_stay_as_they_are() -> None:
    limits = {MAX_DEPTH: {day(1): 5_000.0, day(2): 10_000.0}}
    others = [
        *shares("mq_queue_depth_used_pct/EAST/QM1/OTHER", 1.0, 2.0),
        *shares(f"mq_queue_depth_count/{QUEUE}", 1.0, 2.0),
        *shares(f"mq_log_total_used_pct/{QMGR}", 1.0, 2.0),
    ]
    half = {("mq_log_primary_files_count", QMGR): {day(1): 3.0, day(2): 6.0}}
    assert in_todays_limits(others, limits | half) == others


def test_every_metric_here_is_declared() -> None:
    declared = {metric.name for metric in all_metrics()}
    assert declared >= {*LIMITS, *(name for limits in LIMITS.values() for name in limits)}


def window(metric: str, subject: str, *values: float) -> list[WindowDay]:
    kind = SubjectKind.distributed_queue
    return [
        WindowDay(metric, subject, kind, "", day(number), value / 4, value / 2, value)
        for number, value in enumerate(values, start=1)
    ]


def steady(metric: str, subject: str, *values: float) -> list[WindowDay]:
    return [day._replace(mean=day.peak) for day in window(metric, subject, *values)]


def test_days_of_a_finding_are_shares_of_the_newest_limit_and_say_so() -> None:
    limits = steady("mq_queue_depth_max_count", QUEUE, 5_000.0, 5_000.0, 10_000.0)
    measured = window("mq_queue_depth_used_pct", QUEUE, 80.0, 100.0, 50.0)
    *_, first, second, third = window_in_todays_limits([*limits, *measured])
    assert (first.mean, first.p95, first.peak, first.limit_ratio) == (10, 20, 40, 0.5)
    assert (second.peak, second.limit_ratio) == (50, 0.5)
    assert third == measured[2]


def test_days_of_a_limit_that_stays_are_as_measured() -> None:
    days = [
        *steady("mq_queue_depth_max_count", QUEUE, 5_000.0, 5_000.0),
        *window("mq_queue_depth_used_pct", QUEUE, 80.0, 100.0),
        *window("mq_queue_depth_used_pct", "EAST/QM1/OTHER", 80.0, 100.0),
    ]
    assert window_in_todays_limits(days) == days


@pytest.mark.parametrize(
    ("limits", "mean", "ratios"),
    [
        ((20_000.0, 20_000.0, 800.0), 7_000.0, (25.0, None, None)),
        ((800.0, 20_000.0, 20_000.0), 7_000.0, (0.04, 0.04, None)),
        ((800.0, 20_000.0, 20_000.0), 20_000.0, (0.04, None, None)),
    ],
)
def test_a_day_within_which_the_limit_changed_makes_no_share_that_was_never_there(
    limits: tuple[float, ...], mean: float, ratios: tuple[float | None, ...]
) -> None:
    first, second, third = steady("mq_queue_depth_max_count", QUEUE, *limits)
    days = window("mq_queue_depth_used_pct", QUEUE, 50.0, 90.0, 50.0)
    made = window_in_todays_limits([first, second._replace(mean=mean), third, *days])
    assert tuple(day.limit_ratio for day in made[3:]) == ratios


def test_a_first_day_within_which_the_limit_changed_is_left_out() -> None:
    first, second = steady("mq_queue_depth_max_count", QUEUE, 20_000.0, 800.0)
    days = window("mq_queue_depth_used_pct", QUEUE, 14.0, 50.0)
    others = window("mq_queue_depth_used_pct", "EAST/QM1/OTHER", 14.0)
    made = window_in_todays_limits([first._replace(mean=9_000.0), second, *days, *others])
    assert made[2:] == [days[1], *others]
    limits = {MAX_DEPTH: {day(1): None, day(2): 800.0}}
    assert in_todays_limits(shares(DEPTH, 14.0, 50.0), limits) == shares(DEPTH, 14.0, 50.0)[1:]
