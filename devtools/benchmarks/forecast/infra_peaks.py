"""Share of daily peaks of real infrastructure inside an interval of 80 %.

``python -m devtools.benchmarks.forecast.infra_peaks DATA`` takes the highest hour of each day of
``infra_dev`` that has 24 hours, leaves out the last 4 days of each series (14 where it has 40 days
or more), forecasts them by the engine of ``mqcap forecast-csv`` and compares. Histories are too
short for a back-test: the ends are those of forecasts without one in ``pooled.csv``, computed for
80 % instead of 95 % from the errors of ``crossing_dev``. Series of fewer than 20 values, for which
the command fits no model, are forecast by the same engine here; what the command answers is printed
beside it. The same for 14 days after the last 25, 40 and 60 values of ``crossing_dev``, of which
the command states an interval of 95 % without a back-test, and after 120, of which it has one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.pooled import READERS, untested, untested_errors
from forecasting.batch_csv import SHORTEST, forecast_frame
from forecasting.engine.build import series_of
from forecasting.engine.calibration import Calibration, interval, pooled_calibration
from forecasting.engine.kinds import DAILY
from forecasting.engine.mixing import mixed
from forecasting.engine.pooled import PooledFigures
from forecasting.gridded import Raw, split
from forecasting.history import History
from forecasting.prepare import clean
from mqcap.domain.metric import Statistic

HOURS: Final = 24
LONG_DAYS: Final = 40
"""Days from which ``AHEAD_DAYS`` are held out instead of ``FEW_AHEAD_DAYS`` (ours)."""
AHEAD_DAYS: Final = 14
FEW_AHEAD_DAYS: Final = 4
CUT: Final = (25, 40, 60, 120)
"""Numbers of values to which histories of ``crossing_dev`` are cut."""
TAIL: Final = 0.1
"""Share of the errors beyond either end of an 80 % interval."""


def main() -> None:
    """Print the shares inside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data
    history, truth = held_out(daily_peaks(READERS["h"](folder)))
    days = READERS["D"](folder)
    row = untested("D", untested_errors(days, "D"), TAIL)
    answered = forecast_frame(history, horizon=AHEAD_DAYS, freq="D")
    counts = history.groupby("unique_id").size()
    for name, forecasts in (
        ("engine, interval of 80 %", interval_frame(history, row)),
        ("mqcap forecast-csv, as it answers", answered),
    ):
        shares = inside(truth, forecasts)
        for words, part in (
            ("all", shares),
            (f"fewer than {SHORTEST} values", shares[counts < SHORTEST]),
            (f"{SHORTEST} values or more", shares[counts >= SHORTEST]),
        ):
            print(f"{name}: {words}: {_text(part)}")
    for count in CUT:
        past, coming = cut(days, count)
        shares = inside(coming, forecast_frame(past, horizon=AHEAD_DAYS, freq="D"))
        print(f"mqcap forecast-csv, 95 %: crossing_dev, {count} values: {_text(shares)}")


def _text(shares: pd.Series[float]) -> str:
    error = shares.std() / np.sqrt(len(shares))
    return f"{shares.mean():.3f} +- {error:.3f}, {len(shares)} series"


def daily_peaks(hours: pd.DataFrame) -> pd.DataFrame:
    """Return the highest hour of each day of which all hours are known: ``unique_id, ds, y``."""
    known = hours.dropna(subset=["y"])
    days = pd.to_datetime(known["ds"]).dt.normalize()
    found = known.groupby(["unique_id", days])["y"].agg(["max", "size"]).reset_index()
    complete = found[found["size"] == HOURS]
    return complete.rename(columns={"max": "y"})[["unique_id", "ds", "y"]]


def held_out(peaks: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the days before the last ones of each series, and the last ones."""
    days = peaks.groupby("unique_id")["y"].transform("size")
    ahead = np.where(days >= LONG_DAYS, AHEAD_DAYS, FEW_AHEAD_DAYS)
    is_last = peaks.groupby("unique_id").cumcount(ascending=False) < ahead
    return peaks[~is_last], peaks[is_last]


def cut(days: pd.DataFrame, count: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the last ``AHEAD_DAYS`` values of each series, and the ``count`` before them first."""
    back = days.groupby("unique_id").cumcount(ascending=False)
    is_past = (back >= AHEAD_DAYS) & (back < AHEAD_DAYS + count)
    return days[is_past], days[back < AHEAD_DAYS]


def interval_frame(history: pd.DataFrame, row: PooledFigures) -> pd.DataFrame:
    """Return ``unique_id, ds, lo, hi`` of ``AHEAD_DAYS`` days, however few the values are."""
    shared = pooled_calibration(row, AHEAD_DAYS)
    return pd.concat([_interval(raw, shared) for raw in split(history, DAILY)])


def _interval(raw: Raw, shared: Calibration) -> pd.DataFrame:
    day = raw.first.astype("datetime64[D]")
    values = clean(History(raw.unique_id, Statistic.peak, day, raw.values)).values
    made = mixed(series_of(values, raw.first, DAILY, AHEAD_DAYS), AHEAD_DAYS)
    lower, upper = interval(made, shared)
    days = day + np.arange(len(values), len(values) + AHEAD_DAYS)
    return pd.DataFrame({"unique_id": raw.unique_id, "ds": days, "lo": lower, "hi": upper})


def inside(truth: pd.DataFrame, forecasts: pd.DataFrame) -> pd.Series[float]:
    """Return the share of the days of each series that are inside their interval, by its id."""
    both = truth.merge(forecasts, on=["unique_id", "ds"])
    is_inside = (both["lo"] <= both["y"]) & (both["y"] <= both["hi"])
    return is_inside.astype(np.float64).groupby(both["unique_id"]).mean()


if __name__ == "__main__":
    main()
