"""Prophet as it comes, for comparison on the same machine."""

from __future__ import annotations

import logging
import time

import numpy as np
import pandas as pd
from cmdstanpy.utils import get_logger
from prophet import Prophet

from devtools.benchmarks.forecast.measures import PROBABILITY_DAYS
from forecasting.engine.build import series_of
from forecasting.engine.design import changepoints, design
from forecasting.engine.gram import gram_of
from forecasting.engine.kinds import DAILY
from forecasting.engine.passage import rolling_week
from forecasting.engine.solver import solve
from forecasting.interval import trend_cumulants

STEPS = {"h": "h", "d": "D", "w": "7D"}


def prophet_frame(history: pd.DataFrame, horizon: int, freq: str) -> pd.DataFrame:
    """Forecasts of Prophet's defaults with a 95 % interval."""
    get_logger().setLevel(logging.ERROR)
    np.random.seed(1)  # noqa: NPY002 - Prophet draws from the global generator
    blocks = []
    for name, group in history.groupby("unique_id"):
        model = Prophet(interval_width=0.95).fit(group[["ds", "y"]])
        future = model.make_future_dataframe(horizon, freq=STEPS[freq], include_history=False)
        prediction = model.predict(future)
        renamed = prediction.rename(columns={"yhat_lower": "lo", "yhat_upper": "hi"})
        blocks.append(renamed[["ds", "yhat", "lo", "hi"]].assign(unique_id=name))
    return pd.concat(blocks, ignore_index=True)


def prophet_crossings(history: pd.DataFrame, limits: pd.DataFrame) -> pd.DataFrame:
    """Crossings of Prophet's defaults from its own simulated paths of the 7-day mean."""
    get_logger().setLevel(logging.ERROR)
    np.random.seed(1)  # noqa: NPY002 - Prophet draws from the global generator
    past = dict(iter(history.groupby("unique_id")))
    rows = []
    for name, threshold, origin in limits[["unique_id", "threshold", "origin"]].itertuples(
        index=False
    ):
        observed = past[name][["ds", "y"]].dropna()
        model = Prophet(uncertainty_samples=300).fit(observed)
        days = pd.date_range(pd.Timestamp(origin) + pd.Timedelta(days=1), periods=365)
        paths = model.predictive_samples(pd.DataFrame({"ds": days}))["yhat"].T
        before = observed["y"].to_numpy(dtype=np.float64)[-6:]
        weeks = np.array([rolling_week(before, path) for path in paths])
        share = np.maximum.accumulate(weeks >= threshold, axis=1).mean(axis=0)
        quantile_days = [
            days[(share >= q).argmax()] if share[-1] >= q else None for q in (0.1, 0.5, 0.9)
        ]
        probabilities = [share[ahead - 1] for ahead in PROBABILITY_DAYS]
        rows.append([name, threshold, *quantile_days, *probabilities])
    names = [f"prob_{ahead}" for ahead in PROBABILITY_DAYS]
    return pd.DataFrame(rows, columns=["unique_id", "threshold", "p10", "p50", "p90", *names])


def fast_path_ratio(count: int = 730, horizon: int = 180, repeats: int = 5) -> dict[str, float]:
    """Milliseconds per daily series, fit and interval, for Prophet and for the exact solver."""
    rng = np.random.default_rng(2)
    days = pd.date_range("2024-01-01", periods=count)
    series = [
        50 + slope * np.arange(count) + 3 * (np.arange(count) % 7 < 5) + rng.normal(0, 1, count)
        for slope in rng.normal(0, 0.02, repeats)
    ]
    get_logger().setLevel(logging.ERROR)
    start = time.perf_counter()
    for values in series:
        model = Prophet(yearly_seasonality=False).fit(pd.DataFrame({"ds": days, "y": values}))
        model.predict(model.make_future_dataframe(horizon, include_history=False))
    theirs = (time.perf_counter() - start) / repeats
    start = time.perf_counter()
    for values in series * 20:
        _fast(values, days[0].to_datetime64(), horizon)
    mine = (time.perf_counter() - start) / repeats / 20
    return {"prophet_ms": theirs * 1e3, "exact_ms": mine * 1e3, "ratio": theirs / mine}


def _fast(
    values: np.ndarray[tuple[int], np.dtype[np.float64]], first: np.datetime64, horizon: int
) -> object:
    count = len(values)
    features = series_of(values, first, DAILY, horizon).plain
    positions = np.arange(count, dtype=np.float64)
    bends = changepoints(positions / (count - 1), 25, 0.8)
    plan = design(positions, count + horizon, bends, features.columns, features.priors)
    scale = np.abs(values).max()
    seen = np.isfinite(values)
    fit = solve(plan, gram_of(plan, seen).moments(values[seen] / scale), 0.05)
    line = plan.columns[count:] @ fit.coefficients
    slopes = fit.coefficients[2 : 2 + len(bends)]
    ahead = np.arange(1, horizon + 1) / (count - 1)
    return line, trend_cumulants(ahead, float(len(bends)), float(np.abs(slopes).mean()), fit.sigma)
