"""Calibration of prediction intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.engine.calibration import (
    FEWEST_ORIGINS,
    Calibration,
    calibrate,
    calibration_of,
    calibrations,
    interval,
    standardised,
    tails,
)
from forecasting.engine.kinds import DAILY, SHORT_HOURLY
from forecasting.engine.mixing import Mixed
from forecasting.engine.pooled import pooled_figures, untested_figures

UNTRIED: Final = np.full((0, 4), np.nan)
RNG: Final = np.random.default_rng(8)


def _mixed(errors: FloatArray, path: float = 100.0) -> Mixed:
    return Mixed(
        kind=DAILY,
        seen=(np.inf, -np.inf),
        path=np.full(errors.shape[1], path),
        errors=errors,
        naive_scale=1.0,
        low=0.0,
        high=np.inf,
    )


def test_the_interval_has_the_coverage_of_past_errors() -> None:
    growth = np.sqrt(np.arange(1, 21))
    items = [_mixed(size * growth * RNG.normal(0, 1, (5, 20))) for size in RNG.uniform(1, 9, 80)]
    shared = calibrate(items, 20)
    inside = []
    for item in items:
        lower, upper = interval(item, shared)
        new = item.path + np.abs(item.errors).mean() / growth.mean() * 1.25 * growth * (
            RNG.normal(0, 1, 20)
        )
        inside.append(((new >= lower) & (new <= upper)).mean())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)


def test_a_class_with_few_backtests_gets_the_pooled_figures() -> None:
    row = pooled_figures("D")
    shared = calibrations([_mixed(np.ones((1, 4)))], 4)
    of_one = calibration_of(_mixed(np.ones((1, 4))), shared)
    assert (of_one.lower, of_one.upper, of_one.own_to_naive) == row[4:7]
    assert of_one.profile == pytest.approx(np.arange(1, 5) ** row.growth_power)


def test_a_series_without_a_backtest_gets_the_figures_of_such_forecasts() -> None:
    """However much is known of the other series of its kind."""
    row = untested_figures("D")
    assert row is not None
    known = [_mixed(RNG.normal(0, 1, (FEWEST_ORIGINS, 4))), _mixed(UNTRIED)]
    lower, upper = interval(known[1], calibration_of(known[1], calibrations(known, 4)))
    growth = np.arange(1, 5) ** row.growth_power
    assert upper - 100 == pytest.approx(row.upper * growth)
    assert lower - 100 == pytest.approx(row.lower * growth)


@pytest.mark.parametrize(
    ("origins", "own"),
    [(FEWEST_ORIGINS - 1, False), (FEWEST_ORIGINS, True), (FEWEST_ORIGINS + 1, True)],
)
def test_the_own_errors_of_a_file_count_from_a_number_of_origins_on(
    origins: int, own: bool
) -> None:
    shared = calibrate([_mixed(RNG.normal(0, 1, (origins, 4)))], 4)
    assert (shared.upper != pooled_figures("D").upper) is own


def test_hours_without_a_backtest_have_the_figures_of_their_kind() -> None:
    short = replace(_mixed(UNTRIED), kind=SHORT_HOURLY)
    shared = calibrations([short], 4)
    assert calibration_of(short, shared) is shared["short_hourly"]


def test_few_origins_widen_what_holds_95_percent() -> None:
    errors = np.linspace(-1, 1, 1001)
    assert tails(errors, FEWEST_ORIGINS) == pytest.approx((-1.0, 1.0))
    assert tails(errors, 78) == pytest.approx((-0.975, 0.975))
    assert tails(errors, 10**6) == pytest.approx((-0.95, 0.95), abs=1e-5)


def test_a_narrower_interval_leaves_the_share_beyond_its_ends_that_was_asked_for() -> None:
    errors = np.linspace(-1, 1, 2_001)
    assert tails(errors, 10**6, 0.1) == pytest.approx((-0.8, 0.8), abs=1e-5)


def test_each_kind_has_a_calibration_of_its_own() -> None:
    short = replace(_mixed(UNTRIED), kind=SHORT_HOURLY)
    shared = calibrations([short, _mixed(UNTRIED)], 4)
    assert shared["short_hourly"].upper == pooled_figures("h").upper
    assert shared["daily"].upper == pooled_figures("D").upper


def test_an_interval_stays_above_zero() -> None:
    shared = Calibration(np.ones(4), -500.0, 500.0, 1.0)
    lower, upper = interval(_mixed(np.ones((3, 4))), shared)
    assert lower.tolist() == [0, 0, 0, 0]
    assert (upper > 100).all()


def test_a_past_without_an_error_gives_no_narrow_interval() -> None:
    shared = Calibration(np.ones(4), -2.0, 2.0, 1.0)
    lower, upper = interval(_mixed(np.zeros((5, 4))), shared)
    assert (upper - lower).tolist() == pytest.approx([4 * 0.1**0.7] * 4)


def test_the_interval_holds_what_was_seen_of_a_series_that_stands_still() -> None:
    shared = Calibration(np.ones(4), -2.0, 2.0, 1.0)
    lower, upper = interval(replace(_mixed(np.zeros((5, 4))), seen=(3.0, 900.0)), shared)
    assert (lower.max(), upper.min()) == (3.0, 900.0)


def test_an_origin_is_measured_by_the_others() -> None:
    errors = np.array([[8.0], [1.0], [1.0]])
    calm = standardised(_mixed(errors), 1.0)[0, 0]
    assert calm == pytest.approx(8.0)
