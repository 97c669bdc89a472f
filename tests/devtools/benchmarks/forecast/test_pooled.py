"""Pooled figures of forecasts without a back-test."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from devtools.benchmarks.forecast.pooled import HORIZONS, untested, untested_errors
from forecasting.batch_csv import forecast_frame

RNG = np.random.default_rng(3)


def days(name: str, count: int) -> pd.DataFrame:
    times = pd.date_range("2026-03-02", periods=count, freq="D")
    values = 100 + RNG.normal(0, 10, count)
    return pd.DataFrame({"unique_id": name, "ds": times, "y": values})


FRAME = pd.concat([days("a", 38), days("b", 60), days("c", 69), days("d", 400)])


def test_each_series_is_forecast_from_so_few_values_as_it_has() -> None:
    """25, 40 and 55 values before the last 14: 39, 54 and 69 in all."""
    errors = untested_errors(FRAME, "D")
    assert {name: rows.shape for name, rows in errors.items()} == {
        "b": (2, 14),
        "c": (3, 14),
        "d": (3, 14),
    }


def test_an_error_is_in_units_of_the_mean_difference_of_the_same_weekdays() -> None:
    past = FRAME[FRAME["unique_id"] == "b"].tail(39).head(25)
    coming = FRAME[FRAME["unique_id"] == "b"].tail(14)
    forecast = forecast_frame(past, horizon=HORIZONS["D"], freq="D")
    scale = past["y"].diff(7).abs().mean()
    expected = (coming["y"].to_numpy() - forecast["yhat"].to_numpy()) / scale
    assert untested_errors(FRAME, "D")["b"][0] == pytest.approx(expected, rel=1e-3)


def test_the_ends_hold_more_than_the_share_asked_for_where_origins_are_few() -> None:
    errors = untested_errors(pd.concat([days(f"s{number}", 80) for number in range(40)]), "D")
    row = untested("D", errors)
    scaled = np.vstack(list(errors.values())) / np.arange(1, 15) ** row.growth_power
    inside = (scaled >= row.lower) & (scaled <= row.upper)
    assert (row.has_backtest, row.series, row.origins) == (False, 40, 120)
    assert 0.95 <= inside.mean() <= 0.97
