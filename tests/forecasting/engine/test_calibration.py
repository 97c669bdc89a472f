"""Calibration of prediction intervals."""

from __future__ import annotations

import numpy as np
import pytest

from forecasting.engine.calibration import Calibration, Mixed, calibrate, interval
from forecasting.engine.selection import Choice
from forecasting.history import FloatArray


def _mixed(errors: FloatArray, path: float = 100.0) -> Mixed:
    steps = errors.shape[1]
    weights = Choice(np.array([1.0]))
    return Mixed(np.full(steps, path), errors, 1.0, 0.0, np.inf, weights, len(errors))


def test_the_interval_has_the_coverage_of_past_errors() -> None:
    rng = np.random.default_rng(8)
    growth = np.sqrt(np.arange(1, 21))
    items = [_mixed(size * growth * rng.normal(0, 1, (5, 20))) for size in rng.uniform(1, 9, 80)]
    shared = calibrate(items, 20)
    inside = []
    for item in items:
        lower, upper = interval(item, shared)
        new = item.path + np.abs(item.errors).mean() / growth.mean() * 1.25 * growth * (
            rng.normal(0, 1, 20)
        )
        inside.append(((new >= lower) & (new <= upper)).mean())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)


def test_a_class_without_backtests_gets_a_normal_interval() -> None:
    shared = calibrate([_mixed(np.full((0, 4), np.nan))], 4)
    assert isinstance(shared, Calibration)
    lower, upper = interval(_mixed(np.full((0, 4), np.nan)), shared)
    assert upper - 100 == pytest.approx(1.96 * np.sqrt(np.arange(1, 5)))
    assert (lower < 100).all()


def test_an_interval_stays_above_zero() -> None:
    shared = Calibration(np.ones(4), -500.0, 500.0, 1.0)
    lower, upper = interval(_mixed(np.ones((3, 4))), shared)
    assert lower.tolist() == [0, 0, 0, 0]
    assert (upper > 100).all()
