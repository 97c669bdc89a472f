"""What is known beside the values: sawtooths, new levels, told changes, the calendar of a site."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from forecasting import ForecastOptions, crossing_of, forecast_series
from forecasting.calendars import event_columns
from forecasting.sawtooth import sawtooth_of
from mqcap.domain.estate.calendar import BusyDays, KnownChange, SiteCalendar
from mqcap.domain.metric import Direction
from tests.forecasting.builders import CUTOFF, DAYS, forecast, noise, rows, weekly
from tests.forecasting.test_prepare import history

pytestmark = pytest.mark.thorough

TIME = np.arange(DAYS)


def sawtooth(period: int = 28, rise: float = 1.0, floor: float = 30.0) -> NDArray[np.float64]:
    return floor + rise * (TIME % period).astype(np.float64)


def test_a_series_that_only_rises_until_it_is_emptied_is_a_sawtooth() -> None:
    found = sawtooth_of(history(sawtooth()))
    assert found is not None
    assert np.allclose(found.rates, 1.0)
    assert set(found.floors) == {30.0}
    assert set(found.tops) == {57.0}


@pytest.mark.parametrize(
    "values",
    [
        20 + noise(),
        20 + 0.1 * TIME,
        np.where(TIME > 200, 0.1 * TIME - 15, 0.1 * TIME),
        np.ones(DAYS),
    ],
)
def test_noise_growth_and_one_restart_are_none(values: NDArray[np.float64]) -> None:
    assert sawtooth_of(history(values)) is None


def test_a_sawtooth_below_its_limit_is_never_dated_by_its_rise() -> None:
    made = forecast(sawtooth(), ceiling=100.0)
    assert made.model == "sawtooth"
    assert max(point.expected for point in made.points) < 60
    found = crossing_of(
        made, [], limit=80.0, direction=Direction.upward, strict=False, rule_id="R", unit="%"
    )
    assert found.expected_date is None


def test_a_growing_floor_carries_a_sawtooth_over_its_limit() -> None:
    values = sawtooth() + 2.0 * (TIME // 28)
    scaled = values * (70 / values.max())
    made = forecast(scaled, ceiling=100.0)
    assert made.model == "sawtooth"
    assert max(point.expected for point in made.points[:120]) > 75


def test_a_sawtooth_that_is_no_longer_emptied_is_refused() -> None:
    values = np.where(TIME < 200, 30.0 + TIME % 20, 30.0 + (TIME - 200) * 0.5)
    refusal = forecast(values).refusal
    assert refusal is not None
    assert refusal.startswith("sawtooth: ")


@pytest.mark.parametrize("late", [2, 5, 8])
def test_a_level_that_changed_within_days_is_refused(late: int) -> None:
    values = 20 + weekly(size=3.0) + noise(scale=0.3) + np.where(DAYS - late <= TIME, 15.0, 0.0)
    refusal = forecast(values).refusal
    assert refusal is not None
    assert refusal.startswith("the level changed on 2026-0")


@pytest.mark.parametrize("late", [0, 1, 30])
def test_one_odd_day_and_an_older_change_are_not(late: int) -> None:
    values = 20 + weekly(size=3.0) + noise(scale=0.3) + np.where(DAYS - late <= TIME, 15.0, 0.0)
    assert forecast(values).refusal is None


def told(values: NDArray[np.float64], **columns: Any) -> Any:
    (made,) = forecast_series(rows(values).assign(**columns), ForecastOptions(), CUTOFF)
    return made


def test_a_known_change_is_a_step_from_its_first_days_on() -> None:
    values = 20 + noise(scale=0.3) + np.where(TIME >= DAYS - 3, 15.0, 0.0)
    made = told(values, known_changes=(CUTOFF - timedelta(days=2)).isoformat())
    assert made.refusal is None
    assert made.points[30].expected == pytest.approx(35, abs=2)


def test_changes_concern_the_subjects_they_name() -> None:
    change = KnownChange(day=CUTOFF, subjects=("CSQ1",))
    assert change.concerns("PLEX1/CSQ1/CHINIT")
    assert not change.concerns("PLEX1/CSQ2")
    assert KnownChange(day=CUTOFF).concerns("PLEX1/CF01")


def test_a_pay_day_that_only_the_site_knows_is_forecast() -> None:
    calendar = SiteCalendar(busy=(BusyDays(name="pay day", business_day=10),))
    stamps = np.datetime64(CUTOFF, "D") - np.arange(DAYS)[::-1]
    busy = event_columns(stamps, None, calendar)["busy_pay day"]
    values = 20 + noise(scale=0.2) + 10.0 * busy
    made = told(values, calendar=calendar.model_dump_json())
    ahead = np.array([point.site_date for point in made.points], dtype="datetime64[D]")
    coming = event_columns(ahead, None, calendar)["busy_pay day"]
    lines = np.array([point.expected for point in made.points])
    assert lines[coming].min() > 27
    assert lines[~coming].max() < 23


def test_the_business_days_of_the_site_replace_those_of_the_country() -> None:
    days = np.arange("2026-01-01", "2026-03-01", dtype="datetime64[D]")
    plain = event_columns(days, "DK")
    own = event_columns(
        days,
        "DK",
        SiteCalendar(
            workdays=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat"),
            closed=(date(2026, 1, 31),),
            open=(date(2026, 1, 1),),
        ),
    )
    assert days[plain["last_business_day"]].tolist() == [date(2026, 1, 30), date(2026, 2, 27)]
    assert days[own["last_business_day"]].tolist() == [date(2026, 1, 30), date(2026, 2, 28)]
    assert days[plain["public_holiday"]].tolist() == [date(2026, 1, 1)]
    assert days[own["public_holiday"]].tolist() == [date(2026, 1, 31)]
    assert days[own["first_business_day"]][0] == np.datetime64("2026-01-01")


@pytest.mark.parametrize(
    "content",
    [
        {"name": "freeze"},
        {"name": "freeze", "first": "2026-02-01"},
        {"name": "freeze", "first": "2026-02-02", "last": "2026-02-01"},
        {"name": "pay", "days": ["2026-02-02"], "business_day": 3},
        {"name": "pay", "business_day": 0},
    ],
)
def test_busy_days_are_declared_in_one_way(content: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        BusyDays.model_validate(content)


def test_a_freeze_is_a_period() -> None:
    freeze = BusyDays(name="freeze", first=date(2026, 1, 5), last=date(2026, 1, 7))
    days = np.arange("2026-01-01", "2026-02-01", dtype="datetime64[D]")
    found = event_columns(days, None, SiteCalendar(busy=(freeze,)))["busy_freeze"]
    assert days[found].tolist() == [date(2026, 1, day) for day in (5, 6, 7)]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=True, allow_infinity=True),
            st.sampled_from([0.0, 1.0, -1e300, 1e300, 1e-300]),
        ),
        min_size=1,
        max_size=150,
    ),
    st.sampled_from([None, 100.0]),
)
def test_any_series_at_all_is_answered_without_a_warning(
    values: list[float], ceiling: float | None
) -> None:
    frame = rows(np.array(values), ceiling=ceiling)
    options = ForecastOptions(final_fit="fast", horizon_days=20)
    (made,) = forecast_series(frame, options, CUTOFF)
    assert (made.refusal is None) == (len(made.points) == 20)
    for point in made.points:
        assert np.isfinite([point.lower, point.expected, point.upper]).all()
        assert point.lower <= point.expected <= point.upper
        assert ceiling is None or point.upper <= max(ceiling, 0.0) or min(values) < 0


def test_logistic_growth_levels_off_towards_the_ceiling() -> None:
    values = 100 / (1 + np.exp(-0.012 * (TIME - 250))) * 0.95 + noise(scale=0.5)
    values = values.clip(0.5, 100)
    made = forecast(values, ceiling=100.0, growth="logistic", backtest_origins=1)
    assert made.model == "prophet_logistic"
    assert max(point.upper for point in made.points) <= 100.0
    assert made.points[-1].expected == pytest.approx(95, abs=6)
    assert forecast(values[:60], growth="logistic").model == "prophet_logistic"


def test_one_day_of_a_restart_is_no_emptying_and_dates_nothing() -> None:
    values = sawtooth(period=7, rise=0.1, floor=42.0)
    place = DAYS - 20
    values[place] = 19.3
    made = forecast(values, ceiling=100.0)
    assert made.model == "sawtooth"
    usual = forecast(sawtooth(period=7, rise=0.1, floor=42.0), ceiling=100.0)
    width = [max(one.upper - one.lower for one in some.every_day) for some in (made, usual)]
    assert width[0] < 2 * max(width[1], 0.5)
    found = crossing_of(
        made, [], limit=80.0, direction=Direction.upward, strict=False, rule_id="R", unit="%"
    )
    assert found.probability_365_days == 0.0
