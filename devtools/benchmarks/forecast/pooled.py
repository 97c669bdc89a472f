"""Compute the pooled figures of ``forecasting/engine/pooled.csv``.

``python -m devtools.benchmarks.forecast.pooled DATA`` prints the rows, and the coverage of 95 %
that each series gets in its own back-test from the figures of all others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from forecasting.batch_csv import mixed_series
from forecasting.engine.calibration import TAIL, own_scale, standardised, tails
from forecasting.engine.mixing import Mixed
from forecasting.engine.pooled import PooledFigures

HORIZONS = {"h": 48, "D": 14, "W": 13}


def main() -> None:
    """Print a row for each step, and the coverage below."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    print(",".join(PooledFigures._fields))
    for step, read in READERS.items():
        items = mixed_series(read(folder), horizon=HORIZONS[step], freq=step)
        print(_line(pooled(step, items)))
        print(f"# held out: {np.mean(_held_out(step, items)):.3f}")


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


def pooled(step: str, items: list[Mixed], tail: float = TAIL) -> PooledFigures:
    """Figures of series of one step that have a back-test, ``tail`` of the errors at either end."""
    scored = [item for item in items if np.isfinite(item.errors).any() and item.naive_scale > 0]
    ratio = float(np.median([own_scale(item.errors) / item.naive_scale for item in scored]))
    errors = np.vstack([standardised(item, ratio) for item in scored])
    origins = int(np.isfinite(errors).any(axis=1).sum())
    ahead = np.arange(1, errors.shape[1] + 1)
    typical = np.nanmean(np.minimum(np.abs(errors), 20.0), axis=0)
    power = float(np.polyfit(np.log(ahead), np.log(typical), 1)[0])
    flat = (errors / ahead**power).ravel()
    lower, upper = tails(flat[np.isfinite(flat)], origins, tail)
    return PooledFigures(step, len(scored), origins, lower, upper, ratio, power)


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


def _line(row: PooledFigures) -> str:
    figures = ",".join(f"{figure:.4g}" for figure in row[3:])
    return f"{row.step},{row.series},{row.origins},{figures}"


if __name__ == "__main__":
    main()
