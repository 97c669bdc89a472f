"""The backtest states error and coverage, and widens what was too narrow."""

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from forecasting.backtest import UNTRIED, Backtest, backtest, held_out_days, smape_pct
from forecasting.history import History
from forecasting.model import ForecastModel, ModelFailure, Prediction, log_scale_fits
from forecasting.options import ForecastOptions
from tests.forecasting.builders import history


class Fixed:
    """Forecasts one value with a given deviation and remembers what it was shown."""

    def __init__(self, deviation: float = 1.0, level: float = 0.0) -> None:
        self.deviation, self.level = deviation, level
        self.shown: list[int] = []
        self.asked: list[int] = []
        self.scales: list[bool | None] = []

    def predict(self, history: History, days: int) -> Prediction:
        self.shown.append(len(history.values))
        self.asked.append(days)
        self.scales.append(history.usual_scale_is_log)
        flat = np.full(days, self.deviation**2)
        return Prediction(np.full(days, self.level), flat, np.zeros(days), log_scale=False)


NOISE = np.random.default_rng(3).normal(0, 1, 400)


def tried(*models: Fixed, on: History, **options: Any) -> Backtest:
    candidates = [ForecastModel("fixed", str, model.predict) for model in models]
    return backtest(candidates, on, ForecastOptions(**options))


def test_origins_are_the_last_sundays_that_are_one_two_and_three_stretches_back() -> None:
    model = Fixed()
    series = history(NOISE, last=date(2026, 11, 25))  # a Wednesday
    tried(model, on=series)
    origins = [date(2026, 10, 25), date(2026, 9, 20), date(2026, 8, 23)]
    assert [series.days[count - 1].astype(object) for count in model.shown] == origins
    assert [day.isoweekday() for day in origins] == [7, 7, 7]
    assert [(date(2026, 11, 25) - day).days for day in origins] == [31, 66, 94]


def test_an_origin_that_is_on_a_sunday_already_stays() -> None:
    series = history(NOISE, last=date(2026, 11, 24))  # 30 days after Sunday, 25 October
    assert held_out_days(series, 1, ForecastOptions()) == 30


def test_an_origin_and_what_is_asked_of_it_stay_the_same_for_a_week() -> None:
    asked = set()
    for night in range(7):
        model = Fixed()
        count = 393 + night
        series = history(NOISE[:count], last=date(2026, 11, 24) + timedelta(days=night))
        tried(model, on=series, backtest_origins=1)
        asked.add((model.shown[0], model.asked[0]))
    assert asked == {(363, 36)}


@pytest.mark.parametrize(("count", "held_out"), [(60, 30), (71, 30), (72, 36), (90, 36)])
def test_a_history_too_short_for_a_sunday_has_its_origin_one_stretch_back(
    count: int, held_out: int
) -> None:
    series = history(NOISE[:count], last=date(2026, 11, 30))  # 36 days after that Sunday
    assert held_out_days(series, 1, ForecastOptions()) == held_out


def test_weights_are_earned_on_the_scale_of_the_whole_history() -> None:
    """The origin before the rise would choose the other scale, and swap what a weight means."""
    series = history(np.where(np.arange(400) < 340, 100.0, 300.0) * np.exp(0.05 * NOISE))
    chosen = [log_scale_fits(series.until(count).values) for count in (400, 340)]
    model = Fixed()
    tried(model, on=series)
    assert chosen == [True, False]
    assert model.scales == [True, True, True]


@pytest.mark.parametrize("widening", [1.0, 2.0])
def test_an_honest_interval_is_left_alone_and_a_narrow_one_widened(widening: float) -> None:
    scored = tried(Fixed(1.0 / widening), on=history(NOISE))
    assert scored.widening == pytest.approx(widening, rel=0.15)
    assert scored.coverage_ratio == pytest.approx(0.8, abs=0.1)


def test_a_hopeless_interval_is_not_widened_without_end() -> None:
    assert tried(Fixed(0.01), on=history(NOISE)).widening == 3.0


@pytest.mark.parametrize("count", [1, 30, 50])
def test_a_short_history_has_no_score(count: int) -> None:
    scored = tried(Fixed(), on=history(NOISE[:count]))
    assert scored == Backtest(widening=UNTRIED)


def test_a_single_origin_is_judged_as_it_would_have_been_shown() -> None:
    scored = tried(Fixed(0.01), on=history(NOISE), backtest_origins=1)
    assert scored.widening == 3.0
    assert scored.coverage_ratio == pytest.approx(0.0, abs=0.1)


def test_missing_days_are_not_scored() -> None:
    values = NOISE.copy()
    values[-40:] = np.nan
    scored = tried(Fixed(), on=history(values), backtest_origins=1)
    assert scored.smape_pct is None


def test_the_error_is_symmetric_and_two_zeros_are_none() -> None:
    assert smape_pct(np.array([1.0, 0.0]), np.array([3.0, 0.0])) == 50.0
    assert smape_pct(np.array([3.0]), np.array([1.0])) == 100.0


class Helpless(Fixed):
    """Finds no solution."""

    def predict(self, history: History, days: int) -> Prediction:
        raise ModelFailure("no solution")


def test_the_weight_of_a_variant_is_its_inverse_error() -> None:
    flat = history(np.full(400, 10.0))
    scored = tried(*(Fixed(level=level) for level in (7.0, 9.0, 8.0)), on=flat)
    assert scored.weights == pytest.approx((2 / 11, 6 / 11, 3 / 11))


def test_the_error_is_the_root_of_the_mean_square_over_all_days_of_the_origins() -> None:
    """The last 31 days are in all three origins, those before in two and in one."""
    values = np.full(400, 10.0)
    values[-66:-31] = 13.0
    series = history(values, last=date(2026, 11, 25))
    scored = tried(Fixed(level=9.0), Fixed(level=10.0), on=series)
    days = 31 + 66 + 94
    squares = 70 * 9.0, (days - 70) * 1.0 + 70 * 16.0
    assert scored.weights[0] / scored.weights[1] == pytest.approx(np.sqrt(np.divide(*squares)))


def test_a_variant_without_a_solution_is_left_out() -> None:
    scored = tried(Fixed(level=3.0), Helpless(), on=history(NOISE))
    assert scored.weights == (1.0, 0.0)


def test_the_usual_variant_must_find_a_solution() -> None:
    with pytest.raises(ModelFailure):
        tried(Helpless(), Fixed(), on=history(NOISE))
