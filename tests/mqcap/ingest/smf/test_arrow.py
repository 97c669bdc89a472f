from __future__ import annotations

import pyarrow as pa
import pytest

from mqcap.ingest.smf.arrow import (
    shortened,
)


@pytest.mark.parametrize(
    "array",
    [
        pa.array([7, 7, 7], pa.int64()),
        pa.array([7, 7, 7], pa.int32()),
        pa.array([0.1, 0.1, 0.1]),
        pa.array([5, 7, 7, 7, 5], pa.timestamp("us", "UTC")).slice(1, 3),
        pa.array(["a", "a", "a"]).dictionary_encode(),
        pa.nulls(3, pa.dictionary(pa.int32(), pa.string())),
        pa.nulls(3, pa.float64()),
    ],
    ids=str,
)
def test_a_constant_is_shortened_to_one_value_and_repeated(array: pa.Array) -> None:
    short = shortened(array)
    assert len(short) == 1
    again = pa.repeat(short[0], 3)
    assert again.type == array.type
    assert again.to_pylist() == array.to_pylist()


@pytest.mark.parametrize(
    "array",
    [
        pa.array([7, 7, 8]),
        pa.array([7, None, 7]),
        pa.array([0.0, -0.0, 0.0]),
        pa.array(["a", "b", "a"]).dictionary_encode(),
        pa.array(["a", None, "a"]).dictionary_encode(),
        pa.array([7]),
        pa.array([], pa.int64()),
    ],
    ids=str,
)
def test_what_differs_anywhere_stays_as_it_is(array: pa.Array) -> None:
    assert shortened(array) is array
