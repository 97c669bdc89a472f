"""Arithmetic of Arrow tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

from spark_apps.attribution.tables import (
    group_numbers,
    grouped,
    measured,
    number,
    numbers,
    summed_over,
    whole,
)

START = datetime(2026, 3, 10, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.49999999999999994, 0),
        (0.5, 1),
        (1.4, 1),
        (2.5, 3),
        (-0.5, -1),
        (-0.4, 0),
        (9_007_199_254_740_993.0, 9_007_199_254_740_992),
    ],
)
def test_halves_are_rounded_away_from_zero(value: float, expected: int) -> None:
    assert whole(np.array([value])).tolist() == [expected]


def test_a_counter_that_a_record_lacks_is_zero() -> None:
    table = pa.table({"whole": [3, None], "float": [2.5, None]})
    assert number(table, "whole").tolist() == [3, 0]
    assert number(table, "float").tolist() == [3, 0]


def test_the_numbers_of_a_slice_are_its_own() -> None:
    assert numbers(pa.array([1, 2, 3])[1:]).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("length", "kept"),
    [
        (timedelta(0), 0),
        (timedelta(microseconds=1), 1),
        (timedelta(hours=25), 1),
        (timedelta(hours=25, microseconds=1), 0),
    ],
)
def test_an_interval_has_a_length_of_at_most_25_hours(length: timedelta, kept: int) -> None:
    times = {"interval_start_utc": [START], "interval_end_utc": [START + length]}
    kind = pa.timestamp("us", tz="UTC")
    table = pa.table({name: pa.array(value, kind) for name, value in times.items()})
    assert measured(table).num_rows == kept


def test_rows_are_added_up_by_key_and_a_missing_name_is_a_key_as_well() -> None:
    encoded = pa.array(["A", None, "A", None]).dictionary_encode()
    table = pa.table({"name": encoded, "count": [1, 2, 3, 4], "rate": [5, 6, 7, 8]})
    assert grouped(table, ["name"], ["count"], ["rate"]).to_pylist() == [
        {"name": "A", "count": 4, "rate": 7},
        {"name": None, "count": 6, "rate": 8},
    ]
    assert summed_over(table, ["name"], "count").tolist() == [4, 6, 4, 6]


def test_keys_are_numbered_from_zero() -> None:
    table = pa.table({"a": ["X", "Y", "X", "X"], "b": [1, 1, 2, 1]})
    one, two, three, four = group_numbers(table, ["a", "b"]).tolist()
    assert one == four
    assert {one, two, three} == {0, 1, 2}
    assert group_numbers(table.slice(0, 0), ["a"]).tolist() == []
