"""Calibration of the probabilities of the daily run, on limits of the past.

``python -m devtools.benchmarks.forecast.promises DATA [--every N]`` forecasts every N-th series of
``crossing_dev`` as it was known 120 days before its end, lays four limits 0.5 to 35 % above the
highest of its last 35 days, and compares the forecast with the first day over each. The same
probabilities are then corrected by a logistic regression on their log odds and on the logarithm of
the days ahead, fitted without the tenth of the series that is judged. The daily run does not do so.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.measures import reliability
from devtools.benchmarks.forecast.recalibrate import FOLDS, logistic
from forecasting import ForecastOptions, crossing_of, forecast_series
from forecasting.arrays import FloatArray
from forecasting.engine.recalibration import USUAL_DAYS, log_odds
from forecasting.history import history_of
from forecasting.prepare import clean
from mqcap.domain.crossing import stated_probability
from mqcap.domain.metric import Direction

AHEAD_DAYS = 120
HORIZONS = (30, 60, 90)
RECENT_DAYS = 35
LIMITS = 4
NO_CORRECTION = np.array([1.0, 0.0, 0.0])


def main() -> None:
    """Print the interval's coverage, Brier, ECE with the reliability table, and the date error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=2)
    arguments = parser.parse_args()
    history = pd.read_csv(arguments.data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    names = sorted(history["unique_id"].unique())[:: arguments.every]
    rng = np.random.default_rng(5)
    inside: list[bool] = []
    stated: list[tuple[str, int, float, bool]] = []
    errors: list[float] = []
    for name in names:
        for sample in _tried(history[history["unique_id"] == name], str(name), rng):
            inside += sample[0]
            stated += sample[1]
            errors += sample[2]
    print(f"{len(names)} series; 80 % interval held {np.mean(inside):.3f}")
    cases = pd.DataFrame(stated, columns=["series", "days", "stated", "came"])
    _print_reliability("stated", cases)
    _print_reliability("corrected, held out", held_out(cases))
    print(f"median error of the expected date {np.median(errors):.0f} days ({len(errors)} dates)")


def _tried(
    group: pd.DataFrame, name: str, rng: np.random.Generator
) -> Iterator[tuple[list[bool], list[tuple[str, int, float, bool]], list[float]]]:
    rows = pd.DataFrame(
        {
            "series_id": f"metric/{name}",
            "statistic": "peak",
            "site_date": group["ds"].dt.date,
            "value": group["y"],
            "ceiling": np.nan,
            "country": None,
        }
    )
    last: date = group["ds"].max().date()
    cutoff = last - timedelta(days=AHEAD_DAYS)
    options = ForecastOptions(final_fit="fast", horizon_days=AHEAD_DAYS)
    (made,) = forecast_series(rows, options, cutoff)
    if made.refusal:
        return
    history = clean(history_of(rows, made.series_id, "peak", last, 2_000))
    split = len(history.values) - AHEAD_DAYS
    past, coming = history.values[:split], history.values[split:]
    inside = [
        point.lower <= value <= point.upper
        for point, value in zip(made.points, coming, strict=True)
        if np.isfinite(value)
    ]
    yield inside, [], []
    for limit in np.nanmax(past[-RECENT_DAYS:]) * rng.uniform(1.005, 1.35, LIMITS):
        days_over = np.flatnonzero(coming >= limit)
        first = int(days_over[0]) + 1 if days_over.size else None
        crossing = crossing_of(
            made,
            [],
            limit=float(limit),
            direction=Direction.upward,
            strict=False,
            rule_id="R",
            unit="",
        )
        probabilities = [
            (name, days, ratio, first is not None and first <= days)
            for days in HORIZONS
            if (ratio := stated_probability(crossing, days)) is not None
        ]
        expected = crossing.expected_date
        error = [abs((expected - cutoff).days - first)] if first and expected else []
        yield [], probabilities, [float(days) for days in error] or ([366.0] if first else [])


def held_out(cases: pd.DataFrame) -> pd.DataFrame:
    """Return the cases with probabilities corrected by figures that have not seen their series."""
    names = sorted(cases["series"].unique())
    fold = cases["series"].map({name: index % FOLDS for index, name in enumerate(names)}).to_numpy()
    rows, came = _terms(cases), cases["came"].to_numpy(np.float64)
    corrected = np.empty(len(cases))
    for judged in range(FOLDS):
        seen = fold != judged
        figures = logistic(rows[seen], came[seen], np.ones(int(seen.sum())), NO_CORRECTION)
        corrected[~seen] = 1 / (1 + np.exp(-rows[~seen] @ figures))
    return cases.assign(stated=corrected)


def _terms(cases: pd.DataFrame) -> FloatArray:
    stated, days = (cases[name].to_numpy(np.float64) for name in ("stated", "days"))
    return np.column_stack([log_odds(stated), np.ones(len(cases)), np.log(days / USUAL_DAYS)])


def _print_reliability(title: str, cases: pd.DataFrame) -> None:
    stated, came = (cases[name].to_numpy(np.float64) for name in ("stated", "came"))
    table = reliability(stated, came)
    gap = (table["share"] * (table["stated"] - table["came"]).abs()).sum()
    print(
        f"{title}: {len(cases)} cases, Brier {np.square(stated - came).mean():.4f}, ECE {gap:.4f}"
    )
    print(table.round(3).to_string())


if __name__ == "__main__":
    main()
