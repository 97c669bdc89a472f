"""Compute the pooled figures of ``forecasting/engine/pooled.csv``.

``python -m devtools.benchmarks.forecast.pooled DATA`` prints the rows, and the coverage of 95 %
that each series gets from the figures of all others: in its own back-test, and of the last steps of
its history, forecast from so few values before them that there is none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from forecasting.arrays import FloatArray
from forecasting.batch_csv import mixed_series
from forecasting.engine.calibration import TAIL, own_scale, standardised, tails
from forecasting.engine.mixing import Mixed
from forecasting.engine.pooled import PooledFigures

HORIZONS = {"h": 48, "D": 14, "W": 13}
CUT: Final = {"D": (25, 40, 55), "W": (25, 40, 60)}
"""Numbers of values too few for a back-test, but enough for a forecast (ours)."""
LARGEST: Final = 20.0
"""Larger errors count as this one in how errors grow (ours)."""


def main() -> None:
    """Print the rows, and the coverage below each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    print(",".join(PooledFigures._fields))
    for step, read in READERS.items():
        frame = read(folder)
        items = mixed_series(frame, horizon=HORIZONS[step], freq=step)
        print(_line(pooled(step, items)))
        print(f"# held out: {np.mean(_held_out(step, items)):.3f}")
        if step in CUT:
            errors = untested_errors(frame, step)
            print(_line(untested(step, errors)))
            print(f"# held out: {np.mean(_untested_held_out(step, errors)):.3f}")


def _infrastructure(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "infra_dev_train.csv.gz")


def _days(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])


def _weeks(folder: Path) -> pd.DataFrame:
    days = _days(folder).set_index("ds")
    weeks = days.groupby("unique_id")["y"].resample("7D").mean()
    return weeks.reset_index().dropna()


READERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    "h": _infrastructure,
    "D": _days,
    "W": _weeks,
}


def pooled(step: str, items: list[Mixed]) -> PooledFigures:
    """Figures of series of one step that have a back-test."""
    scored = [item for item in items if item.has_backtest and item.naive_scale > 0]
    ratio = float(np.median([own_scale(item.errors) / item.naive_scale for item in scored]))
    errors = np.vstack([standardised(item, ratio) for item in scored])
    origins = int(np.isfinite(errors).any(axis=1).sum())
    power = growth_power(errors)
    flat = (errors / np.arange(1, errors.shape[1] + 1) ** power).ravel()
    lower, upper = tails(flat[np.isfinite(flat)], origins)
    return PooledFigures(step, True, len(scored), origins, lower, upper, ratio, power)


def untested_errors(frame: pd.DataFrame, step: str) -> dict[str, FloatArray]:
    """Return the errors of forecasts without a back-test by series: a row for each of ``CUT``.

    They are of the last steps of each series, forecast from so many values before them, in units of
    the mean absolute seasonal difference of these values.
    """
    known, horizon = frame.dropna(subset=["y"]), HORIZONS[step]
    by_series = known.groupby("unique_id")["y"]
    back, size = by_series.cumcount(ascending=False), by_series.transform("size")
    found: dict[str, list[FloatArray]] = {}
    for count in CUT[step]:
        is_past = (back >= horizon) & (back < horizon + count) & (size >= horizon + count)
        for name, past in known[is_past].groupby("unique_id"):
            coming = known[(known["unique_id"] == name) & (back < horizon)]["y"].to_numpy()
            for item in mixed_series(past, horizon=horizon, freq=step):
                error = (coming - item.path) / item.naive_scale
                found.setdefault(str(name), []).append(error)
    return {name: np.vstack(errors) for name, errors in found.items()}


def untested(step: str, errors: Mapping[str, FloatArray], tail: float = TAIL) -> PooledFigures:
    """Figures of series of one step without a back-test, ``tail`` of the errors at either end."""
    every = np.vstack(list(errors.values()))
    ahead = np.arange(1, every.shape[1] + 1)
    power = growth_power(every)
    lower, upper = tails((every / ahead**power).ravel(), len(every), tail)
    return PooledFigures(step, False, len(errors), len(every), lower, upper, 1.0, power)


def growth_power(errors: FloatArray) -> float:
    """Power of the steps ahead with which errors grow; one row per origin."""
    ahead = np.arange(1, errors.shape[1] + 1)
    typical = np.nanmean(np.minimum(np.abs(errors), LARGEST), axis=0)
    return float(np.polyfit(np.log(ahead), np.log(typical), 1)[0])


def _held_out(step: str, items: list[Mixed]) -> list[float]:
    shares = []
    for index, item in enumerate(items):
        row = pooled(step, items[:index] + items[index + 1 :])
        ahead = np.arange(1, item.errors.shape[1] + 1)
        scaled = standardised(item, row.own_to_naive) / ahead**row.growth_power
        seen = scaled[np.isfinite(scaled)]
        if seen.size:
            shares.append(float(((seen >= row.lower) & (seen <= row.upper)).mean()))
    return shares


def _untested_held_out(step: str, errors: Mapping[str, FloatArray]) -> list[float]:
    shares = []
    for name, own in errors.items():
        row = untested(step, {other: error for other, error in errors.items() if other != name})
        scaled = own / np.arange(1, own.shape[1] + 1) ** row.growth_power
        shares.append(float(((scaled >= row.lower) & (scaled <= row.upper)).mean()))
    return shares


def _line(row: PooledFigures) -> str:
    figures = ",".join(f"{figure:.4g}" for figure in row[4:])
    has_backtest = "yes" if row.has_backtest else "no"
    return f"{row.step},{has_backtest},{row.series},{row.origins},{figures}"


if __name__ == "__main__":
    main()
