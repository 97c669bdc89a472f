"""Daily peaks of real infrastructure inside their intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from devtools.benchmarks.forecast.infra_peaks import (
    AHEAD_DAYS,
    cut,
    daily_peaks,
    held_out,
    inside,
    interval_frame,
)
from forecasting.engine.pooled import pooled_figures


def days(name: str, values: list[float]) -> pd.DataFrame:
    first = pd.Timestamp("2026-03-02")
    times = [first + pd.Timedelta(days=day) for day in range(len(values))]
    return pd.DataFrame({"unique_id": name, "ds": times, "y": values})


def test_a_peak_is_the_highest_hour_of_a_day_with_all_of_its_hours() -> None:
    times = pd.date_range("2026-03-02", periods=60, freq="h")
    hours = pd.DataFrame({"unique_id": "a", "ds": times, "y": np.arange(60.0)})
    hours.loc[30, "y"] = np.nan
    peaks = daily_peaks(hours)
    assert peaks.to_numpy().tolist() == [["a", pd.Timestamp("2026-03-02"), 23.0]]


def test_the_last_days_are_held_out_more_of_a_long_series() -> None:
    past, coming = held_out(pd.concat([days("a", [1.0] * 11), days("b", [1.0] * 50)]))
    assert past.groupby("unique_id").size().to_dict() == {"a": 7, "b": 36}
    assert coming.groupby("unique_id")["ds"].min().to_dict() == {
        "a": pd.Timestamp("2026-03-09"),
        "b": pd.Timestamp("2026-04-07"),
    }


def test_a_history_is_cut_to_the_values_before_the_last_days() -> None:
    past, coming = cut(pd.concat([days("a", list(range(50))), days("b", list(range(60)))]), 25)
    assert past.groupby("unique_id")["y"].agg(["min", "max"]).to_numpy().tolist() == [
        [11, 35],
        [21, 45],
    ]
    assert coming.groupby("unique_id").size().tolist() == [AHEAD_DAYS, AHEAD_DAYS]


def test_the_share_inside_is_that_of_the_days_after_the_history() -> None:
    past = days("a", [10.0, 12.0, 11.0, 10.0, 13.0, 12.0, 11.0])
    made = interval_frame(past, pooled_figures("D"))
    assert made["ds"].min() == pd.Timestamp("2026-03-09")
    assert len(made) == AHEAD_DAYS
    assert (made["lo"] < made["hi"]).all()
    coming = days("a", [0.0] * 7 + [made["hi"].iloc[0], 1e3, made["lo"].iloc[2], -1e3]).iloc[7:]
    assert inside(coming, made)["a"] == pytest.approx(0.5)
