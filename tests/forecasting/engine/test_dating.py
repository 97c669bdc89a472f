"""Dates of crossings: the expected path, its past errors, and the probability of a day."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecasting.arrays import FloatArray
from forecasting.engine.build import series_of
from forecasting.engine.dating import (
    HISTORY_POWER,
    LONGEST_BACKTEST,
    ORIGIN_COUNT,
    SHARP_SPREAD,
    Outlook,
    _log_week,
    _week_noise,
    class_profile,
    class_profiles,
    history_factor,
    outlook,
    passage,
    passages,
)
from forecasting.engine.kinds import LONG_DAILY
from forecasting.engine.passage import WINDOW, first_passage
from forecasting.engine.selection import Choice
from forecasting.engine.smoothing import recursion

START: Final = np.datetime64("2025-01-01")
UNKNOWN: Final = np.full((ORIGIN_COUNT, LONGEST_BACKTEST), np.nan)
DAYS: Final = np.arange(1, 366)
PROFILE: Final = 0.02 * np.sqrt(DAYS)


def made(**changed: Any) -> Outlook:
    """Return a level path without past errors."""
    values: dict[str, Any] = {
        "centre": np.zeros(len(DAYS)),
        "errors": UNKNOWN,
        "disagreement": np.zeros(len(DAYS)),
        "choice": Choice(np.array([1.0])),
        "history_days": 540,
    }
    return Outlook(**(values | changed))


def history(count: int, growth_per_year: float = 0.0) -> FloatArray:
    days = np.arange(count)
    noise = np.random.default_rng(3).normal(0, 0.01, count)
    return np.asarray(100 * np.exp(growth_per_year * days / 365 + noise))


def test_each_origin_is_compared_until_the_end_of_the_history() -> None:
    seen = outlook(series_of(history(400), START, LONG_DAILY, 365))
    compared = [*range(15, 181, 15), *[180] * 8]
    assert np.isfinite(seen.errors).sum(axis=1).tolist() == compared


@pytest.mark.parametrize(("count", "origins"), [(104, 0), (105, 1), (119, 1), (120, 2)])
def test_an_origin_leaves_ninety_days_of_history(count: int, origins: int) -> None:
    seen = outlook(series_of(history(count), START, LONG_DAILY, 30), horizon=30)
    assert seen.errors.shape == (origins, LONGEST_BACKTEST)


def test_growth_continues_and_its_limit_is_dated() -> None:
    seen = outlook(series_of(history(400, growth_per_year=0.4), START, LONG_DAILY, 365))
    true_day = np.log(1.8) * 365 / 0.4 - 400 + 3  # the mean of seven days is three days behind
    reached = passage(seen, class_profile([seen]), 180.0)
    assert reached.quantile_day(0.5) == pytest.approx(true_day, abs=25)


def test_the_noise_of_a_level_series_is_that_of_its_seven_day_mean() -> None:
    seen = outlook(series_of(history(400), START, LONG_DAILY, 30), horizon=30)
    assert seen.noise == pytest.approx(0.01 / np.sqrt(7), rel=0.2)


@pytest.mark.parametrize("growth_per_day", [0.0, 0.002])
@pytest.mark.parametrize("memory", [0.0, 0.7])
def test_noise_is_what_comes_and_goes_within_weeks_whatever_the_growth(
    growth_per_day: float, memory: float
) -> None:
    random = np.random.default_rng(1)
    level = np.log(100) + growth_per_day * np.arange(400)
    ratios = []
    for _ in range(40):
        shocks = random.normal(0, 0.1 * np.sqrt(1 - memory**2), 400)
        noise = recursion(np.array([memory]), shocks[:, np.newaxis])[:, 0]
        week = _log_week(np.exp(level + noise)[:WINDOW], np.exp(level + noise)[WINDOW:])
        deviation = np.std((week - level[WINDOW:])[WINDOW:])
        ratios.append(_week_noise(np.exp(level + noise)) / deviation)
    assert 0.75 < np.mean(ratios) < 0.95


def test_an_outlook_seen_later_has_lost_the_days_that_have_passed() -> None:
    item = made(centre=np.arange(365.0), disagreement=2 * np.arange(365.0))
    later = item.after(30)
    assert (later.centre[0], later.disagreement[0], len(later.centre)) == (30, 60, 335)
    assert later.errors is item.errors


def test_without_back_tests_the_error_of_a_class_is_a_stated_curve() -> None:
    assert class_profile([], 4) == pytest.approx(0.03 + 0.015 * np.sqrt([1, 2, 3, 4]))


def pooled(days_known: int, series: int = 5, power: float = 0.5) -> list[Outlook]:
    """Return outlooks whose errors grow by a power of the days, alternating in sign."""
    sizes = 0.01 * np.arange(1, LONGEST_BACKTEST + 1) ** power
    sizes[days_known:] = np.nan
    signs = np.array([1, -1] * (ORIGIN_COUNT // 2))[:, None]
    return [made(errors=signs * sizes) for _ in range(series)]


@pytest.mark.parametrize(("days_known", "estimated"), [(59, False), (60, True)])
def test_a_class_needs_errors_of_sixty_days(days_known: int, estimated: bool) -> None:
    profile = class_profile(pooled(days_known))
    assert profile[0] == pytest.approx(0.01 if estimated else 0.045)


@pytest.mark.parametrize(("series", "estimated"), [(3, False), (4, True)])
def test_a_day_needs_the_errors_of_four_series(series: int, estimated: bool) -> None:
    assert class_profile(pooled(180, series))[0] == pytest.approx(0.01 if estimated else 0.045)


@pytest.mark.parametrize(("power", "used"), [(0.2, 0.5), (0.7, 0.7), (1.5, 1.0)])
def test_beyond_the_back_test_errors_grow_by_their_own_power_within_bounds(
    power: float, used: float
) -> None:
    profile = class_profile(pooled(180, power=power))
    assert profile[359] / profile[269] == pytest.approx((360 / 270) ** used, rel=1e-6)


@pytest.mark.thorough
@given(st.integers(0, 2**16))
def test_the_error_of_a_class_never_falls_with_the_days_ahead(seed: int) -> None:
    rng = np.random.default_rng(seed)
    items = [made(errors=rng.normal(0, 0.1, (ORIGIN_COUNT, LONGEST_BACKTEST))) for _ in range(5)]
    profile = class_profile(items)
    assert (np.diff(profile) >= 0).all()
    assert (profile > 0).all()


@pytest.mark.parametrize(
    ("history_days", "ratio"), [(540, 1.0), (270, 2.0), (240, 2.25), (30, 2.25)]
)
def test_a_short_history_has_the_larger_errors_of_its_class(
    history_days: int, ratio: float
) -> None:
    """Of its own errors it has none: before, it had those of all lengths."""
    plain = passage(made(), PROFILE * ratio**HISTORY_POWER, 1.2)
    short = passage(made(history_days=history_days), PROFILE, 1.2)
    assert short.probability == pytest.approx(plain.probability, abs=0.004)


def test_errors_of_short_and_long_histories_give_the_profile_of_the_usual_length() -> None:
    usual = pooled(180)
    items = [
        replace(item, errors=item.errors * history_factor(days), history_days=days)
        for item, days in zip(usual, (240, 365, 540, 730, 900), strict=True)
    ]
    assert class_profile(items) == pytest.approx(class_profile(usual))


def test_the_largest_two_percent_of_errors_do_not_widen_the_class() -> None:
    items = pooled(180, series=20)
    items[0].errors[0] *= 1e3
    assert class_profile(items)[0] == pytest.approx(0.01)


def test_a_series_without_past_errors_has_those_of_its_class() -> None:
    plain = first_passage(made().centre, PROFILE, np.log(1.2))
    assert passage(made(), PROFILE, 1.2).probability.tolist() == plain.probability.tolist()


@pytest.mark.parametrize(("own", "sign"), [(0.5, -1), (2.0, 1)])
def test_the_errors_of_a_series_move_its_probability_to_its_own(own: float, sign: int) -> None:
    """A median of squares is smaller than its mean by the median of chi square."""
    usual = np.sqrt(0.455)
    errors = own * usual * np.tile(PROFILE[:LONGEST_BACKTEST], (ORIGIN_COUNT, 1))
    plain = passage(made(), PROFILE, 1.5).within(365)
    assert sign * (passage(made(errors=errors), PROFILE, 1.5).within(365) - plain) > 0.01
    same = passage(made(errors=errors / own), PROFILE, 1.5).within(365)
    assert same == pytest.approx(plain, abs=1e-3)


def test_candidates_that_disagree_widen_the_distribution() -> None:
    apart = made(disagreement=np.full(len(DAYS), 0.04))
    assert passage(apart, PROFILE, 1.5).within(365) > passage(made(), PROFILE, 1.5).within(365)


def test_a_limit_that_is_lowered_later_is_reached_from_that_day_on() -> None:
    limit = np.where(DAYS < 100, 1.5, 0.5)
    certain = passage(made(), np.full(len(DAYS), 1e-9), limit)
    assert certain.quantile_day(0.5) == 100


def test_a_downward_limit_is_reached_from_above() -> None:
    certain = np.full(len(DAYS), 1e-9)
    assert passage(made(), certain, 0.9, upward=False).within(365) == 0
    assert passage(made(), certain, 1.1, upward=False).within(1) == 1


def test_sharp_paths_have_half_of_the_spread_and_no_growth_where_there_is_no_year() -> None:
    flat = made(centre=np.full(len(DAYS), 0.1), errors=pooled(180)[0].errors)
    items = [made(flat=flat) for _ in range(5)]
    profiles = class_profiles(items)
    assert profiles.mixed.tolist() == class_profile(items).tolist()
    assert profiles.sharp.tolist() == class_profile([flat] * 5).tolist()
    stated, sharp = passages(items[0], profiles, 1.2)
    expected = passage(flat, profiles.sharp, 1.2, spread_share=SHARP_SPREAD)
    assert sharp.probability.tolist() == expected.probability.tolist()
    assert stated.probability.tolist() == passage(made(), profiles.mixed, 1.2).probability.tolist()


def test_sharp_paths_follow_the_mix_where_growth_is_known() -> None:
    stated, sharp = passages(made(), class_profiles([made()]), 1.2)
    assert 0 < sharp.within(365) < stated.within(365) < 0.5


@pytest.mark.parametrize(("count", "has_year"), [(219, False), (220, True)])
def test_growth_is_separable_from_the_season_of_the_year_from_seven_months_on(
    count: int, has_year: bool
) -> None:
    seen = outlook(series_of(history(count, 0.4), START, LONG_DAILY, 365))
    assert (seen.flat is None) is has_year
    assert seen.sharp.centre[-1] - seen.centre[-1] < (1e-9 if has_year else -0.1)
    assert seen.sharp.noise == seen.noise


def test_what_has_no_growth_is_seen_later_too() -> None:
    later = made(flat=made(centre=DAYS.astype(float))).after(5)
    assert later.flat is not None
    assert later.flat.centre.tolist() == DAYS[5:].tolist()
