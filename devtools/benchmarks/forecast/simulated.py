"""Simulated daily metrics with limits and the day on which each is passed.

``python -m devtools.benchmarks.forecast.simulated OUT --series N [--seed S]`` writes the files of
``crossing_dev`` (history, thresholds, truth) for other series of the same kinds: growth that is
linear, compounding, flat, declining, saturating, changes its slope or comes in steps; upgrades,
weekly, month-end, quarter-end, annual and holiday effects, restarts with slow leaks, slow drift
of the level, and outages, gaps, spikes, counter resets and clipping in what is observed. One in
five changes its course after the origin, which nobody can foresee. Lengths, turns of months and
quarters, year-end holidays, noise and growth are as large as in the histories of ``crossing_dev``;
the other sizes are ours. What became of its limits was not looked at.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray

AHEAD: Final = 365
WINDOW: Final = 7
RECENT_DAYS: Final = 35
LENGTHS: Final = {240: 0.11, 365: 0.21, 548: 0.22, 730: 0.40, 900: 0.06}
"""Days of history, with the share of the series that have so many."""
REGIMES: Final = {
    "linear": 0.27,
    "compound": 0.20,
    "flat": 0.17,
    "slope_change": 0.16,
    "steps": 0.10,
    "saturating": 0.07,
    "decline": 0.03,
}
METRICS: Final = {"log_mb_hour": 0.41, "cf_busy_pct": 0.32, "chinit_storage_pct": 0.27}
CHANGED_LATER: Final = 0.2
"""Share of series whose course changes after the origin."""
UPGRADED: Final = 0.16
LIMIT_ABOVE: Final = (0.015, 0.45)
"""Least and most distance of a limit from the recent maximum of the 7-day mean."""


@dataclass(frozen=True)
class Simulated:
    """One metric: ``days`` to the crossing, NaN for none within a year; kinds for the slices.

    ``coming`` is the 7-day mean of the year after the origin, ``coming_days`` its days.
    """

    unique_id: str
    first: np.datetime64
    observed: FloatArray
    threshold: float
    days: float
    metric: str
    regime: str
    events: tuple[str, ...]
    recent: float
    coming: FloatArray
    coming_days: FloatArray


def main() -> None:
    """Write the three files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--series", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    write(simulated(arguments.series, arguments.seed), arguments.out)


def simulated(count: int, seed: int) -> list[Simulated]:
    """The first ``count`` metrics of a seed."""
    made: list[Simulated] = []
    number = 0
    while len(made) < count:
        item = _metric(f"sim{seed}-{number:04d}", np.random.default_rng([seed, number]))
        number += 1
        if item is not None:
            made.append(item)
    return made


def write(items: list[Simulated], folder: Path) -> None:
    """Write ``history.csv.gz``, ``thresholds.csv`` and ``truth.csv`` to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    history_of(items).to_csv(folder / "history.csv.gz", index=False)
    truth = limits_of(items, 1, 0)
    truth.to_csv(folder / "truth.csv", index=False)
    columns = ["unique_id", "threshold", "origin"]
    truth[columns].to_csv(folder / "thresholds.csv", index=False)


def history_of(items: list[Simulated]) -> pd.DataFrame:
    """Return the observed history of all: ``unique_id, ds, y``."""
    return pd.concat([_history(item) for item in items])


def limits_of(items: list[Simulated], count: int, seed: int) -> pd.DataFrame:
    """Return ``count`` limits of each, with the truth: its own and others drawn alike."""
    rng = np.random.default_rng(seed)
    rows = [_truth(item) for item in items]
    for item in items:
        for above in _limits_above(rng, count - 1):
            threshold = item.recent * (1 + above)
            if item.metric == "log_mb_hour" or threshold < 100:
                days = _first_day(item.coming, threshold)
                rows.append(_truth(replace(item, threshold=threshold, days=days)))
    return pd.DataFrame(rows)


def _history(item: Simulated) -> pd.DataFrame:
    days = item.first + np.arange(len(item.observed))
    frame = pd.DataFrame({"unique_id": item.unique_id, "ds": days, "y": item.observed})
    return frame.dropna()


def _truth(item: Simulated) -> dict[str, object]:
    origin = item.first + len(item.observed) - 1
    crossed = "" if np.isnan(item.days) else str(origin + int(item.days))
    return {
        "unique_id": item.unique_id,
        "threshold": item.threshold,
        "origin": str(origin),
        "cross_date": crossed,
        "days": item.days,
        "metric": item.metric,
        "regime": item.regime,
        "events": " ".join(item.events),
    }


def _metric(name: str, rng: np.random.Generator) -> Simulated | None:
    """One metric; ``None`` if it was at its limit in the last five weeks."""
    length = int(rng.choice(list(LENGTHS), p=list(LENGTHS.values())))
    regime = str(rng.choice(list(REGIMES), p=list(REGIMES.values())))
    metric = str(rng.choice(list(METRICS), p=list(METRICS.values())))
    first = np.datetime64("2023-06-01") + int(rng.integers(0, 900))
    total = length + AHEAD
    events: list[str] = []
    log_level = (
        _growth(regime, total, rng)
        + _steps(length, total, regime, rng, events)
        + _later(length, total, rng, events)
        + _drift(total, rng)
        + (_leaks(total, rng, events) if metric == "chinit_storage_pct" else 0.0)
    )
    percent = metric != "log_mb_hour"
    base = rng.uniform(12, 45) if percent else float(np.exp(rng.uniform(3.5, 9.5)))
    shape = _calendar(first, total, rng) + _noise(total, rng)
    values = base * np.exp(log_level + shape)
    if percent:
        values = np.minimum(values, 100.0)
    week = rolling_week(values[:WINDOW], values[WINDOW:])
    past, coming = week[: length - WINDOW], week[length - WINDOW :]
    (above,) = _limits_above(rng, 1)
    observed = _observed(values[:length], percent, rng)
    seen = rolling_week(observed[:WINDOW], observed[WINDOW:])[-RECENT_DAYS:]
    if not np.isfinite(seen).any():
        return None
    threshold = float(f"{past[-RECENT_DAYS:].max() * (1 + above):.4g}")
    if percent and threshold >= 100:
        return None
    days = _first_day(coming, threshold)
    return Simulated(
        name,
        first,
        observed,
        threshold,
        days,
        metric,
        regime,
        tuple(events),
        float(past[-RECENT_DAYS:].max()),
        coming,
        values[length:],
    )


def _limits_above(rng: np.random.Generator, count: int) -> FloatArray:
    least, most = np.log(LIMIT_ABOVE)
    return np.asarray(np.exp(rng.uniform(least, most, count)))


def _first_day(coming: FloatArray, threshold: float) -> float:
    over = np.flatnonzero(coming[:AHEAD] >= threshold)
    return float(over[0]) + 1 if over.size else np.nan


def _growth(regime: str, total: int, rng: np.random.Generator) -> FloatArray:
    years = np.arange(total) / 365.25
    yearly = rng.uniform(0.08, 0.55)
    if regime == "linear":
        return np.asarray(np.log1p(yearly * years))
    if regime == "compound":
        return np.asarray(years * np.log1p(yearly))
    if regime == "decline":
        return np.asarray(-years * rng.uniform(0.1, 0.33))
    if regime == "saturating":
        size, pace = rng.uniform(0.4, 1.3), rng.uniform(0.6, 2.0)
        return np.asarray(np.log1p(size * (1 - np.exp(-years / pace))))
    if regime == "slope_change":
        change = years[int(rng.uniform(0.3, 0.85) * (total - AHEAD))]
        before, after = rng.uniform(-0.02, 0.2), rng.uniform(0.1, 0.6)
        return np.asarray(before * years + (after - before) * np.maximum(years - change, 0))
    return np.asarray(
        years * (rng.normal(0.0, 0.012) if regime == "flat" else rng.uniform(0, 0.08))
    )


def _steps(
    length: int, total: int, regime: str, rng: np.random.Generator, events: list[str]
) -> FloatArray:
    """New applications, and upgrades that drop the utilisation, all before the origin."""
    level = np.zeros(total)
    count = rng.poisson(1.4 if regime == "steps" else 0.22)
    for share in rng.uniform(0.1, 0.96, count):
        level[int(share * length) :] += rng.uniform(0.08, 0.4)
        events.append("new_app")
    if rng.random() < UPGRADED:
        level[int(rng.uniform(0.2, 0.92) * length) :] -= rng.uniform(0.25, 0.7)
        events.append("upgrade")
    return level


def _later(length: int, total: int, rng: np.random.Generator, events: list[str]) -> FloatArray:
    if rng.random() >= CHANGED_LATER:
        return np.zeros(total)
    events.append("future_change")
    day = length + int(rng.integers(15, 330))
    ramp = np.maximum(np.arange(total) - day, 0) / 365.25
    if rng.random() < 0.5:
        return np.asarray(ramp * rng.uniform(-0.3, 0.8))
    return np.asarray((np.arange(total) >= day) * rng.uniform(-0.25, 0.25))


def _drift(total: int, rng: np.random.Generator) -> FloatArray:
    """A level that wanders and is drawn back within about ten weeks."""
    memory = np.exp(-1 / 70)
    size = rng.uniform(0.0, 0.03)
    return _recursion(size * np.sqrt(1 - memory**2) * rng.standard_normal(total), memory)


def _leaks(total: int, rng: np.random.Generator, events: list[str]) -> FloatArray:
    if rng.random() < 0.6:
        return np.zeros(total)
    events.append("restarts")
    every = int(rng.integers(28, 100))
    since = (np.arange(total) + int(rng.integers(0, every))) % every
    return np.asarray(rng.uniform(0.03, 0.2) * since / every)


def _calendar(first: np.datetime64, total: int, rng: np.random.Generator) -> FloatArray:
    """Week, ends of months and quarters, year and the turn of the year, as logarithms."""
    days = pd.DatetimeIndex(first + np.arange(total))
    shape = np.zeros(total)
    weekend = float(rng.choice([0.0, 0.05, 0.3, 0.55, 1.0], p=[0.1, 0.2, 0.35, 0.2, 0.15]))
    weekday = rng.normal(0, 0.05, 7) - np.array([0, 0, 0, 0, 0, 1, 1]) * weekend
    shape += weekday[days.dayofweek]
    left = np.asarray(days.days_in_month - days.day)
    if rng.random() < 0.64:
        turn = np.isin(left, (0, 1)) | (days.day == 1)
        beside = (left == 2) | (days.day == 2)
        shape += rng.uniform(0.07, 0.43) * (turn + 0.4 * beside)
    if rng.random() < 0.5:
        shape += rng.uniform(0.08, 0.31) * ((left < 3) & (days.month % 3 == 0))
    if rng.random() < 0.5:
        year = 2 * np.pi * (np.asarray(days.dayofyear) / 365.25 + rng.random())
        shape += rng.uniform(0.04, 0.18) * np.sin(year)
    closed = ((days.month == 12) & np.isin(days.day, (25, 26))) | (days.dayofyear == 1)
    shape -= rng.uniform(0.0, 0.8) * closed
    return np.asarray(shape)


def _noise(total: int, rng: np.random.Generator) -> FloatArray:
    memory = rng.uniform(0.3, 0.8)
    size = np.exp(rng.uniform(np.log(0.015), np.log(0.13)))
    return _recursion(size * np.sqrt(1 - memory**2) * rng.standard_normal(total), memory)


def _recursion(shocks: FloatArray, memory: float) -> FloatArray:
    values = np.empty(len(shocks))
    level = 0.0
    for index, shock in enumerate(shocks):
        level = memory * level + shock
        values[index] = level
    return values


def _observed(values: FloatArray, percent: bool, rng: np.random.Generator) -> FloatArray:
    """The values with outages, missing days, spikes, dips and counter resets."""
    seen = values.copy()
    size = len(seen)
    for _ in range(rng.poisson(size / 400)):
        start, width = int(rng.integers(0, size - 8)), int(rng.integers(1, 8))
        seen[start : start + width] = 0.0 if rng.random() < 0.5 else np.nan
    seen[rng.random(size) < 0.004] = np.nan
    factors = [(0.002, rng.uniform(1.5, 4.0)), (0.002, rng.uniform(0.2, 0.6)), (0.0005, 50.0)]
    for rate, factor in factors:
        seen[rng.random(size) < rate] *= factor
    return np.minimum(seen, 100.0) if percent else seen


def rolling_week(before: FloatArray, after: FloatArray) -> FloatArray:
    """Mean of the last seven days for each element of ``after``; ``before`` fills the window.

    NaN days are left out of the mean.
    """
    lead = np.concatenate([np.full(WINDOW, np.nan), before])[-(WINDOW - 1) :]
    joined = np.concatenate([lead, after])
    is_finite = np.isfinite(joined)
    sums = np.concatenate([[0.0], np.cumsum(np.where(is_finite, joined, 0.0))])
    counts = np.concatenate([[0], np.cumsum(is_finite)])
    total = sums[WINDOW:] - sums[:-WINDOW]
    number = counts[WINDOW:] - counts[:-WINDOW]
    empty = np.full(len(after), np.nan)
    return np.asarray(np.divide(total, number, out=empty, where=number > 0), dtype=np.float64)


if __name__ == "__main__":
    main()
