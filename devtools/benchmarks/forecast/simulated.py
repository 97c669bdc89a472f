"""Simulated daily metrics with limits and the first day over each, as restless as real load.

``python -m devtools.benchmarks.forecast.simulated OUT --series N [--seed S]`` writes history,
thresholds and truth in the form of ``real_dev``; ``--roughness`` prints how rough they are. Growth
is linear, compounding or none; steps and ramps, up and down, come as often after the origin as
before; weeks change, years repeat in shape but not in size, tails are heavy, stretches are
restless, metrics of a queue manager share shocks, and some metrics are retired. Sizes are ours, so
that the roughness lies between that of cash machines and that of name servers.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray

AHEAD: Final = 365
RECENT_DAYS: Final = 35
LENGTHS: Final = {100: 0.1, 240: 0.15, 365: 0.2, 548: 0.2, 730: 0.25, 900: 0.1}
"""Days of history, with the share of the series that have so many."""
METRICS: Final = {"log_mb_hour": 0.41, "cf_busy_pct": 0.32, "chinit_storage_pct": 0.27}
OF_ONE_MANAGER: Final = 5
"""Metrics that share the shocks of a queue manager."""
STEPS_PER_YEAR: Final = 1.5
RETIRED: Final = 0.05
LIMIT_ABOVE: Final = (0.015, 0.6)
"""Least and most distance of a limit from the highest recent day."""


@dataclass(frozen=True)
class Simulated:
    """One metric: what was seen, its limit, and the days that come.

    ``days`` is the number of days to the first one at or over the limit, NaN for none in a year.
    """

    unique_id: str
    first: np.datetime64
    observed: FloatArray
    threshold: float
    days: float
    metric: str
    manager: str
    coming: FloatArray


def main() -> None:
    """Write the three files, or print the roughness."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--series", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--roughness", action="store_true")
    arguments = parser.parse_args()
    items = simulated(arguments.series, arguments.seed)
    if arguments.roughness:
        table = pd.DataFrame([roughness(item.observed) for item in items])
        print(table.quantile([0.25, 0.5, 0.75]).round(2).to_string())
        return
    write(items, arguments.out)


def simulated(count: int, seed: int) -> list[Simulated]:
    """Return the first ``count`` metrics of a seed."""
    made: list[Simulated] = []
    number = 0
    while len(made) < count:
        item = _metric(seed, number)
        number += 1
        if item is not None:
            made.append(item)
    return made


def write(items: list[Simulated], folder: Path) -> None:
    """Write ``history.csv.gz``, ``thresholds_day.csv`` and ``truth_day.csv`` to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        pd.DataFrame(
            {"unique_id": item.unique_id, "ds": _days(item), "y": item.observed.round(4)}
        ).dropna()
        for item in items
    ]
    pd.concat(parts).to_csv(folder / "history.csv.gz", index=False)
    truth = pd.DataFrame(
        {
            "unique_id": item.unique_id,
            "threshold": item.threshold,
            "origin": str(_days(item)[-1]),
            "days": item.days,
            "entity": item.manager,
            "source": "simulated",
        }
        for item in items
    )
    truth.to_csv(folder / "truth_day.csv", index=False)
    truth.iloc[:, :3].to_csv(folder / "thresholds_day.csv", index=False)


def roughness(values: FloatArray) -> dict[str, float]:
    """Return how rough a series is: change of the level, share of the week, weight of tails."""
    logs = pd.Series(np.log(np.where(values > 0, values, np.nan)))
    level = logs.rolling(28, min_periods=14).median()
    left = logs - level
    by_weekday = left.groupby(np.arange(len(left)) % 7).transform("mean")
    changes = left.diff(7).dropna()
    spread = (changes - changes.median()).abs().median() * 1.4826
    return {
        "level_change_30": float(level.diff(30).std()),
        "weekday_share": float(by_weekday.var() / left.var()),
        "beyond_4_deviations": float((changes.abs() > 4 * spread).mean()),
    }


def _days(item: Simulated) -> np.ndarray:
    return np.asarray(item.first + np.arange(len(item.observed)))


def _metric(seed: int, number: int) -> Simulated | None:
    """Return one metric; ``None`` if it was at its limit in the last five weeks."""
    rng = np.random.default_rng([seed, number])
    manager = number // OF_ONE_MANAGER
    length = int(rng.choice(list(LENGTHS), p=list(LENGTHS.values())))
    metric = str(rng.choice(list(METRICS), p=list(METRICS.values())))
    total = length + AHEAD
    days = pd.DatetimeIndex(np.datetime64("2026-01-01") + np.arange(-length, AHEAD))
    shared = _steps(max(LENGTHS) + AHEAD, 0.5, np.random.default_rng([seed, manager, 7]))[-total:]
    logs = (
        _growth(total, rng)
        + _steps(total, STEPS_PER_YEAR, rng)
        + shared
        + _wandering(total, rng)
        + _week(days, rng)
        + _year(days, rng)
        + _noise(total, rng)
    )
    is_share = metric != "log_mb_hour"
    base = rng.uniform(10, 40) if is_share else float(np.exp(rng.uniform(3.5, 9.5)))
    values = base * np.exp(logs - logs[:length].mean())
    values = np.minimum(values, 100.0) if is_share else values
    highest = float(values[length - RECENT_DAYS : length].max())
    above = float(np.exp(rng.uniform(*np.log(LIMIT_ABOVE))))
    threshold = float(f"{highest * (1 + above):.4g}")
    if is_share and threshold >= 100:
        return None
    over = np.flatnonzero(values[length:] >= threshold)
    return Simulated(
        f"sim{seed}-{number:04d}",
        days[0].to_datetime64().astype("datetime64[D]"),
        _observed(values[:length], rng),
        threshold,
        float(over[0]) + 1 if over.size else np.nan,
        metric,
        f"QM{manager:03d}",
        values[length:],
    )


def _growth(total: int, rng: np.random.Generator) -> FloatArray:
    years = np.arange(total) / 365.25
    kind, yearly = rng.random(), rng.uniform(-0.1, 0.5)
    if kind < 0.3:
        return np.zeros(total)
    return np.asarray(years * np.log1p(yearly) if kind < 0.6 else np.log1p(max(yearly, 0) * years))


def _steps(total: int, per_year: float, rng: np.random.Generator) -> FloatArray:
    """Return steps up and down, at once or as ramps of up to ten weeks, on any day; retirements."""
    level = np.zeros(total)
    days = np.arange(total)
    for _ in range(rng.poisson(per_year * total / 365)):
        width = 1.0 if rng.random() < 0.6 else rng.uniform(7, 70)
        done = np.clip((days - rng.integers(total)) / width, 0, 1)
        level += done * rng.normal(0.03, 0.18)
    if rng.random() < RETIRED * per_year / STEPS_PER_YEAR:
        level -= np.clip((days - rng.integers(total)) / 60, 0, 1) * rng.uniform(0.5, 2.0)
    return level


def _wandering(total: int, rng: np.random.Generator) -> FloatArray:
    """Return a level that wanders, faster in restless stretches, and is drawn back in months."""
    size = np.exp(rng.uniform(np.log(0.005), np.log(0.04)))
    pace = np.ones(total)
    for _ in range(rng.poisson(total / 250)):
        start = int(rng.integers(total))
        pace[start : start + int(rng.integers(10, 60))] = rng.uniform(2, 4)
    return _recursion(size * pace * rng.standard_t(4, total) / np.sqrt(2), np.exp(-1 / 120))


def _week(days: pd.DatetimeIndex, rng: np.random.Generator) -> FloatArray:
    """Return a week that may change once, and turns of months and quarters."""
    weekend = float(rng.choice([0.0, 0.1, 0.3, 0.6]))
    shapes = [rng.normal(0, 0.05, 7) - weekend * share * (np.arange(7) > 4)
              for share in (1.0, rng.uniform(0.3, 1.3))]  # fmt: skip
    changed = np.arange(len(days)) >= rng.integers(2 * len(days))
    shape = np.where(changed, shapes[1][days.dayofweek], shapes[0][days.dayofweek])
    left = np.asarray(days.days_in_month - days.day)
    shape += rng.choice([0.0, rng.uniform(0.05, 0.4)]) * ((left < 1) | (days.day == 1))
    return np.asarray(shape + rng.choice([0.0, 0.2]) * ((left < 3) & (days.month % 3 == 0)))


def _year(days: pd.DatetimeIndex, rng: np.random.Generator) -> FloatArray:
    """Return a year of irregular shape whose size differs from year to year, and its turn."""
    knots = rng.normal(0, rng.choice([0.0, 0.06, 0.15]), 12)
    place = (np.asarray(days.dayofyear) - 1) / 365.25 * 12
    shape = np.interp(place, np.arange(13), [*knots, knots[0]])
    sizes = rng.uniform(0.5, 1.5, 10)
    closed = ((days.month == 12) & np.isin(days.day, (25, 26))) | (days.dayofyear == 1)
    years = np.asarray(days.year)
    return np.asarray(shape * sizes[years - years.min()] - rng.uniform(0, 0.6) * closed)


def _noise(total: int, rng: np.random.Generator) -> FloatArray:
    memory = rng.uniform(0.1, 0.7)
    size = np.exp(rng.uniform(np.log(0.02), np.log(0.25)))
    shocks = rng.standard_t(rng.choice([3, 5, 30]), total)
    return _recursion(size * np.sqrt(1 - memory**2) * shocks, memory)


def _recursion(shocks: FloatArray, memory: float) -> FloatArray:
    values = np.empty(len(shocks))
    level = 0.0
    for index, shock in enumerate(shocks):
        level = memory * level + shock
        values[index] = level
    return values


def _observed(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return the values with outages, missing days and counter resets."""
    seen = values.copy()
    for _ in range(rng.poisson(len(seen) / 400)):
        start, width = int(rng.integers(0, len(seen) - 8)), int(rng.integers(1, 8))
        seen[start : start + width] = 0.0 if rng.random() < 0.5 else np.nan
    seen[rng.random(len(seen)) < 0.004] = np.nan
    seen[rng.random(len(seen)) < 0.0003] *= 50.0
    return seen


if __name__ == "__main__":
    main()
