"""Charts: what they draw, and where."""

from datetime import timedelta

import pytest

from mq_capacity_page.charts import (
    crossing_range,
    position,
    round_steps,
    time_ticks,
)
from mqcap.domain.crossing import CrossingState
from mqcap.queries.courses import weekly
from tests.factories import DAY, crossing
from tests.mqcap.notifications.builders import cf_finding


def test_a_week_ends_on_the_day_and_stands_for_its_worst_one() -> None:
    days = [(DAY - timedelta(days=back), float(back)) for back in range(16)]
    assert weekly(days, DAY) == [(DAY - timedelta(days=7), 13.0), (DAY, 6.0)]
    assert weekly(days, DAY, min) == [(DAY - timedelta(days=7), 7.0), (DAY, 0.0)]


def test_a_crossing_that_is_not_coming_or_beyond_the_chart_has_no_range() -> None:
    of = cf_finding()
    far = crossing(of, state=CrossingState.not_within_horizon)
    assert crossing_range([far], position(DAY) + 90) is None
    coming = crossing(
        of,
        state=CrossingState.will_cross,
        earliest_date=DAY + timedelta(days=5),
        latest_date=None,
    )
    assert crossing_range([coming], position(DAY) + 90) == (position(DAY) + 5, position(DAY) + 90)
    assert crossing_range([coming], position(DAY) + 4) is None


@pytest.mark.parametrize("top", [0.003, 1.0, 7.3, 99.0, 1_234_567.0])
def test_ticks_of_values_are_round_and_few(top: float) -> None:
    steps = round_steps(top)
    assert steps[0] == 0
    assert steps[-1] <= top
    assert 3 <= len(steps) <= 11


@pytest.mark.parametrize("days", [1, 3, 5, 10, 30, 90, 360, 900, 4_000])
def test_ticks_of_time_are_few_at_any_length(days: int) -> None:
    first = position(DAY)
    ticks = time_ticks(first, first + days)
    assert 1 <= len(ticks) <= 20
    assert all(first <= at <= first + days for at, _ in ticks)
