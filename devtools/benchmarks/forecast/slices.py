"""Stated probabilities of crossings against outcomes, slice by slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.measures import (
    ALERT_DAYS,
    CAP_DAYS,
    PROBABILITY_DAYS,
    Alerts,
    alerts,
)
from forecasting.engine.dating import Outlook, class_profiles, distance, passages

NEAR: Final = 0.10
"""A limit at most so far above the highest week is near."""
SHORT_DAYS: Final = 400
GROWING: Final = 0.08
"""Expected rise of the logarithm in the coming year from which a series grows (ours)."""
LEAST_CASES: Final = 200
RESAMPLES: Final = 500
"""Sets drawn by the bootstrap of a standard error."""


def cases_of(
    truth: pd.DataFrame, outlooks: dict[str, Outlook | None], times: Sequence[int]
) -> pd.DataFrame:
    """Return a row for each limit and time ahead: what the simulated paths say, what came.

    ``stated`` is that with the spread seen, ``sharp`` that of sharp paths. Limits of series
    without a model are left out.
    """
    profiles = class_profiles([item for item in outlooks.values() if item is not None])
    blocks = []
    for name, threshold, days, events in truth[
        ["unique_id", "threshold", "days", "events"]
    ].itertuples(index=False):
        item = outlooks[name]
        if item is None:
            continue
        stated, sharp = passages(item, profiles, threshold)
        ahead = np.asarray(times)
        rise = float(item.centre[-30:].mean() - item.centre[:30].mean())
        blocks.append(
            pd.DataFrame(
                {
                    "series": name,
                    "limit": threshold,
                    "days": ahead,
                    "stated": stated.probability[ahead - 1],
                    "sharp": sharp.probability[ahead - 1],
                    "came": (days <= ahead).astype(np.float64),
                    "crossed_after_days": days,
                    "distance": distance(item, threshold),
                    "history_days": item.history_days,
                    "growing": rise > GROWING,
                    "restarts": "restarts" in str(events),
                }
            )
        )
    return pd.concat(blocks, ignore_index=True)


def slice_table(cases: pd.DataFrame) -> pd.DataFrame:
    """Return cases, stated minus observed frequency over all times ahead and for each, by slice."""
    near = cases["distance"] <= np.log1p(NEAR)
    short = cases["history_days"] < SHORT_DAYS
    parts = {
        "all": near | ~near,
        "near limit": near,
        "far limit": ~near,
        "short history": short,
        "long history": ~short,
        "growing": cases["growing"],
        "flat": ~cases["growing"],
        "with restarts": cases["restarts"],
        "without restarts": ~cases["restarts"],
    }
    rows = {name: _gaps(cases[part]) for name, part in parts.items() if part.any()}
    return pd.DataFrame.from_dict(rows, orient="index")


def date_error_days(cases: pd.DataFrame) -> float:
    """Median error of the day by which half is stated, of limits crossed within 180 days.

    ``cases`` has every day ahead; a date that is not reached counts as ``CAP_DAYS``.
    """
    crossed = cases[cases["crossed_after_days"] <= PROBABILITY_DAYS[-1]]
    reached = crossed["days"].where(crossed["stated"] >= 0.5, float(CAP_DAYS))
    key = [crossed["series"], crossed["limit"]]
    error = reached.groupby(key).min() - crossed["crossed_after_days"].groupby(key).first()
    return float(error.abs().median())


def alert_scores(cases: pd.DataFrame) -> tuple[Alerts, Alerts]:
    """Return the scores of the alerts, and their standard errors by bootstrap over series.

    Limits of one series are drawn together, with replacement.
    """
    cases = cases[cases["days"] == ALERT_DAYS]
    stated, came = cases["stated"].to_numpy(), cases["came"].to_numpy() > 0
    places = list(cases.groupby("series").indices.values())
    rng = np.random.default_rng(1)
    drawn = (rng.integers(0, len(places), len(places)) for _ in range(RESAMPLES))
    rows = (np.concatenate([places[index] for index in one]) for one in drawn)
    errors = np.std([alerts(stated[row], came[row]) for row in rows], axis=0)
    return alerts(stated, came), Alerts(*errors.tolist())


def worst_gap(table: pd.DataFrame) -> float:
    """Return the largest gap of a slice with ``LEAST_CASES`` cases or more."""
    gaps = table.loc[table["cases"] >= LEAST_CASES, "gap"].abs()
    return float(gaps.max()) if len(gaps) else float("nan")


def _gaps(cases: pd.DataFrame) -> dict[str, float]:
    gap = cases["stated"] - cases["came"]
    by_days = {f"gap_{days}": float(gap[cases["days"] == days].mean()) for days in PROBABILITY_DAYS}
    return {"cases": len(cases), "gap": float(gap.mean()), **by_days}
