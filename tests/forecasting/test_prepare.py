"""Cleaning keeps load, removes artefacts, and refuses with a reason."""

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.options import ForecastOptions
from forecasting.prepare import Prepared, _residual, clean, prepare
from tests.forecasting.builders import CUTOFF, DAYS, history, month_end, noise, weekly

LEVEL = 10 + weekly() + noise(scale=0.2)
TIME = np.arange(DAYS)


def prepared(values: FloatArray) -> Prepared:
    return prepare(history(values, last=CUTOFF), ForecastOptions(), CUTOFF)


@pytest.mark.parametrize(
    "values",
    [
        LEVEL,
        LEVEL + month_end(size=8.0),
        0.5 * 2.0 ** (TIME / 200) * np.where(TIME % 7 < 5, 1.0, 0.4),
        LEVEL + np.where(TIME >= DAYS - 6, 15.0, 0.0),
        np.where(TIME % 3 == 0, 2.0 + np.abs(noise(scale=0.01)), 0.0),
        LEVEL + np.where((TIME >= DAYS - 21) & (TIME % 7 >= 5), -6.0, 0.0),
    ],
    ids=[
        "clean data",
        "month-ends",
        "a weekend that grows in step with the load",
        "a new level",
        "zeros of a metric that is often zero",
        "a weekend dip that began lately",
    ],
)
def test_load_stays(values: FloatArray) -> None:
    assert prepared(values).removed_count == 0


@pytest.mark.parametrize("artefact", [500.0, 30.0, 0.0, -3.0, 2.0])
def test_an_artefact_becomes_a_missing_day(artefact: float) -> None:
    values = LEVEL.copy()
    values[[100, 250]] = artefact
    cleaned = clean(history(values, last=CUTOFF))
    assert np.flatnonzero(~cleaned.observed).tolist() == [100, 250]
    assert prepared(values).removed_count == 2


def test_an_artefact_beside_month_end_peaks_still_goes() -> None:
    values = LEVEL + month_end(size=8.0)
    values[200] = 60.0
    assert np.flatnonzero(~clean(history(values, last=CUTOFF)).observed).tolist() == [200]


@pytest.mark.parametrize(
    ("size", "goes"), [(-6.0, True), (70.0, False), (90.0, True), (900.0, True)]
)
def test_a_month_end_that_is_off_like_no_other_goes(size: float, goes: bool) -> None:
    peaks = month_end(size=8.0)
    values = LEVEL + peaks
    artefact = int(np.flatnonzero(peaks)[6])
    values[artefact] += size - 8.0
    left_out = np.flatnonzero(~clean(history(values, last=CUTOFF)).observed).tolist()
    assert left_out == ([artefact] if goes else [])


def test_an_outage_of_a_week_is_removed_completely() -> None:
    values = LEVEL.copy()
    values[300:307] = 0.0
    assert prepared(values).removed_count == 7


@pytest.mark.parametrize(
    ("before", "removed"), [(0.0, 1), (6.0, 1), (8.5, 0), (15.0, 0), (-8.5, 1)]
)
def test_the_last_day_stays_where_the_day_before_was_half_as_far_off(
    before: float, removed: int
) -> None:
    values = 20 + noise(scale=0.2)
    values[-2:] += (before, 15.0)
    cleaned = clean(history(values, last=CUTOFF))
    assert bool(np.isnan(cleaned.values[-1])) is bool(removed)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (LEVEL[:12], "12 days of data, 60 needed"),
        (LEVEL[:1], "1 day of data, 60 needed"),
        (np.full(90, np.nan), "no data"),
        (np.where(TIME % 4 == 0, LEVEL, np.nan), "gaps: 100 of 397 days have data"),
        (
            np.where(TIME < DAYS - 31, LEVEL, np.nan),
            "no data in the last 31 days, at most 14 may be missing",
        ),
    ],
)
def test_a_series_without_substance_is_refused_with_the_reason(
    values: FloatArray, reason: str
) -> None:
    refusal = prepared(values).refusal
    assert refusal is not None
    assert refusal.startswith(reason)


def test_removed_days_are_named_in_the_refusal() -> None:
    values = np.where(np.arange(62) < 5, 0.0, 10.0)
    assert prepared(values).refusal == "57 days of data (5 left out as outliers), 60 needed"


def test_a_series_of_one_value_is_refused_as_constant() -> None:
    assert prepared(np.full(DAYS, 42.0)).refusal == "constant: all 400 days have the value 42"


@pytest.mark.parametrize(("weeks", "removed"), [([0, 2], 2), ([0, 1, 2], 0), ([0, 1, 2, 3], 0)])
def test_a_day_that_is_odd_in_most_of_five_weeks_is_no_artefact(
    weeks: list[int], removed: int
) -> None:
    values = LEVEL.copy()
    values[[200 + 7 * week for week in weeks]] += 20.0
    assert prepared(values).removed_count == removed


def test_artefacts_of_opposite_directions_a_week_apart_still_go() -> None:
    values = LEVEL.copy()
    values[[200, 207, 214]] += [20.0, -5.0, 20.0]
    assert prepared(values).removed_count == 3


def test_the_residual_is_what_neither_the_median_around_nor_the_weekday_has() -> None:
    values = np.where(np.arange(60) % 7 == 3, 15.0, 10.0)
    values[30] = 40.0
    residual = _residual(history(values, last=CUTOFF))
    assert np.flatnonzero(residual).tolist() == [30]
    assert residual[30] == 40.0 - 10.0


def test_the_residual_of_a_gap_and_of_a_weekday_never_seen_is_unknown() -> None:
    values = np.full(70, 10.0)
    values[5::7] = np.nan
    values[20:60] = np.nan
    residual = _residual(history(values, last=CUTOFF))
    assert np.isnan(residual).tolist() == np.isnan(values).tolist()
    assert np.isnan(_residual(history(np.full(20, np.nan), last=CUTOFF))).all()
