"""Probabilities of a crossing agree with its dates and the bounds; limits may step in time."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting import first_day
from forecasting.lines import lines_of
from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState, reach_words
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction
from tests import factories
from tests.forecasting.builders import CUTOFF, dated


def made(slope: float, half: float = 5.0, horizon: int = 365, start: float = 50.0) -> Forecast:
    ahead = np.arange(1, horizon + 1)
    middle, width = start + slope * ahead, half * np.sqrt(ahead / 30)
    lines = np.column_stack((middle - width, middle, middle + width)).tolist()
    return factories.forecast(lines=lines, series_id="cf_busy_pct/PLEX1/CF01", cutoff_date=CUTOFF)


def probabilities(result: Crossing) -> list[float | None]:
    return [getattr(result, f"probability_{days}_days") for days in PROBABILITY_DAYS]


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(
    st.floats(-0.3, 0.3),
    st.floats(20, 120),
    st.sampled_from(list(Direction)),
    st.sampled_from([90, 180, 365]),
)
def test_dates_and_probabilities_never_contradict_each_other(
    slope: float, limit: float, direction: Direction, horizon: int
) -> None:
    reaching = dated(made(slope, horizon=horizon), limit, direction=direction)
    stated = [probability for probability in probabilities(reaching) if probability is not None]
    assert stated == sorted(stated)
    assert len(stated) == sum(days <= horizon for days in PROBABILITY_DAYS)
    for day, share in zip(reaching.dates, (0.1, 0.5, 0.9), strict=True):
        for days, probability in zip(PROBABILITY_DAYS, stated, strict=False):
            inside = day is not None and day <= CUTOFF + timedelta(days=days)
            assert inside == (probability >= share - 1e-4)


def test_a_planned_bigger_limit_moves_the_date_to_where_it_is_passed() -> None:
    forecast = made(0.1, half=0.0)
    bigger = [(CUTOFF + timedelta(days=20), 75.0)]
    before, after = dated(forecast, 60.0), dated(forecast, 60.0, planned=bigger)
    assert before.expected_date == CUTOFF + timedelta(days=101)
    assert after.expected_date == CUTOFF + timedelta(days=251)


def test_a_planned_smaller_limit_is_passed_on_its_first_day() -> None:
    smaller = [(CUTOFF + timedelta(days=40), 30.0), (CUTOFF + timedelta(days=10), 70.0)]
    found = dated(made(0.0, half=1.0), 60.0, planned=smaller)
    assert found.expected_date == CUTOFF + timedelta(days=40)
    assert found.probability_30_days == 0.0
    assert found.probability_60_days == 1.0


def test_no_probability_is_stated_after_the_horizon() -> None:
    assert probabilities(dated(made(0.1, horizon=60), 52.0))[2:] == [None, None, None]


def cut(forecast: Forecast, horizon: int) -> Forecast:
    """The same days, of which only those up to the horizon are drawn."""
    drawn = {"points": forecast.points[:horizon], "after_horizon": forecast.points[horizon:]}
    return forecast.model_copy(update={"horizon_days": horizon, **drawn})


@settings(max_examples=25, deadline=None)
@given(st.floats(-0.2, 0.2), st.floats(20, 120), st.sampled_from(list(Direction)))
def test_days_that_are_not_drawn_are_dated_like_the_others(
    slope: float, limit: float, direction: Direction
) -> None:
    whole = made(slope)
    found = dated(cut(whole, 180), limit, direction=direction)
    assert found == dated(whole, limit, direction=direction)
    stated = [probability for probability in probabilities(found) if probability is not None]
    assert len(stated) == len(PROBABILITY_DAYS)


def test_a_limit_is_dated_after_the_chart_or_not_within_a_year() -> None:
    rising = cut(made(0.1, half=1.0), 180)
    late = dated(rising, 75.0)
    assert late.expected_date is not None
    assert 180 < (late.expected_date - CUTOFF).days < 260
    assert 0 < (late.probability_180_days or 0.0) < 0.05
    never = dated(rising, 120.0)
    assert never.state is CrossingState.not_within_horizon
    assert reach_words(never) == "a year"
    short = dated(made(0.1, half=1.0, horizon=180), 75.0)
    assert (short.state, reach_words(short)) == (CrossingState.not_within_horizon, "180 days")
    assert reach_words(dated(made(0.1, horizon=20), 75.0)) == "the horizon"


def test_a_planned_limit_counts_on_days_that_are_not_drawn() -> None:
    rising = cut(made(0.1, half=1.0), 180)
    raised = dated(rising, 75.0, planned=[(CUTOFF + timedelta(days=200), 200.0)])
    assert raised.state is CrossingState.not_within_horizon


@settings(max_examples=40, deadline=None)
@given(
    st.floats(-0.3, 0.3),
    st.floats(0, 120),
    st.floats(-60, 60),
    st.sampled_from(list(Direction)),
    st.booleans(),
)
def test_the_probability_is_the_share_of_paths_over_their_limit_up_to_each_day(
    slope: float, limit: float, step: float, direction: Direction, strict: bool
) -> None:
    """The limit has another value on some days in the middle, so that only these may pass it."""
    forecast = made(slope, horizon=60)
    lines, width = lines_of(forecast), forecast.interval_width
    paths = first_day.paths_of(np.stack(lines[1:]).tobytes(), width, lines.days[0].toordinal())
    limits = np.full(60, limit)
    limits[20:40] += step
    over = paths > limits if direction is Direction.upward else paths < limits
    if not strict:
        over |= paths == limits
    passed = np.logical_or.accumulate(over, axis=1)
    found = first_day.first_day_probability(forecast, limits, direction, strict=strict)
    assert found.tolist() == (passed.sum(axis=0) / len(paths)).tolist()
