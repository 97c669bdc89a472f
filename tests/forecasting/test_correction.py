"""Probabilities of simulated paths after correction, and the crossings that rest on them."""

from __future__ import annotations

from datetime import timedelta
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting import crossing_of, first_day
from forecasting.correction import (
    DAYS,
    FIRST_DAYS,
    Correction,
    ForecastShape,
    corrected,
    corrected_curve,
    shape_of,
    shipped,
)
from forecasting.crossing import passing_probability
from forecasting.lines import lines_of
from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import SAWTOOTH, Forecast
from mqcap.domain.metric import Direction
from tests import factories
from tests.factories import Line
from tests.forecasting.builders import CUTOFF

UNCHANGED = Correction(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STATED = np.array([0.02, 0.3, 0.5, 0.8, 0.98])
NINETY = np.full(5, 90.0)
PLAIN = ForecastShape(width=0.12, growth=0.0, distance=0.0)


def rising(model: str = "prophet") -> Forecast:
    ahead = np.arange(1, 366)
    middle, half = 50.0 + 0.1 * ahead, np.sqrt(ahead)
    lines = np.column_stack((middle - half, middle, middle + half)).tolist()
    made = factories.forecast(lines=lines, series_id="m/S", cutoff_date=CUTOFF)
    return made.model_copy(update={"model": model})


def shapes(count: int, shape: ForecastShape = PLAIN) -> np.ndarray:
    return np.tile(shape, (count, 1))


def shape_for(
    forecast: Forecast, limit: float, direction: Direction = Direction.upward
) -> ForecastShape:
    lines = lines_of(forecast)
    return shape_of(lines, np.full(len(lines.days), limit), forecast.interval_width, direction)


def of_lines(*lines: Line) -> Forecast:
    return factories.forecast(lines=lines, cutoff_date=CUTOFF)


def dated(forecast: Forecast, limit: float, site_shift: float = 0.0) -> Crossing:
    return crossing_of(
        forecast,
        [],
        limit=limit,
        direction=Direction.upward,
        strict=True,
        rule_id="R",
        unit="%",
        site_shift=site_shift,
    )


def paths_alone(forecast: Forecast, limit: float) -> np.ndarray:
    limits = np.full(365, limit)
    return first_day.first_day_probability(forecast, limits, Direction.upward, strict=True)


def test_figures_of_no_correction_change_nothing() -> None:
    assert corrected(STATED, NINETY, shapes(5), UNCHANGED) == pytest.approx(STATED)


def test_a_slope_below_one_draws_odds_towards_one_half() -> None:
    flatter = corrected(STATED, NINETY, shapes(5), UNCHANGED._replace(slope=0.5))
    assert np.sign(np.round(flatter - STATED, 9)).tolist() == [1, 1, 0, -1, -1]
    assert flatter[3] / (1 - flatter[3]) == pytest.approx(np.sqrt(0.8 / 0.2))


@pytest.mark.parametrize(("days", "sign"), [(89, -1), (90, 0), (91, 1)])
def test_days_ahead_count_from_ninety(days: int, sign: int) -> None:
    figures = UNCHANGED._replace(per_log_days=1.0)
    later = corrected(np.array([0.3]), np.array([float(days)]), shapes(1), figures)
    assert np.sign(round(float(later[0]) - 0.3, 9)) == sign


@pytest.mark.parametrize(
    ("days", "same_as"), [(6, 7), (7, 7), (8, 8), (364, 364), (365, 365), (366, 365), (730, 365)]
)
def test_nearer_and_later_days_than_those_fitted_are_corrected_like_the_nearest(
    days: int, same_as: int
) -> None:
    assert DAYS == (7, 365)
    found, expected = (
        corrected(np.array([0.3]), np.array([float(ahead)]), shapes(1), shipped())
        for ahead in (days, same_as)
    )
    assert found == expected


@pytest.mark.parametrize("days", [1.0, 90.0, 365.0])
def test_what_no_path_or_every_path_does_stays_so(days: float) -> None:
    sure = corrected(np.array([0.0, 1.0]), np.full(2, days), shapes(2), shipped())
    assert sure.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("paths", [1, 599])
def test_what_one_path_does_or_does_not_is_not_certain(paths: int) -> None:
    (found,) = corrected(np.array([paths / 600]), np.array([90.0]), shapes(1), shipped())
    assert 0.01 < found < 0.99


@settings(max_examples=30)
@given(st.integers(0, 2**16), st.integers(1, 300), st.floats(0.12, 0.3))
def test_a_corrected_curve_never_falls_and_stays_a_probability(
    seed: int, first: int, width: float
) -> None:
    steps = np.random.default_rng(seed).dirichlet(np.full(366, 0.1))[:365]
    found = corrected_curve(np.minimum(steps.cumsum(), 1.0), first, ForecastShape(width, -0.1, 6.0))
    assert (np.diff(found) >= 0).all()
    assert found.min() >= 0
    assert found.max() <= 1


@pytest.mark.parametrize("limit", [60.0, 75.0])
def test_dates_and_probabilities_are_read_off_the_corrected_curve(limit: float) -> None:
    forecast = rising()
    curve = corrected_curve(paths_alone(forecast, limit), 1, shape_for(forecast, limit))
    found = dated(forecast, limit)
    assert found.probability_90_days == pytest.approx(curve[89], abs=1e-4)
    for day, share in ((found.earliest_date, 0.1), (found.expected_date, 0.5)):
        assert day == CUTOFF + timedelta(days=int((curve >= share).argmax()) + 1)


def test_a_day_of_a_scenario_counts_from_the_cutoff_not_from_its_start() -> None:
    forecast = rising()
    later = forecast.model_copy(update={"points": forecast.points[40:]})
    limits = np.full(len(later.every_day), 60.0)
    found = passing_probability(later, limits, Direction.upward, strict=True)
    alone = first_day.first_day_probability(later, limits, Direction.upward, strict=True)
    assert found.tolist() == corrected_curve(alone, 41, shape_for(later, 60.0)).tolist()


def test_a_sawtooth_states_what_its_paths_do() -> None:
    found = dated(rising(SAWTOOTH), 60.0)
    alone = paths_alone(rising(), 60.0)
    assert found.probability_90_days == pytest.approx(alone[89], abs=1e-4)
    assert found.probability_90_days != dated(rising(), 60.0).probability_90_days


def test_the_shipped_figures_trust_paths_and_near_days_and_wide_intervals_and_growth_less() -> None:
    assert 0.5 < shipped().slope < 1
    assert 0 < shipped().per_log_days < 1
    assert shipped().per_log_width < 0
    assert shipped().per_growth < 0
    assert shipped().per_distance < 0


@pytest.mark.parametrize(
    ("name", "values"),
    [("width", (0.12, 0.2, 0.3)), ("growth", (-0.1, 0.0, 0.3)), ("distance", (0.0, 1.0, 6.0))],
)
def test_what_is_wider_or_steeper_or_farther_off_is_less_probable(
    name: str, values: tuple[float, ...]
) -> None:
    by_value = [
        corrected(STATED, NINETY, shapes(5, PLAIN._replace(**{name: value})), shipped())
        for value in values
    ]
    assert (np.diff(by_value, axis=0) < 0).all()


@pytest.mark.parametrize(
    ("direction", "width"), [(Direction.upward, 0.2), (Direction.downward, 0.14)]
)
def test_a_width_is_the_deviation_towards_the_limit_by_the_expected_value_of_the_first_days(
    direction: Direction, width: float
) -> None:
    z = NormalDist().inv_cdf(0.9)
    made = of_lines(*[(50 - 7 * z, 50.0, 50 + 10 * z)] * FIRST_DAYS, (0.0, 90.0, 990.0))
    assert shape_for(made, 60.0, direction).width == pytest.approx(width)


@pytest.mark.parametrize(
    ("limit", "direction", "distance"),
    [
        (59.0, Direction.upward, 0.0),
        (60.0, Direction.upward, 0.0),
        (63.0, Direction.upward, 1.5),
        (72.0, Direction.upward, 6.0),
        (73.0, Direction.upward, 6.0),
        (44.0, Direction.downward, 3.0),
    ],
)
def test_a_distance_is_that_of_the_nearest_of_the_first_days_in_deviations(
    limit: float, direction: Direction, distance: float
) -> None:
    z = NormalDist().inv_cdf(0.9)
    days = [(value - 2 * z, value, value + 2 * z) for value in (50.0, 60.0, *[55.0] * 26, 70.0)]
    assert shape_for(of_lines(*days), limit, direction).distance == pytest.approx(distance)


@pytest.mark.parametrize(
    ("sixth_month", "direction", "growth"),
    [
        (60.0, Direction.upward, 0.2),
        (60.0, Direction.downward, -0.1),
        (65.0, Direction.upward, 0.3),
        (66.0, Direction.upward, 0.3),
        (46.0, Direction.upward, -0.08),
        (46.0, Direction.downward, 0.08),
    ],
)
def test_growth_is_from_the_first_to_the_sixth_month_towards_the_limit(
    sixth_month: float, direction: Direction, growth: float
) -> None:
    values = [50.0] * 30 + [55.0] * 120 + [sixth_month] * 30 + [500.0] * 185
    made = of_lines(*[(value - 1, value, value + 1) for value in values])
    assert shape_for(made, 60.0, direction).growth == pytest.approx(growth)


@pytest.mark.parametrize(("count", "growth"), [(89, 0.0), (90, 0.125), (120, 0.125), (365, 0.125)])
def test_growth_of_fewer_days_is_that_of_half_a_year_and_none_below_three_months(
    count: int, growth: float
) -> None:
    values = 80 + (np.arange(365) - 14.5) / 15
    made = of_lines(*[(value - 1, value, value + 1) for value in values[:count]])
    assert shape_for(made, 100.0).growth == pytest.approx(growth)


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ((0.0, 0.0, 0.0), ForecastShape(0.12, 0.0, 6.0)),
        ((-1.0, 0.0, 1.0), ForecastShape(0.3, 0.0, 1.28155)),
    ],
)
def test_a_forecast_of_nothing_has_a_shape(line: Line, shape: ForecastShape) -> None:
    assert shape_for(of_lines(*[line] * 365), 1.0) == pytest.approx(shape, abs=1e-5)


@pytest.mark.parametrize(("shift", "sign"), [(-0.2, -1), (0.0, 0), (0.2, 1)])
def test_the_shift_of_a_site_moves_probabilities_and_dates_of_one_curve(
    shift: float, sign: int
) -> None:
    forecast = rising()
    curve = corrected_curve(paths_alone(forecast, 75.0), 1, shape_for(forecast, 75.0), shift)
    plain, found = dated(forecast, 75.0), dated(forecast, 75.0, shift)
    assert found.probability_90_days == pytest.approx(curve[89], abs=1e-4)
    assert np.sign((found.probability_90_days or 0.0) - (plain.probability_90_days or 0.0)) == sign
    assert found.expected_date == CUTOFF + timedelta(days=int((curve >= 0.5).argmax()) + 1)
    assert plain.expected_date and found.expected_date
    assert np.sign((plain.expected_date - found.expected_date).days) == sign
    assert (np.diff(curve) >= 0).all()


def test_the_shift_of_a_site_is_added_to_log_odds_and_leaves_what_is_certain() -> None:
    stated = np.array([0.0, 0.4, 1.0])
    found = corrected(stated, np.full(3, 90.0), shapes(3), UNCHANGED, 0.3)
    odds = np.log(0.4 / 0.6) + 0.3
    assert found.tolist() == [0.0, pytest.approx(1 / (1 + np.exp(-odds))), 1.0]


def test_the_shift_of_a_site_leaves_sawteeth_and_passed_limits() -> None:
    assert dated(rising(SAWTOOTH), 60.0, 0.3) == dated(rising(SAWTOOTH), 60.0)
    assert dated(rising(), 60.0, 0.3) != dated(rising(), 60.0)
    passed = [
        crossing_of(
            rising(),
            [(CUTOFF, 61.0)],
            limit=60.0,
            direction=Direction.upward,
            strict=True,
            rule_id="R",
            unit="%",
            site_shift=shift,
        )
        for shift in (0.0, 0.3)
    ]
    assert passed[0] == passed[1]
    assert passed[0].probability_30_days == 1.0
