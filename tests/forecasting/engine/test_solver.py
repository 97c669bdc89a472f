"""The fast optimum is Prophet's own: same columns, same objective, nothing left for Stan."""

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from prophet import Prophet

from forecasting.engine.design import TREND_COLUMNS, Design, changepoints, design, fourier
from forecasting.engine.solver import SIGMA_PRIOR_SD, Fit, Moments, solve

pytestmark = pytest.mark.thorough

FIDELITY = 1e-6
"""Largest allowed move of a fitted value, as a share of the scale."""


def _values(kind: str, count: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(len(kind) + count)
    time = np.arange(count)
    shapes: dict[str, NDArray[np.float64]] = {
        "flat": 50 + rng.normal(0, 2, count),
        "growing": 10 + 0.05 * time + 2 * (time % 7 < 5) + rng.normal(0, 0.5, count),
        "bending": 10 + 0.1 * np.abs(time - count / 2) + rng.normal(0, 1, count),
        "stepped": np.where(time > count // 3, 40.0, 20.0) + rng.normal(0, 1, count),
        "noisy": rng.lognormal(0, 1, count),
        "gappy": np.where(time % 11 == 3, np.nan, 5 + 0.01 * time + rng.normal(0, 0.2, count)),
        "clean": np.asarray(5 + 0.01 * time + np.sin(2 * np.pi * time / 7), dtype=np.float64),
    }
    return shapes[kind]


class Case:
    """A series, as Prophet prepares it and as we do."""

    def __init__(self, kind: str, count: int, tau: float) -> None:
        values = _values(kind, count)
        days = pd.date_range("2024-03-01", periods=count)
        self.frame = pd.DataFrame({"ds": days, "y": values})
        self.prophet: Any = Prophet(
            changepoint_prior_scale=tau,
            weekly_seasonality=3,
            yearly_seasonality=False,
            daily_seasonality=False,
            uncertainty_samples=0,
        )
        self.inputs = self.prophet.preprocess(self.frame)
        observed = np.flatnonzero(np.isfinite(values)).astype(np.float64)
        times = (observed - observed[0]) / (observed[-1] - observed[0])
        steps = (days - pd.Timestamp("1970-01-01")).days.to_numpy(dtype=np.float64)
        self.plan = design(
            observed,
            count,
            changepoints(times, 25, 0.8),
            fourier(steps, 7, 3),
            np.full(6, 10),
        )
        self.scale = float(np.nanmax(np.abs(values)))
        seen = np.isfinite(values)
        rows, target = self.plan.columns[seen], (values / self.scale)[seen]
        self.data = Moments(rows.T @ rows, target @ rows, float(target @ target), len(target))
        self.tau = tau
        self.observed = observed.astype(int)


def objective(plan: Design, data: Moments, tau: float, fit: Fit) -> float:
    """Negative log posterior up to a constant, as Stan computes it."""
    slopes = fit.coefficients[TREND_COLUMNS : TREND_COLUMNS + plan.ramp_count]
    fitted = fit.coefficients @ (data.gram @ fit.coefficients)
    residual = max(float(data.square - 2 * data.cross @ fit.coefficients + fitted), 0.0)
    return float(
        residual / (2 * fit.sigma**2)
        + 0.5 * plan.precision @ fit.coefficients**2
        + np.abs(slopes).sum() / tau
        + data.count * np.log(fit.sigma)
        + fit.sigma**2 / (2 * SIGMA_PRIOR_SD**2)
    )


def _restarted(case: Case, fit: Fit) -> Fit:
    """Stan's optimiser started at our optimum."""
    ramps = case.plan.ramp_count
    start = {
        "k": fit.coefficients[0],
        "m": fit.coefficients[1],
        "delta": fit.coefficients[2 : 2 + ramps],
        "beta": fit.coefficients[2 + ramps :],
        "sigma_obs": fit.sigma,
    }
    backend = case.prophet.stan_backend
    fitted = backend.fit(start, dataclasses.asdict(case.inputs), algorithm="LBFGS", iter=2000)
    backend.cleanup()
    parts = [np.ravel(fitted[name]) for name in ("k", "m", "delta", "beta")]
    return Fit(np.concatenate(parts), float(np.ravel(fitted["sigma_obs"])[0]))


CASES = [
    ("flat", 400, 0.05),
    ("growing", 730, 0.05),
    ("growing", 120, 0.5),
    ("bending", 500, 0.05),
    ("stepped", 365, 0.5),
    ("stepped", 365, 0.005),
    ("noisy", 300, 0.05),
    ("gappy", 365, 0.05),
]


@pytest.mark.parametrize(("kind", "count", "tau"), CASES)
def test_the_columns_are_those_of_prophet(kind: str, count: int, tau: float) -> None:
    case = Case(kind, count, tau)
    rows = case.plan.columns[case.observed]
    assert rows[:, 0] == pytest.approx(np.asarray(case.inputs.t))
    assert rows[:, 2 + case.plan.ramp_count :] == pytest.approx(np.asarray(case.inputs.X), abs=1e-9)
    ramps = np.clip(
        np.asarray(case.inputs.t)[:, None] - np.asarray(case.inputs.t_change)[None, :], 0, None
    )
    assert rows[:, 2 : 2 + case.plan.ramp_count] == pytest.approx(ramps)


@pytest.mark.parametrize(("kind", "count", "tau"), CASES)
def test_restarting_stan_at_the_optimum_moves_nothing(kind: str, count: int, tau: float) -> None:
    case = Case(kind, count, tau)
    fit = solve(case.plan, case.data, tau)
    again = _restarted(case, fit)
    moved = np.abs(case.plan.columns @ (again.coefficients - fit.coefficients)).max()
    assert moved < FIDELITY
    ours = objective(case.plan, case.data, tau, fit)
    assert ours <= objective(case.plan, case.data, tau, again) + FIDELITY


def test_a_noiseless_series_is_fitted_and_ends() -> None:
    case = Case("clean", 200, 0.05)
    fit = solve(case.plan, case.data, 0.05)
    fitted = case.plan.columns @ fit.coefficients * case.scale
    assert fitted == pytest.approx(_values("clean", 200), abs=1e-3)
