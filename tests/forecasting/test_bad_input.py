"""Odd series: an answer with a wide interval or none with a reason; never a crash or NaN."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import pytest

from forecasting.arrays import FloatArray
from forecasting.batch_csv import crossing_frame, forecast_frame, status_frame
from tests.forecasting.builders import forecast

COUNT: Final = 289
HOURS: Final = np.arange(COUNT)
DAY: Final = 20 + 5 * np.sin(2 * np.pi * HOURS / 24) + np.random.default_rng(1).normal(0, 1, COUNT)
SPIKE: Final = np.where(HOURS == 140, 100.0, 0.0)
ODD: Final[dict[str, FloatArray]] = {
    "three points": DAY[:3],
    "one point": DAY[:1],
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
    least = {
        "one point": 10.0,
        "constant": 5.0,
        "zeros": 1.0,
        "zeros and one spike": 100.0,
        "changes at the end": 1.0,
    }
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
        "one point": "short",
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


def test_a_change_of_clocks_is_none() -> None:
    utc = pd.date_range("2025-10-20", periods=200, freq="h", tz="UTC")
    local = [f"{time:%Y-%m-%dT%H:%M:%S}{time:%z}" for time in utc.tz_convert("Europe/Copenhagen")]
    local_made, utc_made = (
        forecast_frame(
            pd.DataFrame({"unique_id": "a", "ds": times, "y": DAY[:200]}), horizon=24, freq="h"
        )
        for times in (local, utc.tz_localize(None))
    )
    pd.testing.assert_frame_equal(local_made, utc_made)


PEAKS: Final = 50 + DAY[:120]
DAYS: Final = np.arange(120)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (PEAKS[:3], "3 days of data, 60 needed"),
        (PEAKS[:1], "1 day of data, 60 needed"),
        (np.full(120, 5.0), "constant: all 120 days have the value 5"),
        (np.zeros(120), "constant: all 120 days have the value 0"),
        (np.where((DAYS > 30) & (DAYS < 91), np.nan, PEAKS)[:90], "31 days of data, 60 needed"),
        (
            PEAKS * 1e298,
            "no data (120 left out as outliers): values of 1e+30 and more are no measurements",
        ),
        (
            np.where(DAYS < 60, 1e30, PEAKS)[:119],
            "59 days of data (60 left out as outliers), 60 needed",
        ),
        (PEAKS * 1e-32, "no value is as large as 1e-30"),
        (np.full(120, np.nan), "no data"),
    ],
)
def test_the_daily_run_refuses_what_says_nothing_with_the_reason(
    values: FloatArray, reason: str
) -> None:
    assert forecast(values, final_fit="fast").refusal == reason


def test_values_that_are_no_measurements_are_counted_as_left_out() -> None:
    assert forecast(np.where(DAYS % 40 == 7, 1e30, PEAKS), final_fit="fast").removed_count == 3
    assert forecast(np.where(DAYS % 40 == 7, np.nan, PEAKS), final_fit="fast").removed_count == 0


@pytest.mark.parametrize(
    ("values", "least", "most"),
    [
        (np.where(DAYS == 60, 100.0, 0.0), 2.0, 1.0),
        (np.where((DAYS > 40) & (DAYS < 91), np.nan, PEAKS), 2.5, 100.0),
        (np.where(DAYS == 60, 1e300, PEAKS), 2.5, 100.0),
        (np.where(DAYS == 60, 1e-300, PEAKS), 2.5, 100.0),
        (np.where(DAYS == 60, -5.0, PEAKS), 2.5, 100.0),
        (np.where(DAYS == 60, np.inf, PEAKS), 2.5, 100.0),
        (PEAKS * 1e-28, 2.5e-28, 1e-26),
    ],
    ids=["spike", "hole", "huge", "tiny", "negative", "infinite", "small unit"],
)
def test_the_daily_run_is_neither_moved_nor_sure_by_odd_days(
    values: FloatArray, least: float, most: float
) -> None:
    """``least`` is the width of 80 % of the noise, 1 with a season of 5, or of the spike's.

    ``most`` is the largest median of what is expected.
    """
    made = forecast(values, final_fit="fast")
    assert made.refusal is None
    lines = np.array([(day.lower, day.expected, day.upper) for day in made.every_day])
    assert np.isfinite(lines).all()
    assert (np.diff(lines, axis=1) >= 0).all()
    assert (lines[:, 2] - lines[:, 0]).mean() >= least
    assert np.median(lines[:, 1]) <= most
