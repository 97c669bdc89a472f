"""Forecasts, crossings, growth, scores and busiest hours."""

from datetime import timedelta
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.busiest_hours import BUSIEST_LENGTHS_H, BusiestHours
from mqcap.domain.crossing import (
    PROBABILITY_DAYS,
    CrossingState,
    reach_days,
    reach_words,
    stated_probability,
)
from mqcap.domain.forecast import CandidateShare, Forecast, ForecastMix, growth_of
from mqcap.domain.score import RecentAccuracy
from tests.factories import DAY, crossing, driver_effect, forecast, mix


def test_a_document_of_an_older_release_has_the_model_by_its_present_name() -> None:
    former = forecast().model_dump() | {"model": "ratchet"}  # codespell:ignore ratchet
    assert Forecast.model_validate(former).model == "sawtooth"
    assert Forecast.model_validate(former | {"model": "prophet"}).model == "prophet"


def test_a_forecast_without_a_driver_has_none_in_its_document() -> None:
    assert "driver" not in forecast().model_dump()
    made = forecast(driver=driver_effect())
    assert Forecast.model_validate_json(made.model_dump_json()) == made


def test_a_used_driver_states_elasticity_gain_and_plan() -> None:
    first = DAY + timedelta(days=30)
    assert driver_effect().text == (
        "payments, elasticity 0.7147; sMAPE at rolling origins 1.594 % with it, 3.919 % without; "
        f"plan +30 % from {first}"
    )
    assert driver_effect(plans=(), smape_pct=None).text == "payments, elasticity 0.7147"


def test_a_driver_that_is_not_used_says_why() -> None:
    assert driver_effect(is_used=False, reason="no gain").text == "payments, not used: no gain"


def test_candidates_are_named_with_shares_and_the_part_of_prophet() -> None:
    assert mix().text == (
        "straight linear trend 60 % (fitted by Prophet), bending linear trend 40 %; "
        "Prophet-type candidates make 100 % of the forecast"
    )


def test_a_candidate_without_a_solution_is_left_out() -> None:
    made = mix(1.0, 0.0)
    assert made.text == (
        "straight linear trend 100 % (fitted by Prophet), bending linear trend left out, no "
        "solution; Prophet-type candidates make 100 % of the forecast"
    )


@pytest.mark.parametrize(
    ("fitted_by", "share"),
    [("prophet", 100), ("prophet_exact", 100), ("prophet_logistic", 100), ("sawtooth", 0)],
)
def test_prophet_and_the_solver_of_its_objective_are_of_its_type(
    fitted_by: str, share: int
) -> None:
    only = CandidateShare(name="one", fitted_by=fitted_by, share_ratio=1.0)
    assert f"candidates make {share} % of" in ForecastMix(candidates=(only,)).text


WITHOUT_DATES: dict[str, Any] = {
    "state": CrossingState.not_within_horizon,
    "earliest_date": None,
    "expected_date": None,
    "latest_date": None,
}


def probabilities(last: int) -> dict[str, Any]:
    return {f"probability_{days}_days": 0.1 for days in PROBABILITY_DAYS if days <= last}


@pytest.mark.parametrize(
    ("last", "words"),
    [(365, "a year"), (180, "180 days"), (90, "90 days"), (30, "30 days"), (0, "the horizon")],
)
def test_the_reach_is_that_of_the_last_stated_probability(last: int, words: str) -> None:
    reaching = crossing(**WITHOUT_DATES, **probabilities(last))
    assert reach_days(reaching) == last
    assert reach_words(reaching) == words


def test_a_date_after_the_last_probability_extends_the_reach_in_days_only() -> None:
    late = DAY + timedelta(days=200)
    reaching = crossing(latest_date=late, **probabilities(180))
    assert reach_days(reaching) == 200
    assert reach_words(reaching) == "180 days"


def test_a_probability_of_zero_is_stated() -> None:
    reaching = crossing(**WITHOUT_DATES, probability_60_days=0.0)
    assert reach_days(reaching) == 60


@pytest.mark.parametrize(("days", "ratio"), [(90, 0.1), (30, 0.1), (180, None), (91, None)])
def test_a_probability_is_stated_for_some_days_within_reach(days: int, ratio: float | None) -> None:
    assert stated_probability(crossing(**probabilities(90)), days) == ratio


WEEK = (10.0, 10.0, 10.0, 10.0, 10.0, 2.0, 2.0)


@pytest.mark.parametrize("has_holiday", [False, True])
def test_growth_is_the_line_through_the_weeks_whatever_the_weekends_and_a_last_holiday(
    *, has_holiday: bool
) -> None:
    rising = [value + 0.1 * week for week in range(20) for value in WEEK]
    if has_holiday:
        rising[-7:-5] = [2.0, 2.0]
    grown = growth_of(rising)
    assert grown is not None
    assert grown.a_month == pytest.approx(0.1 * 30 / 7)
    assert grown.share == pytest.approx(0.1 * 30 / 7 / 10)


def test_less_than_two_weeks_have_no_growth() -> None:
    assert growth_of([1.0] * 13) is None
    assert growth_of([1.0] * 14) == (0.0, 0.0)


def test_a_line_that_begins_at_zero_or_below_has_no_share() -> None:
    grown = growth_of([float(week) for week in range(3) for _ in range(7)])
    assert grown is not None
    assert grown.share is None


def test_recent_accuracy_counts_days_inside_the_interval() -> None:
    accuracy = RecentAccuracy(inside_days=8, scored_days=10, lead_days=7)
    assert str(accuracy) == "8 of the last 10 inside the interval"


CURVE = BusiestHours(volumes_mib=(100, 150, 160))
"""100 MiB in the busiest hour, 150 in the busiest two, 160 in the busiest three."""


@pytest.mark.parametrize(
    ("capacity", "hours"),
    [(0, 0), (50, 0.5), (100, 1), (125, 1.5), (160, 3), (210, 3.5), (320, 6), (1_600, 30)],
)
def test_a_capacity_is_filled_by_the_busiest_hours_again_and_again(
    capacity: float, hours: float
) -> None:
    assert CURVE.hours_to_fill(capacity) == pytest.approx(hours)
    assert CURVE.volume_mib(hours) == pytest.approx(capacity)


def test_nothing_fills_where_nothing_is_logged_and_hours_without_log_are_waited_for() -> None:
    assert BusiestHours.at_rate(0).hours_to_fill(1) is None
    pause = BusiestHours(volumes_mib=(100, 100, 100))
    assert pause.hours_to_fill(100) == 3
    assert pause.hours_to_fill(99) == pytest.approx(0.99)


def test_growth_multiplies_and_added_work_adds_by_the_hour() -> None:
    assert CURVE.grown(2).volumes_mib == (200, 300, 320)
    assert CURVE.grown(1, 0.01).volumes_mib == (136, 222, 268)
    assert CURVE.grown(1, -1).volumes_mib == (0, 0, 0)


@given(
    st.lists(st.floats(0.1, 1e4), min_size=1, max_size=len(BUSIEST_LENGTHS_H)),
    st.floats(1, 1e6),
    st.floats(0.01, 100),
)
def test_growth_shortens_the_time_as_less_capacity_would(
    rises: list[float], capacity: float, ratio: float
) -> None:
    curve = BusiestHours(volumes_mib=tuple(accumulate(rises)))
    grown = curve.grown(ratio).hours_to_fill(capacity)
    assert grown == pytest.approx(curve.hours_to_fill(capacity / ratio), rel=1e-6, abs=1e-6)


def test_the_text_names_an_hour_half_a_day_and_a_day() -> None:
    assert str(CURVE) == "100 MiB in 1 h"
    assert str(BusiestHours(volumes_mib=tuple(range(1, 25)))) == (
        "1 MiB in 1 h, 12 MiB in 12 h, 24 MiB in 24 h"
    )
