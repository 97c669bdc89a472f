"""Series on their grid."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from forecasting.engine.kinds import DAILY, HOURLY
from forecasting.gridded import Raw, split
from mqcap.domain.errors import InputError


def _split(times: list[str], values: list[float]) -> Raw:
    frame = pd.DataFrame({"unique_id": "a", "ds": times, "y": values})
    (raw,) = split(frame, HOURLY)
    return raw


def test_missing_hours_are_nan_and_equal_ones_count_with_their_mean() -> None:
    raw = _split(["2025-03-30 01:00", "2025-03-30 03:00", "2025-03-30 03:00"], [1.0, 2.0, 4.0])
    assert raw.values == pytest.approx([1.0, np.nan, 3.0], nan_ok=True)


@pytest.mark.parametrize(
    "times",
    [
        ["2025-03-30T01:00+01:00", "2025-03-30T03:00+02:00", "2025-03-30T04:00+02:00"],
        ["2025-10-26T01:00+02:00", "2025-10-26T02:00+02:00", "2025-10-26T02:00+01:00"],
    ],
    ids=["forward", "back"],
)
def test_a_change_of_clocks_neither_leaves_nor_doubles_an_hour(times: list[str]) -> None:
    raw = _split(times, [1.0, 2.0, 3.0])
    assert raw.values.tolist() == [1.0, 2.0, 3.0]
    assert raw.first == pd.Timestamp(times[0]).tz_convert(None).to_datetime64()


def test_very_large_values_are_divided() -> None:
    raw = _split(["2025-01-01 00:00", "2025-01-01 01:00"], [1e300, 2e300])
    assert raw.values.max() < 2
    assert np.ldexp(raw.values, raw.exponent).tolist() == [1e300, 2e300]


def test_an_origin_ends_the_series_or_leaves_it_empty() -> None:
    days = pd.date_range("2025-01-01", periods=4)
    frame = pd.DataFrame({"unique_id": "a", "ds": days, "y": [1.0, 2.0, 3.0, 4.0]})
    for last, left in (("2025-01-03", [1.0, 2.0, 3.0]), ("2024-12-31", [np.nan])):
        (raw,) = split(frame, DAILY, pd.Series({"a": pd.Timestamp(last)}))
        assert raw.values == pytest.approx(left, nan_ok=True)


def test_half_an_hour_is_refused() -> None:
    with pytest.raises(InputError, match="off its grid"):
        _split(["2025-01-01 00:00", "2025-01-01 00:30"], [1.0, 2.0])


def test_times_with_and_without_an_offset_may_be_mixed() -> None:
    raw = _split(["2025-01-01 00:00:00", "2025-01-01T02:00:00+01:00"], [1.0, 2.0])
    assert raw.values.tolist() == [1.0, 2.0]


def test_a_time_that_cannot_be_read_is_named() -> None:
    with pytest.raises(InputError, match=r"a time cannot be read.*01\.02\.2025 soon"):
        _split(["2025-01-01 00:00", "01.02.2025 soon"], [1.0, 2.0])
