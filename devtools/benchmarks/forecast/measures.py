"""The measures of the M4 competition and of dated threshold crossings."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from forecasting.arrays import BoolArray, FloatArray
from forecasting.backtest import smape_pct

WORSE = 1.15
"""OWA above which a series counts as worse than naive (ours)."""
SEASON_QUANTILE: Final = 1.645
"""Normal quantile of the test of a season at 90 %."""
ALERT = 0.5
"""Probability of a crossing within ``ALERT_DAYS`` from which a limit is alerted."""
ALERT_DAYS = 90


class Accuracy(NamedTuple):
    """Means over series; ``owa`` is relative to Naive2.

    ``worse_ratio`` is the share of series whose own OWA is above ``WORSE``.
    """

    owa: float
    smape_pct: float
    mase: float
    msis: float
    coverage_ratio: float
    worse_ratio: float


class Alerts(NamedTuple):
    """Share of crossings without an alert, of alerts without a crossing, and F1 of both."""

    missed: float
    false_alarm: float
    f1: float


def accuracy(
    history: pd.DataFrame, truth: pd.DataFrame, forecasts: pd.DataFrame, period: int
) -> Accuracy:
    """Score ``forecasts`` (``yhat, lo, hi``) against ``truth``, series by series."""
    past = dict(iter(history.groupby("unique_id")["y"]))
    by_series = dict(iter(forecasts.groupby("unique_id")))
    rows = []
    for name, group in truth.groupby("unique_id"):
        before, actual = past[name].to_numpy(float), group["y"].to_numpy(float)
        mine = by_series[name]
        scale = np.abs(before[period:] - before[:-period]).mean()
        reference = adjusted_naive(before, period, len(actual))
        rows.append(_scored(actual, mine, reference, scale))
    smape, mase, smape2, mase2, msis, inside, worse = np.mean(rows, axis=0)
    return Accuracy((smape / smape2 + mase / mase2) / 2, smape, mase, msis, inside, worse)


def _scored(
    actual: FloatArray, mine: pd.DataFrame, reference: FloatArray, scale: float
) -> tuple[float, ...]:
    path, low, high = (mine[name].to_numpy(float)[: len(actual)] for name in ("yhat", "lo", "hi"))
    outside = np.clip(low - actual, 0, None) + np.clip(actual - high, 0, None)
    errors, naive = (
        np.array([smape_pct(actual, line), np.abs(actual - line).mean() / scale])
        for line in (path, reference)
    )
    ratios = np.divide(errors, naive, out=np.where(errors > 0, np.inf, 1.0), where=naive > 0)
    return (
        *errors,
        *naive,
        float((high - low + 40 * outside).mean() / scale),
        float((outside == 0).mean()),
        float(ratios.mean() > WORSE),
    )


def alerts(stated: FloatArray, came: BoolArray) -> Alerts:
    """Score alerts, given for a limit whose probability within ``ALERT_DAYS`` is ``ALERT`` or more.

    A share of nothing is zero.
    """
    alarm = stated >= ALERT
    hits, alarms, crossed = (float(part.sum()) for part in (alarm & came, alarm, came))
    return Alerts(
        missed=(crossed - hits) / max(crossed, 1.0),
        false_alarm=(alarms - hits) / max(alarms, 1.0),
        f1=2 * hits / max(alarms + crossed, 1.0),
    )


def reliability(stated: FloatArray, came: FloatArray) -> pd.DataFrame:
    """Return mean stated probability, observed frequency and share of all cases, by tenth."""
    frame = pd.DataFrame({"stated": stated, "came": came.astype(float)})
    bins = np.minimum((frame["stated"] * 10).astype(int), 9)
    table = frame.groupby(bins).mean()
    return table.assign(share=frame.groupby(bins).size() / len(frame))


def adjusted_naive(values: FloatArray, period: int, horizon: int) -> FloatArray:
    """The last value, seasonally adjusted where there is a season: the reference of M4 (Naive2).

    A season is there if the autocorrelation at lag ``period`` passes the test at 90 %; its
    indexes are those of the multiplicative classical decomposition. The last value itself where
    they are not defined, as for zeros.
    """
    level = filled_forward(values)
    index = _seasonal_index(level, period) if _has_season(level, period) else None
    if index is None:
        return np.full(horizon, level[-1])
    last = level[-1] / index[(len(level) - 1) % period]
    return np.asarray(last * np.resize(np.roll(index, -(len(level) % period)), horizon))


def _has_season(values: FloatArray, period: int) -> bool:
    if period == 1 or len(values) < 3 * period or np.ptp(values) == 0:
        return False
    centred = values - values.mean()
    lags = [centred[lag:] @ centred[:-lag] for lag in range(1, period + 1)]
    correlation = np.array(lags) / (centred @ centred)
    limit = SEASON_QUANTILE * np.sqrt((1 + 2 * np.square(correlation[:-1]).sum()) / len(values))
    return bool(np.abs(correlation[-1]) > limit)


def _seasonal_index(values: FloatArray, period: int) -> FloatArray | None:
    """Mean ratio of each slot to the centred moving mean, 1 on average; ``None`` if undefined."""
    kernel = np.ones(period) / period
    if period % 2 == 0:
        kernel = np.concatenate([[0.5], np.ones(period - 1), [0.5]]) / period
    trend = np.convolve(values, kernel, "valid")
    offset = (len(values) - len(trend)) // 2
    if (trend == 0).any():
        return None
    slots = (np.arange(len(trend)) + offset) % period
    ratios = values[offset : offset + len(trend)] / trend
    index = np.bincount(slots, ratios, period) / np.bincount(slots, minlength=period)
    if not np.isfinite(index).all() or (index == 0).any():
        return None
    return np.asarray(index / index.mean(), dtype=np.float64)


def filled_forward(values: FloatArray) -> FloatArray:
    """NaN replaced by the value before it; leading ones by the first value."""
    seen = np.isfinite(values)
    if seen.all():
        return values
    last = np.maximum.accumulate(np.where(seen, np.arange(len(values)), -1))
    first = int(seen.argmax())
    return np.asarray(values[np.where(last < 0, first, last)])
