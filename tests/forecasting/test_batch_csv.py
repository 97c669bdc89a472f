"""The file contract: every series answered, consistent figures, equal bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from forecasting.batch_csv import Files, crossing_frame, forecast_frame, run_files, status_frame
from mqcap.domain.errors import ConfigurationError, InputError

pytestmark = pytest.mark.thorough

DAYS = pd.date_range("2025-01-01", periods=300)
NOISE = np.random.default_rng(4).normal(0, 1, 300)
TIME = np.arange(300)
LAST = DAYS[-1]


def history(**series: object) -> pd.DataFrame:
    blocks = [
        pd.DataFrame({"unique_id": name, "ds": DAYS[-len(values) :], "y": values})
        for name, values in (
            (name, np.asarray(values, dtype=np.float64)) for name, values in series.items()
        )
    ]
    return pd.concat(blocks, ignore_index=True)


def growing(size: float = 0.1) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(50 + size * TIME + 3 * (DAYS.dayofweek.to_numpy() < 5) + NOISE)


def row(frame: pd.DataFrame, name: str) -> dict[str, Any]:
    (result,) = frame[frame["unique_id"] == name].to_dict("records")
    return {str(key): value for key, value in result.items()}


def thresholds(**limits: float) -> pd.DataFrame:
    return pd.DataFrame(
        {"unique_id": list(limits), "threshold": list(limits.values()), "origin": str(LAST.date())}
    )


ODD = {
    "constant": np.full(200, 5.0),
    "thirty": 10 + NOISE[:30],
    "one": [3.0],
    "zeros": np.zeros(200),
    "nothing": np.full(50, np.nan),
    "silent_month": np.where(TIME < 270, growing(), np.nan),
    "mixed_signs": NOISE,
    "sparse": np.where(TIME % 9 == 0, growing(), np.nan),
}


@pytest.fixture(scope="module")
def odd_forecasts() -> pd.DataFrame:
    return forecast_frame(history(**ODD), horizon=14, freq="d")


@pytest.mark.parametrize("name", ODD)
def test_every_series_is_answered(odd_forecasts: pd.DataFrame, name: str) -> None:
    result = odd_forecasts[odd_forecasts["unique_id"] == name]
    assert result["ds"].tolist() == list(pd.date_range(LAST + pd.Timedelta(days=1), periods=14))
    if name != "nothing":
        assert (result["lo"] <= result["yhat"]).all()
        assert (result["yhat"] <= result["hi"]).all()


def test_every_series_has_a_status() -> None:
    status = status_frame(history(**ODD), freq="d").set_index("unique_id")
    assert status["status"].to_dict() == {
        "constant": "constant",
        "thirty": "modelled",
        "one": "short",
        "zeros": "constant",
        "nothing": "empty",
        "silent_month": "modelled",
        "mixed_signs": "modelled",
        "sparse": "modelled",
    }
    assert status.loc["silent_month", "values"] == 270


def test_a_series_without_values_has_empty_cells(odd_forecasts: pd.DataFrame) -> None:
    result = odd_forecasts[odd_forecasts["unique_id"] == "nothing"]
    assert result[["yhat", "lo", "hi"]].isna().all(axis=None)


def test_a_constant_series_stays_what_it_is_and_need_not(odd_forecasts: pd.DataFrame) -> None:
    result = odd_forecasts[odd_forecasts["unique_id"] == "constant"]
    assert (result[["yhat", "lo", "hi"]] == [5.0, 2.5, 7.5]).all(axis=None)


def test_growth_and_weekdays_go_on() -> None:
    predicted = forecast_frame(history(a=growing()), horizon=28, freq="d")
    ahead = np.arange(300, 328)
    weekdays = predicted["ds"].dt.dayofweek.to_numpy() < 5
    assert np.abs(predicted["yhat"] - (50 + 0.1 * ahead + 3 * weekdays)).mean() < 1.5


@pytest.mark.parametrize(("freq", "count", "period"), [("h", 400, 24), ("w", 160, 1)])
def test_hourly_and_weekly_series_are_understood(freq: str, count: int, period: int) -> None:
    unit = {"h": "h", "w": "W-SUN"}[freq]
    times = pd.date_range("2025-01-05", periods=count, freq=unit)
    values = 20 + 5 * np.sin(2 * np.pi * np.arange(count) / 24) * (period > 1)
    values = values + np.random.default_rng(1).normal(0, 0.3, count)
    frame = pd.DataFrame({"unique_id": "a", "ds": times, "y": values})
    predicted = forecast_frame(frame, horizon=12, freq=freq)
    truth = 20 + 5 * np.sin(2 * np.pi * np.arange(count, count + 12) / 24) * (period > 1)
    assert np.abs(predicted["yhat"] - truth).mean() < 0.6
    assert predicted["ds"].iloc[0] == times[-1] + (times[1] - times[0])


def test_dates_and_probabilities_agree_with_each_other() -> None:
    frame = history(near=growing(), far=growing(0.0), odd=ODD["one"])
    dated = crossing_frame(frame, thresholds(near=86.0, far=200.0, odd=9.0))
    near, far, odd = (row(dated, name) for name in ("near", "far", "odd"))
    assert near["p10"] <= near["p50"]
    assert near["prob_30"] <= near["prob_60"] <= near["prob_90"] <= near["prob_180"]
    assert 10 <= (pd.Timestamp(near["p50"]) - LAST).days <= 60
    assert near["prob_60"] >= 0.5
    assert far["prob_180"] < 0.05
    assert pd.isna(far["p10"])
    assert all(pd.isna(odd[name]) for name in ("p10", "p50", "p90", "prob_30", "prob_180"))


def test_values_after_the_origin_are_not_seen() -> None:
    frame = history(a=growing())
    limits = thresholds(a=90.0).assign(origin="2025-09-01")
    known = frame[frame["ds"] <= "2025-09-01"]
    pd.testing.assert_frame_equal(crossing_frame(frame, limits), crossing_frame(known, limits))


def _written(folder: Path, frame: pd.DataFrame, processes: int) -> bytes:
    folder.mkdir()
    frame.to_csv(folder / "history.csv", index=False)
    thresholds(a=90.0, b=75.0).to_csv(folder / "limits.csv", index=False)
    counts = run_files(
        Files(
            folder / "history.csv",
            folder / "forecasts.csv",
            folder / "limits.csv",
            folder / "crossings.csv",
        ),
        horizon=7,
        freq="d",
        processes=processes,
    )
    assert counts == {"series": 2, "thresholds": 2}
    return (folder / "forecasts.csv").read_bytes() + (folder / "crossings.csv").read_bytes()


def test_processes_and_order_of_rows_change_no_byte(tmp_path: Path) -> None:
    frame = history(a=growing(), b=growing(0.05))
    alone = _written(tmp_path / "one", frame, 1)
    shuffled = frame.sample(frac=1.0, random_state=3)
    assert _written(tmp_path / "two", shuffled, 2) == alone
    assert alone.startswith(b"unique_id,ds,yhat,lo,hi\n")


def test_a_file_without_its_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    path.write_text("id,when,value\n", encoding="ascii")
    with pytest.raises(InputError, match="expected unique_id, ds, y"):
        run_files(Files(path, tmp_path / "out.csv"), horizon=7, freq="d")


def test_times_off_the_grid_are_refused() -> None:
    frame = history(a=growing())
    late = pd.Timedelta(hours=5) * (np.arange(len(frame)) == 5)
    frame["ds"] = frame["ds"] + late
    with pytest.raises(InputError, match="off its grid"):
        forecast_frame(frame, horizon=7, freq="d")


def test_an_unknown_frequency_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="h, d or w"):
        forecast_frame(history(a=growing()), horizon=7, freq="month")


wild = st.one_of(st.floats(0, 100), st.sampled_from([0.0, 1.0, np.nan, np.inf, -5.0, 1e20]))


@settings(max_examples=12, deadline=None)
@given(arrays(np.float64, st.integers(1, 160), elements=wild))
def test_no_values_at_all_break_a_run(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    frame = history(wild=values)
    predicted = forecast_frame(frame, horizon=5, freq="d")
    assert len(predicted) == 5
    assert not (predicted["lo"] > predicted["hi"]).any()
    assert len(crossing_frame(frame, thresholds(wild=50.0))) == 1
