"""The measures of the M4 competition and of dated threshold crossings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from forecasting.arrays import BoolArray, FloatArray
from forecasting.backtest import smape_pct
from forecasting.engine.levels import adjusted_naive

PROBABILITY_DAYS = (30, 60, 90, 180)
CAP_DAYS = 366
WORSE = 1.15
"""OWA above which a series counts as worse than naive (ours)."""
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


class Dating(NamedTuple):
    """Accuracy of the dates of crossings."""

    median_error_days: float
    within_14: float
    within_30: float
    brier: float
    ece: float
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


def dating(truth: pd.DataFrame, crossings: pd.DataFrame) -> tuple[Dating, pd.DataFrame]:
    """Score dates and probabilities; the second result is the reliability table."""
    joined = crossings.merge(truth[["unique_id", "origin", "days"]], on="unique_id")
    days = joined["days"].to_numpy(float)
    ahead = (pd.to_datetime(joined["p50"]) - pd.to_datetime(joined["origin"])).dt.days
    errors = np.abs(ahead.fillna(CAP_DAYS).to_numpy(float) - days)[days <= 180]
    stated = joined[[f"prob_{limit}" for limit in PROBABILITY_DAYS]].fillna(0.0).to_numpy(float)
    came = np.array([days <= limit for limit in PROBABILITY_DAYS]).T
    table = reliability(stated.ravel(), came.ravel())
    at = PROBABILITY_DAYS.index(ALERT_DAYS)
    return (
        Dating(
            float(np.median(errors)),
            float((errors <= 14).mean()),
            float((errors <= 30).mean()),
            float(np.square(stated - came).mean()),
            float((table["share"] * (table["stated"] - table["came"]).abs()).sum()),
            *alerts(stated[:, at], came[:, at]),
        ),
        table,
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
