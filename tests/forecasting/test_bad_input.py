"""Odd series: an answer with a wide interval or none with a reason; never a crash or NaN."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import pytest

from forecasting.arrays import FloatArray
from forecasting.batch_csv import crossing_frame, forecast_frame, status_frame

COUNT: Final = 289
HOURS: Final = np.arange(COUNT)
DAY: Final = 20 + 5 * np.sin(2 * np.pi * HOURS / 24) + np.random.default_rng(1).normal(0, 1, COUNT)
SPIKE: Final = np.where(HOURS == 140, 100.0, 0.0)
ODD: Final[dict[str, FloatArray]] = {
    "three points": DAY[:3],
    "constant": np.full(COUNT, 5.0),
    "zeros and one spike": SPIKE,
    "zeros": np.zeros(COUNT),
    "hole of half its length": np.where((HOURS > 70) & (HOURS < 215), np.nan, DAY),
    "huge": DAY * 1e298,
    "tiny": DAY * 1e-301,
    "one huge": np.where(HOURS == 200, 1e300, DAY),
    "one tiny": np.where(HOURS == 200, 1e-300, DAY),
    "one negative": np.where(HOURS == 200, -5.0, DAY),
    "infinite": np.where(HOURS == 200, np.inf, DAY),
    "changes at the end": np.where(HOURS < COUNT - 2, 3.0, 4.0),
}
NORMAL_RANGE: Final = 1.96 * 2
"""Of the noise of ``DAY``: an interval that is less than half as wide is too sure."""


def table(names: list[str], freq: str) -> pd.DataFrame:
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "unique_id": name,
                    "ds": pd.date_range("2025-03-25", periods=len(ODD[name]), freq=freq),
                    "y": ODD[name],
                }
            )
            for name in names
        ]
    )


@pytest.fixture(scope="module")
def hourly() -> pd.DataFrame:
    return forecast_frame(table(list(ODD), "h"), horizon=48, freq="h")


@pytest.mark.parametrize("name", ODD)
def test_every_odd_series_is_answered(hourly: pd.DataFrame, name: str) -> None:
    result = hourly[hourly["unique_id"] == name]
    assert len(result) == 48
    assert np.isfinite(result[["yhat", "lo", "hi"]]).all(axis=None)
    assert (result["lo"] <= result["yhat"]).all()
    assert (result["yhat"] <= result["hi"]).all()


@pytest.mark.parametrize("name", ODD)
def test_no_interval_is_narrow(hourly: pd.DataFrame, name: str) -> None:
    result = hourly[hourly["unique_id"] == name]
    width = (result["hi"] - result["lo"]).mean()
    size = {"huge": 1e298, "tiny": 1e-301}.get(name, 1.0)
    least = {"constant": 5.0, "zeros": 1.0, "zeros and one spike": 100.0, "changes at the end": 1.0}
    assert width >= least.get(name, NORMAL_RANGE / 2) * size


@pytest.mark.parametrize("name", ["one huge", "one tiny", "one negative", "infinite"])
def test_a_value_that_cannot_be_moves_nothing(hourly: pd.DataFrame, name: str) -> None:
    result = hourly[hourly["unique_id"] == name]
    assert result["yhat"].between(12, 28).all()
    assert (result["hi"] < 80).all()


def test_what_is_not_modelled_says_why() -> None:
    status = status_frame(table(list(ODD), "h"), freq="h").set_index("unique_id")["status"]
    assert status[status != "modelled"].to_dict() == {
        "three points": "short",
        "constant": "constant",
        "zeros": "constant",
    }


def test_sizes_do_not_change_dates() -> None:
    names = ["huge", "tiny"]
    daily = table(names, "D")
    last = daily["ds"].max()
    limits = pd.DataFrame({"unique_id": names, "threshold": [26e298, 26e-301], "origin": last})
    dated = crossing_frame(daily, limits)
    assert dated["prob_180"].iloc[0] == pytest.approx(dated["prob_180"].iloc[1], abs=0.05)
    assert dated["prob_180"].iloc[0] > 0
