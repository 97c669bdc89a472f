"""Print accuracy, intervals, crossings and speed on the public data.

``python -m devtools.benchmarks.forecast DATA [--series N] [--processes P] [--prophet N]`` where
DATA is the folder with the M4 files, ``infra_dev`` and ``crossing_dev``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pandas as pd

from devtools.benchmarks.forecast.measures import accuracy, dating
from devtools.benchmarks.forecast.reference import fast_path_ratio, prophet_crossings, prophet_frame
from forecasting.batch_csv import crossing_frame, forecast_frame

SETS = (
    ("m4_hourly", "h", 48, 24),
    ("m4_weekly", "w", 13, 1),
    ("m4_daily", "d", 14, 7),
    ("infra_dev", "h", 48, 24),
)
"""Name of the files, step, horizon, season of Naive2 and MASE."""
KNOWN = [*(name for name, *_ in SETS), "crossings", "selection", "speed"]
DAILY_ROWS = 700
"""Rows of a series of ``crossing_dev`` for the speed of the full selection: about 730 days."""


def main() -> None:
    """Read the arguments and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--series", type=int, default=0, help="first N series of a set; 0: all")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--prophet", type=int, default=0, help="Prophet beside it on N series")
    parser.add_argument("--beside", type=Path, help="folder that others.py has written")
    parser.add_argument("--sets", nargs="*", default=KNOWN, choices=KNOWN)
    arguments = parser.parse_args()
    for name, freq, horizon, period in SETS:
        if name in arguments.sets:
            _accuracy(arguments, name, freq, horizon, period)
    if "crossings" in arguments.sets:
        _crossings(arguments)
    if "selection" in arguments.sets:
        _selection(arguments)
    if "speed" in arguments.sets:
        print("fast path:", fast_path_ratio())


def _head(frame: pd.DataFrame, count: int) -> pd.DataFrame:
    names = sorted(frame["unique_id"].unique())
    step = max(1, len(names) // count) if count else 1
    return frame[frame["unique_id"].isin(names[::step])]


def _accuracy(
    arguments: argparse.Namespace, name: str, freq: str, horizon: int, period: int
) -> None:
    history = _head(pd.read_csv(arguments.data / f"{name}_train.csv.gz"), arguments.series)
    truth = pd.read_csv(arguments.data / f"{name}_test.csv.gz")
    truth = truth[truth["unique_id"].isin(history["unique_id"])]
    start = time.perf_counter()
    mine = forecast_frame(history, horizon=horizon, freq=freq, processes=arguments.processes)
    seconds = time.perf_counter() - start
    count = history["unique_id"].nunique()
    print(f"{name}, {count} series, {count / seconds:.1f} series/s")
    print("  ours   ", _line(accuracy(history, truth, mine, period)._asdict()))
    if arguments.beside:
        _others(arguments.beside, name, period, history, truth)
    if arguments.prophet:
        some = _head(history, arguments.prophet)
        compared = truth[truth["unique_id"].isin(some["unique_id"])]
        start = time.perf_counter()
        theirs = prophet_frame(some, horizon, freq)
        print("  prophet", _line(accuracy(some, compared, theirs, period)._asdict()))
        _ratio(count / seconds, some["unique_id"].nunique(), time.perf_counter() - start)


def _others(
    folder: Path, name: str, period: int, history: pd.DataFrame, truth: pd.DataFrame
) -> None:
    """Print the same measures of the forecasts that ``others.py`` has written for the set."""
    for file in sorted(folder.glob(f"{name}-*.csv")):
        theirs = pd.read_csv(file)
        some = history[history["unique_id"].isin(theirs["unique_id"])]
        compared = truth[truth["unique_id"].isin(some["unique_id"])]
        figures = accuracy(some, compared, theirs, period)._asdict()
        count = some["unique_id"].nunique()
        print(f"  {file.stem.removeprefix(name + '-')}, {count} series", _line(figures))


def _crossings(arguments: argparse.Namespace) -> None:
    folder = arguments.data / "crossing_dev"
    limits = _head(pd.read_csv(folder / "thresholds.csv"), arguments.series)
    history = pd.read_csv(folder / "history.csv.gz")
    truth = pd.read_csv(folder / "truth.csv")
    start = time.perf_counter()
    mine = crossing_frame(history, limits, processes=arguments.processes)
    seconds = time.perf_counter() - start
    score, table = dating(truth, mine)
    print(f"crossings, {len(limits)} series, {len(limits) / seconds:.1f} series/s")
    print("  ours   ", _line(score._asdict()))
    print(table.round(3).to_string())
    if arguments.prophet:
        some = _head(limits, arguments.prophet)
        start = time.perf_counter()
        theirs, _ = dating(truth, prophet_crossings(history, some))
        print("  prophet", _line(theirs._asdict()))
        _ratio(len(limits) / seconds, len(some), time.perf_counter() - start)


def _selection(arguments: argparse.Namespace) -> None:
    """Full selection over two years of daily values, half a year ahead."""
    history = pd.read_csv(arguments.data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    long = history.groupby("unique_id")["ds"].transform("size") >= DAILY_ROWS
    some = _head(history[long], arguments.series).groupby("unique_id").tail(DAILY_ROWS)
    count = some["unique_id"].nunique()
    start = time.perf_counter()
    forecast_frame(some, horizon=180, freq="d", processes=arguments.processes)
    seconds = time.perf_counter() - start
    print(f"full selection, {count} series of {DAILY_ROWS} days, {count / seconds:.1f} series/s")
    if arguments.prophet:
        few = _head(some, arguments.prophet)
        start = time.perf_counter()
        prophet_frame(few, 180, "d")
        _ratio(count / seconds, few["unique_id"].nunique(), time.perf_counter() - start)


def _ratio(ours: float, count: int, seconds: float) -> None:
    """Series per second of both; Prophet's in one process."""
    print(f"  prophet {count / seconds:.2f} series/s, ratio {ours * seconds / count:.1f}")


def _line(figures: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in figures.items())


if __name__ == "__main__":
    main()
