"""Forecasts of whole batches: planted truth, independence, and an answer for everything."""

import logging
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from forecasting import ForecastOptions, forecast_series
from tests.forecasting.builders import CUTOFF, DAYS, dated, forecast, month_end, noise, rows, weekly

pytestmark = pytest.mark.thorough

TIME = np.arange(DAYS, dtype=np.float64)


def test_a_planted_linear_crossing_is_dated_within_two_weeks_of_its_first_noisy_day() -> None:
    predicted = forecast(30 + 0.05 * TIME + 4 * weekly() + noise(scale=0.8))
    limit = 30 + 0.05 * (DAYS - 1 + 90) + 4
    later = 30 + 0.05 * (DAYS + np.arange(180)) + 4 * weekly(180, last=CUTOFF + timedelta(days=180))
    firsts = [(later + noise(180, 0.8, seed) > limit).argmax() + 1 for seed in range(199)]
    truth = CUTOFF + timedelta(days=int(np.median(firsts)))
    crossing = dated(predicted, limit)
    assert crossing.expected_date is not None
    assert abs((crossing.expected_date - truth).days) <= 14
    assert crossing.earliest_date is not None
    assert crossing.earliest_date <= truth


def test_a_forecast_states_its_candidates_and_which_one_prophet_fitted() -> None:
    mix = forecast(30 + 0.05 * TIME + noise(scale=0.8)).mix
    assert mix is not None
    shares = [candidate.share_ratio for candidate in mix.candidates]
    assert sum(shares) == pytest.approx(1.0, abs=1e-5)
    trends = [candidate for candidate in mix.candidates if "trend" in candidate.name]
    most = max(trends, key=lambda trend: trend.share_ratio)
    by_prophet = [trend.name for trend in mix.candidates if trend.fitted_by == "prophet"]
    assert (by_prophet, len(mix.candidates), len(trends)) == ([most.name], 5, 4)


def test_a_candidate_without_a_solution_has_no_share() -> None:
    """There is no logarithm of zero."""
    mix = forecast((3 * noise()).clip(0), final_fit="fast").mix
    assert mix is not None
    left_out = [candidate.name for candidate in mix.candidates if not candidate.share_ratio]
    assert left_out == ["bending logarithmic trend", "straight logarithmic trend"]


def test_refused_series_have_no_candidates_and_what_is_answered_nevertheless_one() -> None:
    assert forecast(np.full(DAYS, 5.0)).mix is None
    mix = forecast(30 + noise(50), answers_refused=True).mix
    assert mix is not None
    assert mix.text == "last week again 100 %; Prophet-type candidates make 0 % of the forecast"


def test_a_planted_compound_crossing_is_dated_within_a_fortnight() -> None:
    predicted = forecast(2.0 * np.exp(0.003 * TIME + 0.2 * weekly() + noise(scale=0.04)))
    truth = CUTOFF + timedelta(days=90)
    limit = 2.0 * float(np.exp(0.003 * (DAYS - 1 + 90) + 0.2))
    crossing = dated(predicted, limit)
    assert crossing.expected_date is not None
    assert abs((crossing.expected_date - truth).days) <= 14


def test_a_breach_of_month_ends_only_is_dated_near_the_month_ends_that_pass() -> None:
    predicted = forecast(40 + 0.02 * TIME + 12 * month_end() + noise(scale=0.4))
    crossing = dated(predicted, 40 + 0.02 * (DAYS + 60) + 12)
    assert crossing.expected_date is not None
    assert date(2026, 3, 31) <= crossing.expected_date <= date(2026, 5, 29)


def test_the_forecast_states_its_accuracy_and_keeps_its_promise() -> None:
    predicted = forecast(40 + 5 * weekly() + noise(scale=1.0))
    assert predicted.model == "prophet"
    assert predicted.smape_pct is not None
    assert predicted.smape_pct < 5
    assert predicted.coverage_ratio is not None
    assert predicted.coverage_ratio >= 0.5
    ahead = [(point.site_date - CUTOFF).days for point in predicted.points]
    assert ahead == [*range(1, 181)]


def test_a_percentage_rises_above_100_to_what_is_needed_and_never_falls_below_zero() -> None:
    values = np.clip(60 + 0.1 * TIME + noise(scale=3), 0, 100)
    predicted = forecast(values)
    assert all(0 <= p.lower <= p.expected <= p.upper for p in predicted.points)
    assert predicted.points[-1].upper > 100.0


def test_a_falling_series_never_goes_below_zero() -> None:
    predicted = forecast(np.clip(40 - 0.1 * TIME + noise(scale=0.5), 0.1, None))
    assert 0.0 <= min(point.lower for point in predicted.points) < 0.01


def test_a_zero_in_the_last_days_ends_the_logarithm_and_not_the_forecast() -> None:
    values = np.exp(0.004 * TIME + noise(scale=0.05))
    values[-200::2] = 0.0
    values[: len(values) - 200] = np.where(TIME[:-200] % 3 == 0, 0.0, values[:-200])
    late = np.exp(0.004 * TIME + noise(scale=0.05))
    late[-30:] *= 1 + 0.5 * (np.arange(30) % 2)
    late[-3:] = -1e-9
    assert forecast(values, final_fit="fast").model == "prophet_exact"
    assert forecast(late, final_fit="fast").model == "prophet_exact"


def test_days_after_the_cutoff_change_nothing() -> None:
    values = 30 + weekly() + noise(scale=0.5)
    known = rows(values)
    later = rows(np.full(30, 900.0), last=CUTOFF + timedelta(days=30))
    both, alone = (
        forecast_series(frame, ForecastOptions(), CUTOFF)
        for frame in (pd.concat([later, known]), known)
    )
    assert both == alone


def test_order_and_batches_change_no_byte() -> None:
    batch = pd.concat(
        rows(20 + seed + noise(seed=seed), series_id=f"m/S{seed}", country="DE") for seed in (3, 1)
    )
    options = ForecastOptions(horizon_days=30)
    shuffled = batch.sample(frac=1.0, random_state=7)
    together = forecast_series(shuffled, options, CUTOFF)
    alone = [
        forecast_series(batch[batch["series_id"] == name], options, CUTOFF)[0]
        for name in ("m/S1", "m/S3")
    ]
    assert [f.model_dump_json() for f in together] == [f.model_dump_json() for f in alone]


def test_history_older_than_the_lookback_is_not_read() -> None:
    assert forecast(30 + noise(scale=0.5), lookback_days=200).trained_days == 200


def test_a_forecast_starts_after_the_cutoff_even_if_the_last_days_are_missing() -> None:
    values = 30 + noise(scale=0.5)
    values[-5:] = np.nan
    assert forecast(values, horizon_days=10).points[0].site_date == CUTOFF + timedelta(days=1)


def test_an_unknown_country_refuses_the_series_and_not_the_night() -> None:
    frame = rows(30 + noise(), country="XX")
    (predicted,) = forecast_series(frame, ForecastOptions(), CUTOFF)
    assert predicted.refusal is not None
    assert "'XX'" in predicted.refusal


def test_the_optimiser_does_not_talk(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        forecast(30 + noise())
    assert caplog.records == []


def test_two_years_of_history_carry_a_yearly_season() -> None:
    time = np.arange(760)
    season = 10 * np.sin(2 * np.pi * time / 365.25)
    predicted = forecast(50 + season + noise(760), lookback_days=800)
    truth = 50 + 10 * np.sin(2 * np.pi * (759 + 150) / 365.25)
    assert predicted.points[149].expected == pytest.approx(truth, abs=4)


wild = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(0, 100),
    st.sampled_from([0.0, 1.0, np.nan, 9e29, -9e29, 1e300, -1e300, 1e-300]),
)


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float64, st.integers(0, 150), elements=wild),
    st.sampled_from([20, 60]),
)
def test_no_values_at_all_break_a_run(values: NDArray[np.float64], needed: int) -> None:
    options = ForecastOptions(final_fit="fast", horizon_days=20, min_history_days=needed)
    for result in forecast_series(rows(values), options, CUTOFF):
        assert (result.refusal is None) == (len(result.points) == 20)
        assert all(p.lower <= p.expected <= p.upper for p in result.points)
        assert all(np.isfinite([p.lower, p.upper]).all() for p in result.points)
