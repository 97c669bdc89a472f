from datetime import timedelta

import numpy as np
import pytest

from mqcap.domain.metric import Direction
from mqcap.judging.bound import Bound, bound_of
from tests.factories import DAY, forecast

LINES = [(1.0, 2.0, 4.0), (1.0, 3.0, 5.0), (2.0, 2.5, 3.0)]
LAST = DAY + timedelta(days=30)


def bound(direction: Direction = Direction.upward, confidence: float = 0.9) -> Bound:
    return bound_of(forecast(lines=LINES), direction, confidence, DAY, LAST)


def test_at_ninety_percent_the_bound_is_that_of_an_interval_of_eighty() -> None:
    assert list(bound(Direction.upward).values) == pytest.approx([4.0, 5.0, 3.0])
    assert list(bound(Direction.downward).values) == pytest.approx([1.0, 1.0, 2.0])


def test_more_confidence_is_farther_from_the_expected_value() -> None:
    more = bound(Direction.upward, 0.975)
    assert more.at(0).site_date == DAY + timedelta(days=1)
    assert more.at(0).value == pytest.approx(2 + 2 * 1.959964 / 1.281552)


def test_only_days_of_the_plan_count() -> None:
    second = DAY + timedelta(days=2)
    made = forecast(lines=LINES)
    assert bound_of(made, Direction.upward, 0.9, second, second).days == (second,)
    assert bound_of(made, Direction.upward, 0.9, LAST, LAST).days == ()


def test_the_worst_day_is_the_highest_or_lowest_and_none_without_days() -> None:
    upward, downward = bound(), bound(Direction.downward)
    assert (upward.worst(), downward.worst()) == (upward.at(1), downward.at(0))
    assert bound_of(forecast(lines=LINES), Direction.upward, 0.9, LAST, LAST).worst() is None


def test_the_worst_day_up_to_each_day_is_the_first_of_equals() -> None:
    values = [2.0, 1.0, 2.0, 3.0, 3.0, 1.0]
    days = tuple(DAY + timedelta(days=ahead) for ahead in range(len(values)))
    assert list(Bound(days, np.array(values), Direction.upward).worst_up_to()) == [0, 0, 0, 3, 3, 3]
    downward = Bound(days, np.array(values), Direction.downward).worst_up_to()
    assert list(downward) == [0, 1, 1, 1, 1, 1]
    assert list(Bound((), np.empty(0), Direction.upward).worst_up_to()) == []
