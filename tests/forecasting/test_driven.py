"""Forecasts by a business driver with a planted elasticity."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from forecasting import ForecastOptions, driven, forecast_series, run
from forecasting.arrays import FloatArray
from forecasting.backtest import held_out_days
from forecasting.driven import (
    Driven,
    NotDriven,
    driver_history,
    multiplied,
    planned,
    with_begun_plans,
    without_driver,
)
from forecasting.history import History
from forecasting.interval import PredictionInterval
from forecasting.model import ModelFailure
from mqcap.domain.forecast import DriverCourse, DriverPlan, Forecast
from tests.forecasting.builders import CUTOFF, DAYS, days, history, noise, rows, sawtooth, weekly

ELASTICITY = 0.7
PAYMENTS: FloatArray = 1_000 * np.exp(noise(scale=0.02, seed=3).cumsum()) * (1 + weekly(size=0.3))
LOAD: FloatArray = 20 * (PAYMENTS / 1_000) ** ELASTICITY * np.exp(noise(scale=0.01, seed=4))
PLAN = DriverPlan(first=CUTOFF + timedelta(days=25), pct=30)
FAST = ForecastOptions(final_fit="fast", horizon_days=60, crossing_days=90)
FLAT = PredictionInterval(np.full(4, 8.0), np.full(4, 10.0), np.full(4, 12.0))
AHEAD = days(4, CUTOFF + timedelta(days=4))


@pytest.fixture(autouse=True)
def by_the_last_week(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecast by a model that takes no time."""
    monkeypatch.setattr(run, "FAST", run.LAST_WEEK)


def course(
    values: FloatArray = PAYMENTS, *plans: DriverPlan, gain_min_ratio: float = 0.05
) -> DriverCourse:
    by_day = dict(zip(days(), values.tolist(), strict=True))
    return DriverCourse(name="payments", values=by_day, plans=plans, gain_min_ratio=gain_min_ratio)


def made(driver: DriverCourse | None, values: FloatArray = LOAD) -> Forecast:
    frame = rows(values)
    if driver is not None:
        frame["driver"] = [driver.model_dump_json(), *[None] * (len(frame) - 1)]
    [forecast] = forecast_series(frame, FAST, CUTOFF)
    return forecast


def lines(*values: float) -> PredictionInterval:
    return PredictionInterval(*(np.array([value]) for value in values))


def begun(back: int, *, told_back: int) -> Forecast:
    """A load that rose by its driver so many days ago, and a plan that names such a day."""
    plan = DriverPlan(first=CUTOFF - timedelta(days=told_back), pct=80)
    risen = np.where(np.array(days()) > CUTOFF - timedelta(days=back), 1.8, 1.0)
    return made(course(PAYMENTS * risen, plan), LOAD * risen**ELASTICITY)


@pytest.mark.parametrize("told_back", [9, 4, 0])
def test_a_change_that_the_plan_of_a_driver_told_is_no_reason_to_refuse(told_back: int) -> None:
    told = begun(5, told_back=told_back)
    assert told.refusal is None
    assert told.driver is not None
    assert told.driver.is_used
    expected = np.mean([day.expected for day in told.every_day[:28]])
    assert expected == pytest.approx(1.8**ELASTICITY * LOAD[-28:].mean(), rel=0.15)


@pytest.mark.parametrize("told_back", [10, -1])
def test_a_change_that_no_plan_of_these_days_told_is_refused(told_back: int) -> None:
    refusal = begun(5, told_back=told_back).refusal
    assert refusal is not None
    assert refusal.startswith("the level changed on ")


def test_a_plan_that_changed_nothing_is_no_known_change() -> None:
    plan = DriverPlan(first=CUTOFF - timedelta(days=4), pct=30)
    with_plan = replace(history(LOAD), driver=course(PAYMENTS, plan))
    assert with_begun_plans(with_plan) is with_plan
    assert with_begun_plans(history(LOAD)).known_changes == ()


def test_the_planted_elasticity_is_found_and_the_rolling_origins_gain() -> None:
    effect = made(course()).driver
    assert effect is not None
    assert effect.is_used
    assert effect.elasticity == pytest.approx(ELASTICITY, abs=0.05)
    assert effect.smape_pct is not None
    assert effect.smape_without_pct is not None
    assert effect.smape_pct < 0.7 * effect.smape_without_pct


def test_an_elasticity_that_is_tried_comes_from_days_before_the_earliest_origin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A change of the driver's effect after that origin is not known there."""
    seen = []

    def without(known: History, by: DriverCourse, last: int) -> Driven:
        seen.append(last)
        return without_driver(known, by, last)

    monkeypatch.setattr(driven, "without_driver", without)
    made(course())
    assert [DAYS - last for last in seen] == [held_out_days(history(LOAD), 3, FAST), 0]
    assert held_out_days(history(LOAD), 3, FAST) > 3 * FAST.backtest_days


def test_a_plan_moves_the_forecast_by_its_elasticity_from_its_day_on() -> None:
    plain, moved = made(course()), made(course(PAYMENTS, PLAN))
    assert moved.driver is not None
    factor = 1.3 ** (moved.driver.elasticity or 0)
    for before, after in zip(plain.every_day, moved.every_day, strict=True):
        expected = factor if before.site_date >= PLAN.first else 1.0
        assert after.expected == pytest.approx(before.expected * expected, rel=1e-6)
        assert after.lower <= after.expected <= after.upper
    assert len(moved.every_day) == 90


@pytest.mark.parametrize("back", [0, 40, 200])
def test_a_plan_that_has_begun_is_not_counted_again(back: int) -> None:
    plan = DriverPlan(first=CUTOFF - timedelta(days=back), pct=30)
    risen = np.where(np.array(days()) >= plan.first, 1.3, 1.0)
    values = LOAD * risen**ELASTICITY
    known = course(PAYMENTS * risen)
    with_plan = known.model_copy(update={"plans": (plan,)})
    assert planned(FLAT, AHEAD, with_plan).expected.tolist() == FLAT.expected.tolist()
    assert driver_history(history(values), with_plan).known_changes == (plan.first,)
    if back:
        assert [day.expected for day in made(with_plan, values).every_day] == pytest.approx(
            [day.expected for day in made(known, values).every_day], rel=0.02
        )


def test_a_plan_of_the_day_after_the_last_value_counts() -> None:
    plan = DriverPlan(first=CUTOFF + timedelta(days=1), pct=30)
    moved = planned(FLAT, AHEAD, course(PAYMENTS, plan))
    assert moved.expected.tolist() == pytest.approx([13.0] * 4)
    assert driver_history(history(LOAD), course(PAYMENTS, plan)).known_changes == ()


def test_a_driver_that_explains_nothing_leaves_the_forecast_as_it_is() -> None:
    unrelated = made(course(1_000 + noise(scale=50, seed=9)))
    assert unrelated.driver is not None
    assert not unrelated.driver.is_used
    assert "sMAPE at rolling origins" in unrelated.driver.reason
    plain = made(None)
    assert unrelated.model_copy(update={"driver": None}) == plain
    assert '"driver"' not in plain.model_dump_json()


@pytest.mark.parametrize("part", ["driven_by", "driver_history"])
def test_a_model_without_a_solution_for_the_driver_leaves_the_forecast_as_it_is(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ModelFailure("no solution")

    monkeypatch.setattr(run, part, fail)
    forecast, plain = made(course()), made(None)
    assert forecast.driver is not None
    assert (forecast.driver.is_used, forecast.driver.reason) == (False, "no solution")
    assert forecast.model_copy(update={"driver": None}) == plain


@pytest.mark.parametrize(("gain", "used"), [(0.3, True), (0.99, False)])
def test_the_error_must_fall_by_the_share_of_the_settings(gain: float, used: bool) -> None:
    effect = made(course(gain_min_ratio=gain)).driver
    assert effect is not None
    assert effect.is_used is used


@pytest.mark.parametrize(("behind", "reason"), [(13, ""), (14, ""), (15, "the driver ends on ")])
def test_a_driver_that_ended_long_ago_is_not_used(behind: int, reason: str) -> None:
    last = CUTOFF - timedelta(days=behind)
    values = {day: value for day, value in course().values.items() if day <= last}
    steady = course().model_copy(update={"values": values, "gain_min_ratio": -9.0})
    effect = made(steady).driver
    assert effect is not None
    assert effect.is_used is (not reason)
    assert effect.reason == (f"{reason}{last}, {behind} days before the series" if reason else "")


def test_a_sawtooth_is_forecast_without_a_driver() -> None:
    assert made(course(), sawtooth()).driver is None


@pytest.mark.parametrize(("count", "enough"), [(55, False), (63, True), (64, True)])
def test_a_driver_needs_eight_weeks_of_weekly_differences(count: int, enough: bool) -> None:
    known = course().model_copy(update={"values": dict([*course().values.items()][-count:])})
    if enough:
        assert without_driver(history(LOAD), known, DAYS).elasticity > 0
        return
    with pytest.raises(NotDriven, match="55 days of the history, 56 are required"):
        without_driver(history(LOAD), known, DAYS)


def test_without_changes_or_with_a_day_of_zero_there_is_no_elasticity_and_it_has_a_bound() -> None:
    with pytest.raises(NotDriven, match="a driver without changes"):
        without_driver(history(LOAD), course(np.full(DAYS, 7.0)), DAYS)
    with pytest.raises(NotDriven, match="not above zero"):
        without_driver(history(np.where(np.arange(DAYS) == 9, 0.0, LOAD)), course(), DAYS)
    assert without_driver(history(PAYMENTS**5), course(), DAYS).elasticity == 3.0


def test_missing_days_of_a_driver_are_drawn_through() -> None:
    values = {day: value for day, value in course().values.items() if day.day != 9}
    parts = without_driver(history(LOAD), course().model_copy(update={"values": values}), DAYS)
    assert np.isfinite(parts.rest.values).all()


def test_the_history_of_a_driver_runs_from_its_first_to_its_last_day() -> None:
    values = {date(2026, 1, 1): 5.0, date(2026, 1, 3): 7.0}
    driver = driver_history(history(LOAD), course().model_copy(update={"values": values}))
    assert str(driver.first_day) == "2026-01-01"
    assert np.array_equal(driver.values, [5.0, np.nan, 7.0], equal_nan=True)


def test_several_plans_add_up_from_their_days_on() -> None:
    second = DriverPlan(first=PLAN.first + timedelta(days=1), pct=-50)
    moved = planned(FLAT, days(4, PLAN.first + timedelta(days=2)), course(PAYMENTS, PLAN, second))
    assert moved.expected.tolist() == pytest.approx([10, 13, 6.5, 6.5])


def test_widths_of_rest_and_driver_add_as_independent_errors() -> None:
    parts = without_driver(history(LOAD), course(), DAYS)._replace(reference=100.0)
    for rest, driver, elasticity, expected in (
        ((8, 10, 13), (100, 100, 100), 1.0, [8, 10, 13]),
        ((7, 10, 13), (60, 100, 140), 1.0, [5, 10, 15]),
        ((10, 10, 10), (50, 100, 200), -1.0, [5, 10, 20]),
    ):
        of = parts._replace(elasticity=elasticity)
        made = multiplied(lines(*rest), lines(*driver), of)
        assert [float(line[0]) for line in made] == pytest.approx(expected)
