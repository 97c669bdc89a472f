"""Accuracy of `mqcap forecast-csv`: ``python -m devtools.benchmarks.forecast.accuracy DATA``.

Printed for each set are OWA, sMAPE and coverage of the stated 95 %, with standard errors by
bootstraps over series. Sets are M4 daily, hours of real infrastructure (``infra_dev``) by day,
their highest or their mean value, since daily series are what is forecast, and made-up cash
machines: two years of strong weeks, a year, a level that wanders, heavy noise, missing days.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.backtest import smape_pct
from forecasting.csv_files import Files, run_files

WEEK: Final = 7
SEASON_QUANTILE: Final = 1.645
"""Normal quantile of the test of a season at 90 %."""
BOOTSTRAPS: Final = 400
MACHINES: Final = 40
HISTORY_DAYS: Final = 735
MACHINE_HORIZON: Final = 56
HOURS: Final = 24
DAY_S: Final = 86_400
Parts = tuple[pd.DataFrame, pd.DataFrame]
"""History and what came: ``unique_id, ds, y``."""


def main() -> None:
    """Read the arguments and print a line for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    for name, parts in _sets(arguments.data):
        made = forecast(*parts, arguments.processes)
        print(f"{name}: {_scored(*parts, made)}", flush=True)


def _sets(data: Path) -> Iterator[tuple[str, Parts]]:
    yield "M4 daily", _read(data, "m4_daily")
    for name, of_day in (("highest", "max"), ("mean", "mean")):
        yield f"infra_dev, {name} hour of a day", by_day(*_read(data, "infra_dev"), of_day)
    yield "cash machines", cash_machines(MACHINES, 1)


def _read(data: Path, name: str) -> Parts:
    first, second = (
        pd.read_csv(data / f"{name}_{part}.csv.gz", parse_dates=["ds"])
        for part in ("train", "test")
    )
    return first, second


def by_day(history: pd.DataFrame, truth: pd.DataFrame, of_day: str) -> Parts:
    """Return a value for each 24 hours before and after the end of each history."""
    last = history.groupby("unique_id")["ds"].max()
    parts = []
    for frame in (history, truth):
        after = (frame["ds"] - frame["unique_id"].map(last)).dt.total_seconds()
        days = pd.Timestamp("2026-01-01") + pd.to_timedelta(np.ceil(after / DAY_S), unit="D")
        grouped = frame.assign(ds=days).groupby(["unique_id", "ds"])["y"]
        parts.append(grouped.agg(of_day)[grouped.count() == HOURS].reset_index())
    return parts[0], parts[1]


def cash_machines(count: int, seed: int) -> Parts:
    """Return withdrawals of machines that nobody has: sizes are ours, after those of NN5."""
    rng = np.random.default_rng(seed)
    total = HISTORY_DAYS + MACHINE_HORIZON
    days = pd.date_range("1996-03-18", periods=total)
    rows = []
    for number in range(count):
        week = rng.normal([0, 0, 0.05, 0.2, 0.3, 0.1, -0.3], 0.2)
        year = rng.uniform(0, 0.15) * np.sin(
            2 * np.pi * (days.dayofyear + rng.uniform(0, 365)) / 365
        )
        level = rng.normal(0, 0.006, total).cumsum()
        noise = rng.standard_t(5, total) * rng.uniform(0.15, 0.3)
        values = np.exp(3 + week[days.dayofweek] + np.asarray(year) + level + noise)
        values[:HISTORY_DAYS][rng.random(HISTORY_DAYS) < 0.01] = 0.0
        frame = pd.DataFrame({"unique_id": f"machine{number:02d}", "ds": days, "y": values})
        rows.append(frame)
    history = pd.concat(frame.iloc[:HISTORY_DAYS] for frame in rows)
    history = history.assign(y=history["y"].where(rng.random(len(history)) > 0.02))
    return history, pd.concat(frame.iloc[HISTORY_DAYS:] for frame in rows)


def forecast(history: pd.DataFrame, truth: pd.DataFrame, processes: int) -> pd.DataFrame:
    """Return the forecasts of the command, in files that are removed again."""
    horizon = int(truth.groupby("unique_id").size().max())
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder) / "history.csv", Path(folder) / "forecasts.csv")
        history.assign(ds=history["ds"].dt.date).to_csv(files.history, index=False)
        run_files(files, Path.read_text, horizon=horizon, processes=processes)
        return pd.read_csv(files.forecasts)


def accuracy(history: pd.DataFrame, truth: pd.DataFrame, forecasts: pd.DataFrame) -> pd.DataFrame:
    """Return a row per series: sMAPE and MASE, those of Naive2, and the share inside ``lo, hi``.

    ``history`` has a row for each day, NaN where none is known.
    """
    past = {name: rows["y"].ffill().bfill() for name, rows in history.groupby("unique_id")}
    made = dict(iter(forecasts.groupby("unique_id")))
    rows = []
    for name, group in truth.groupby("unique_id"):
        before, actual = past[name].to_numpy(np.float64), group["y"].to_numpy(np.float64)
        path, low, high = (
            made[name][line].to_numpy(np.float64)[: len(actual)] for line in ("yhat", "lo", "hi")
        )
        scale = np.abs(before[WEEK:] - before[:-WEEK]).mean()
        errors = [
            error
            for line in (path, adjusted_naive(before, len(actual)))
            for error in (smape_pct(actual, line), np.abs(actual - line).mean() / scale)
        ]
        rows.append((*errors, float(((low <= actual) & (actual <= high)).mean())))
    return pd.DataFrame(rows, columns=["smape", "mase", "naive_smape", "naive_mase", "inside"])


def owa(table: pd.DataFrame) -> float:
    """Return the mean of sMAPE and MASE, each relative to that of Naive2."""
    smape, mase, naive_smape, naive_mase, _ = (float(mean) for mean in table.mean())
    return (smape / naive_smape + mase / naive_mase) / 2


def adjusted_naive(values: FloatArray, horizon: int) -> FloatArray:
    """Return the last value, times the index of its weekday if weeks are alike: M4's Naive2.

    They are if the autocorrelation at a week passes the test at 90 %; an index is the mean ratio to
    the mean of the week around.
    """
    lags = [pd.Series(values).autocorr(lag) for lag in range(1, WEEK + 1)]
    limit = SEASON_QUANTILE * np.sqrt((1 + 2 * np.square(lags[:-1]).sum()) / len(values))
    around = np.convolve(values, np.ones(WEEK) / WEEK, "valid")
    index = np.ones(WEEK)
    if len(values) >= 3 * WEEK and abs(lags[-1]) > limit and (around > 0).all():
        slots = np.arange(WEEK // 2, len(values) - WEEK // 2) % WEEK
        index = np.bincount(slots, values[WEEK // 2 : -(WEEK // 2)] / around) / np.bincount(slots)
        index /= index.mean()
    places = (len(values) + np.arange(-1, horizon)) % WEEK
    return np.asarray(values[-1] / index[places[0]] * index[places[1:]])


def _scored(history: pd.DataFrame, truth: pd.DataFrame, forecasts: pd.DataFrame) -> str:
    table = accuracy(history, truth, forecasts)
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(table), size=(BOOTSTRAPS, len(table)))
    error = np.std([owa(table.iloc[rows]) for rows in drawn])
    smape, naive, inside = (
        float(table[name].mean()) for name in ("smape", "naive_smape", "inside")
    )
    held = float(table["inside"].std()) / np.sqrt(len(table))
    return (
        f"{len(table)} series, OWA {owa(table):.3f} +- {error:.3f}, sMAPE {smape:.1f} "
        f"(Naive2 {naive:.1f}), 95 % holds {inside:.3f} +- {held:.3f}"
    )


if __name__ == "__main__":
    main()
