"""The backtest states error and coverage, and widens what was too narrow."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.backtest import UNTRIED, Backtest, backtest, smape_pct
from forecasting.history import History
from forecasting.model import ModelFailure, Prediction, log_scale_fits
from forecasting.options import ForecastOptions
from tests.forecasting.builders import history


class Fixed:
    """Forecasts zero with a given deviation and remembers what it was shown."""

    name = "fixed"
    rehearsal = "fixed"

    def __init__(self, deviation: float) -> None:
        self.deviation = deviation
        self.variants = (self,)
        self.shown: list[int] = []
        self.scales: list[bool | None] = []

    def candidate(self, history: History) -> str:
        return f"{self.name} {history.first_day}"

    def predict(self, history: History, days: int) -> Prediction:
        self.shown.append(len(history.values))
        self.scales.append(history.usual_scale_is_log)
        flat = np.full(days, self.deviation**2)
        return Prediction(np.zeros(days), flat, np.zeros(days), log_scale=False)


NOISE = np.random.default_rng(3).normal(0, 1, 400)


def test_origins_are_one_stretch_apart_and_run_to_the_end() -> None:
    model = Fixed(1.0)
    backtest([model], history(NOISE), ForecastOptions())
    assert model.shown == [370, 340, 310]


def test_weights_are_earned_on_the_scale_of_the_whole_history() -> None:
    """The origin before the rise would choose the other scale, and swap what a weight means."""
    series = history(np.where(np.arange(400) < 340, 100.0, 300.0) * np.exp(0.05 * NOISE))
    chosen = [log_scale_fits(series.until(count).values) for count in (400, 340)]
    model = Fixed(1.0)
    backtest([model], series, ForecastOptions())
    assert chosen == [True, False]
    assert model.scales == [True, True, True]


def test_an_honest_interval_is_left_alone() -> None:
    scored = backtest([Fixed(1.0)], history(NOISE), ForecastOptions())
    assert scored.widening == pytest.approx(1.0, abs=0.15)
    assert scored.coverage_ratio == pytest.approx(0.8, abs=0.1)


def test_a_narrow_interval_is_widened_to_its_promise() -> None:
    scored = backtest([Fixed(0.5)], history(NOISE), ForecastOptions())
    assert scored.widening == pytest.approx(2.0, abs=0.3)
    assert scored.coverage_ratio == pytest.approx(0.8, abs=0.1)


def test_a_hopeless_interval_is_not_widened_without_end() -> None:
    assert backtest([Fixed(0.01)], history(NOISE), ForecastOptions()).widening == 3.0


@pytest.mark.parametrize("count", [1, 30, 50])
def test_a_short_history_has_no_score(count: int) -> None:
    scored = backtest([Fixed(1.0)], history(NOISE[:count]), ForecastOptions())
    assert scored == Backtest(widening=UNTRIED)


def test_a_single_origin_is_judged_as_it_would_have_been_shown() -> None:
    only = ForecastOptions(backtest_origins=1)
    scored = backtest([Fixed(0.01)], history(NOISE), only)
    assert scored.widening == 3.0
    assert scored.coverage_ratio == pytest.approx(0.0, abs=0.1)


def test_missing_days_are_not_scored() -> None:
    values = NOISE.copy()
    values[-40:] = np.nan
    scored = backtest([Fixed(1.0)], history(values), ForecastOptions(backtest_origins=1))
    assert scored.smape_pct is None


def test_the_error_is_symmetric_and_two_zeros_are_none() -> None:
    assert smape_pct(np.array([1.0, 0.0]), np.array([3.0, 0.0])) == 50.0
    assert smape_pct(np.array([3.0]), np.array([1.0])) == 100.0


class Level(Fixed):
    """Forecasts one value."""

    def __init__(self, level: float) -> None:
        super().__init__(1.0)
        self.level = level

    def predict(self, history: History, days: int) -> Prediction:
        result = super().predict(history, days)
        return Prediction(result.expected + self.level, result.variance, result.excess, False)


class Helpless(Fixed):
    """Finds no solution."""

    def predict(self, history: History, days: int) -> Prediction:
        raise ModelFailure("no solution")


def test_the_weight_of_a_variant_is_its_inverse_error() -> None:
    flat = history(np.full(400, 10.0))
    scored = backtest([Level(7.0), Level(9.0), Level(8.0)], flat, ForecastOptions())
    assert scored.weights == pytest.approx((2 / 11, 6 / 11, 3 / 11))


def test_the_error_is_the_root_of_the_mean_square_over_all_days_of_the_origins() -> None:
    """The last 30 days are in all three origins, those before in two and in one."""
    values = np.full(400, 10.0)
    values[-60:-30] = 13.0
    scored = backtest([Level(9.0), Level(10.0)], history(values), ForecastOptions())
    first = np.sqrt((120 * 1.0 + 60 * 16.0) / 180)
    second = np.sqrt(60 * 9.0 / 180)
    assert scored.weights[0] / scored.weights[1] == pytest.approx(second / first)


def test_a_variant_without_a_solution_is_left_out() -> None:
    scored = backtest([Level(3.0), Helpless(1.0)], history(NOISE), ForecastOptions())
    assert scored.weights == (1.0, 0.0)


def test_the_usual_variant_must_find_a_solution() -> None:
    with pytest.raises(ModelFailure):
        backtest([Helpless(1.0), Level(0.0)], history(NOISE), ForecastOptions())
