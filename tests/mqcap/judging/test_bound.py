from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.metric import Direction
from mqcap.judging.bound import bound_of, running_worst, worst_point
from tests.factories import DAY, forecast

LINES = [(1.0, 2.0, 4.0), (1.0, 3.0, 5.0), (2.0, 2.5, 3.0)]
LAST = DAY + timedelta(days=30)


def values(direction: Direction, confidence: float) -> list[float]:
    points = bound_of(forecast(lines=LINES), direction, confidence, DAY, LAST)
    return [point.value for point in points]


def test_at_ninety_percent_the_bound_is_that_of_an_interval_of_eighty() -> None:
    assert values(Direction.upward, 0.9) == pytest.approx([4.0, 5.0, 3.0])
    assert values(Direction.downward, 0.9) == pytest.approx([1.0, 1.0, 2.0])


def test_more_confidence_is_farther_from_the_expected_value() -> None:
    assert values(Direction.upward, 0.975)[0] == pytest.approx(2 + 2 * 1.959964 / 1.281552)


def test_only_days_of_the_plan_count() -> None:
    second = DAY + timedelta(days=2)
    [point] = bound_of(forecast(lines=LINES), Direction.upward, 0.9, second, second)
    assert point.point.site_date == second


def test_the_worst_point_is_the_highest_or_lowest_and_none_without_days() -> None:
    points = bound_of(forecast(lines=LINES), Direction.upward, 0.9, DAY, LAST)
    assert worst_point(points, Direction.upward) == points[1]
    assert worst_point(points, Direction.downward) == points[2]
    assert worst_point([], Direction.upward) is None


def test_the_running_worst_never_improves() -> None:
    points = bound_of(forecast(lines=LINES), Direction.upward, 0.9, DAY, LAST)
    assert running_worst(points, Direction.upward) == [points[0], points[1], points[1]]
