"""Dates and probabilities of crossings."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting.crossing import passing_probability
from forecasting.first_day import CYCLE_DAYS, PATHS, calendar_draws, first_day_probability
from forecasting.interval import half_widths, prediction_interval, trend_cumulants
from forecasting.lines import lines_of, with_lines
from forecasting.model import Prediction
from forecasting.models.seasonal_naive import SEASONAL_NAIVE
from forecasting.probability import Figures, LimitsAhead, OutcomeFigures, held_back, terms
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction
from tests.forecasting.builders import DAYS, dated, forecast, history, noise, weekly

TIME = np.arange(DAYS)
FLAT = 50 + 4 * weekly() + noise()


@pytest.fixture(scope="module")
def flat() -> Forecast:
    return forecast(FLAT, final_fit="fast")


def stated(
    of: Forecast, limit: float, direction: Direction = Direction.upward, **changed: Any
) -> np.ndarray:
    limits = np.full(len(of.every_day), float(limit))
    return passing_probability(of, limits, direction, strict=False, **changed)


@settings(max_examples=20, deadline=None)
@given(st.floats(1, 1e4), st.floats(0.001, 0.999))
def test_the_curve_never_falls_and_falls_with_the_limit(limit: float, share: float) -> None:
    made = forecast(FLAT, final_fit="fast", horizon_days=90, crossing_days=90)
    far, near = stated(made, limit), stated(made, limit * share)
    assert (np.diff(far) >= 0).all()
    assert ((far >= 0) & (far <= 1) & (far <= near + 1e-12)).all()


@pytest.mark.parametrize(
    ("multiple", "least", "most"), [(1.0, 0.1, 1), (1.5, 0, 0.04), (20, 0, 1e-3)]
)
def test_far_limits_are_hardly_passed_by_a_flat_series(
    flat: Forecast, multiple: float, least: float, most: float
) -> None:
    assert least <= stated(flat, multiple * FLAT.max())[-1] <= most


def test_a_height_where_the_series_was_is_passed_more_often() -> None:
    was_there = FLAT.copy()
    was_there[100:110] += 20
    made, other = forecast(was_there, final_fit="fast"), forecast(FLAT, final_fit="fast")
    assert stated(made, 65)[90] > 1.5 * stated(other, 65)[90]


def test_what_came_in_this_season_last_year_is_expected_again() -> None:
    rises = FLAT + np.where((TIME > DAYS - 340) & (TIME < DAYS - 320), 12.0, 0.0)
    rises[TIME < DAYS - 370] += 12.0  # the same height, but not in the days to come
    falls = FLAT + np.where((TIME > DAYS - 120) & (TIME < DAYS - 100), 12.0, 0.0)
    falls[TIME < DAYS - 370] += 12.0
    with_rise, without = (forecast(each, final_fit="fast") for each in (rises, falls))
    before = without.past
    assert with_rise.past is not None
    assert before is not None
    assert max(with_rise.past.highest.last_year) > max(before.highest.last_year)


def test_a_short_history_is_never_sure() -> None:
    growing = 50 + 0.3 * np.arange(90) + noise(90)
    longer = forecast(50 + 0.3 * TIME + noise(), final_fit="fast")
    short = forecast(growing, final_fit="fast")
    near, same = 1.05 * growing.max(), 1.05 * (50 + 0.3 * DAYS)
    assert stated(short, near)[90] < stated(longer, same)[90]
    assert stated(short, near)[90] < 0.96


@pytest.mark.parametrize("factor", [0.8, 1.3])
def test_a_load_and_its_limit_in_another_unit_have_the_same_probability(
    flat: Forecast, factor: float
) -> None:
    lines = lines_of(flat)
    scaled = {name: factor * getattr(lines, name) for name in ("lower", "expected", "upper")}
    moved = with_lines(flat, lines._replace(**scaled))
    assert stated(moved, factor * 57) == pytest.approx(stated(flat, 57), abs=0.01)


def test_a_falling_series_passes_a_lower_limit_as_a_rising_one_a_higher_one() -> None:
    rising = forecast(np.exp(0.001 * TIME + 0.02 * noise()), final_fit="fast")
    falling = forecast(np.exp(-0.001 * TIME - 0.02 * noise()), final_fit="fast")
    up, down = stated(rising, 1.8), stated(falling, 1 / 1.8, Direction.downward)
    assert down[[30, 90]] == pytest.approx(up[[30, 90]], abs=0.1)


def test_a_later_limit_counts_from_its_day_on(flat: Forecast) -> None:
    limits = np.full(len(flat.every_day), 57.0)
    limits[60:] = 1e4
    raised = passing_probability(flat, limits, Direction.upward, strict=False)
    assert raised[:60].tolist() == stated(flat, 57.0)[:60].tolist()
    assert raised[-1] == raised[59]


def test_own_outcomes_correct_level_and_slope(flat: Forecast) -> None:
    plain = stated(flat, 57.0)
    odds = np.log(plain / (1 - plain))
    corrected = stated(flat, 57.0, site=OutcomeFigures(0.3, 0.8))
    assert corrected == pytest.approx(1 / (1 + np.exp(-(0.3 + 0.8 * odds))))


def test_dates_are_read_off_the_curve_of_the_probabilities(flat: Forecast) -> None:
    crossing = dated(flat, 57.0, strict=False)
    curve = stated(flat, 57.0)
    days = lines_of(flat).days
    for share, found in ((0.1, crossing.earliest_date), (0.5, crossing.expected_date)):
        place = int((curve >= share).argmax())
        assert found == (days[place] if curve[place] >= share else None)
    assert crossing.probability_90_days == pytest.approx(curve[89], abs=1e-4)


def test_a_forecast_of_an_older_release_has_what_its_paths_say(flat: Forecast) -> None:
    older = flat.model_copy(update={"past": None})
    limits = np.full(len(older.every_day), 57.0)
    paths = first_day_probability(older, limits, Direction.upward, strict=False)
    assert stated(older, 57.0).tolist() == paths.tolist()


def test_the_past_is_part_of_the_document(flat: Forecast) -> None:
    assert flat.past is not None
    assert Forecast.model_validate_json(flat.model_dump_json()).past == flat.past
    assert flat.past.highest.ever == pytest.approx(FLAT.max(), rel=1e-5)


def test_a_short_history_states_what_is_nearer_to_the_usual() -> None:
    days, odds = np.array([90.0, 90.0]), np.array([3.4, -3.4])
    short, year = held_back(odds, days, 60), held_back(odds, days, 365)
    assert year == pytest.approx(odds)
    assert short == pytest.approx(-0.6 + 0.7 * (odds + 0.6))


@pytest.mark.parametrize("width", [0.8, 0.95])
def test_the_closed_interval_agrees_with_simulated_paths(width: float) -> None:
    rng = np.random.default_rng(5)
    ahead = np.arange(1, 25) / 40
    rate, laplace, sigma = 25.0, 0.3, 0.05
    paths = np.empty((6000, len(ahead)))
    for path in paths:
        starts = rng.uniform(0, ahead[-1], rng.poisson(rate * ahead[-1]))
        slopes = rng.laplace(0, laplace, len(starts))
        path[:] = (np.clip(ahead[:, None] - starts, 0, None) * slopes).sum(axis=1)
    paths += rng.normal(0, sigma, paths.shape)
    variance, excess = trend_cumulants(ahead, rate, laplace, sigma)
    prediction = Prediction(np.zeros(len(ahead)), variance, excess, log_scale=False)
    simulated = np.quantile(paths, 0.5 + width / 2, axis=0)
    assert half_widths(prediction, width) == pytest.approx(simulated, rel=0.12)


def test_widening_multiplies_the_interval() -> None:
    past = history(20 + noise())
    prediction = SEASONAL_NAIVE.predict(past, 5)
    narrow, wide = (prediction_interval(prediction, past, 0.8, widening=by) for by in (1.0, 2.0))
    assert wide.upper - wide.expected == pytest.approx(2 * (narrow.upper - narrow.expected))


def test_errors_have_unit_variance_and_the_noise_of_days_is_independent() -> None:
    lasting, noise = draws = calendar_draws(738_000, 30, 0.7)
    for paths in draws:
        assert paths.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert abs(np.corrcoef(noise[:, 0], noise[:, 1])[0, 1]) < 0.1
    assert np.corrcoef(lasting[:, 28], lasting[:, 29])[0, 1] > 0.9


def test_the_second_half_mirrors_the_first_so_that_no_median_moves() -> None:
    for paths in calendar_draws(738_000, 30, 0.7):
        assert np.array_equal(paths[: PATHS // 2], -paths[PATHS // 2 :])


def test_a_calendar_day_has_the_same_noise_on_every_night() -> None:
    (_, tonight), (_, tomorrow) = calendar_draws(738_000, 30, 0.7), calendar_draws(738_001, 29, 0.7)
    assert np.array_equal(tonight[:, 1:], tomorrow)


@pytest.mark.parametrize("first_day", [CYCLE_DAYS - 2, CYCLE_DAYS - 1, CYCLE_DAYS])
def test_the_calendar_begins_anew_after_its_cycle(first_day: int) -> None:
    lasting, noise = calendar_draws(first_day, 30, 0.7)
    assert lasting.std(axis=0) == pytest.approx(np.ones(30), abs=0.15)
    assert np.array_equal(noise[:, 2:], calendar_draws(first_day + 2, 28, 0.7)[1])


def test_paths_of_a_noisy_load_count_less_unless_its_history_is_short() -> None:
    quiet, noisy = (forecast(50 + size * noise(), final_fit="fast") for size in (1.0, 14.0))
    paths = np.full(len(noisy.every_day), 0.05)

    def counted(of: Forecast, days: int) -> float:
        assert of.past is not None
        past = of.past.model_copy(update={"days": days})
        limits = np.full(len(paths), 80.0)
        asked = LimitsAhead(lines_of(of), 1, limits, Direction.upward, past, of.interval_width)
        return float(terms(paths, asked)[0, Figures._fields.index("paths_noisy")])

    assert counted(quiet, 365) == 0.0
    assert counted(noisy, 365) < counted(noisy, 200) < 0.0
    assert counted(noisy, 100) == 0.0
