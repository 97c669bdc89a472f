from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from mqcap.ingest.smf.arrow import (
    column,
    columns,
    constant_dictionary,
    encoded,
    masked,
    shortened,
    strings,
    taken,
)


def flags(*values: bool) -> np.ndarray:
    return np.array(values, np.bool_)


def test_a_column_has_the_values_and_their_type() -> None:
    array = column(np.array([1, -2, 3], np.int32))
    assert array.type == pa.int32()
    assert array.to_pylist() == [1, -2, 3]


def test_a_column_may_have_another_type_of_the_same_width_and_nulls() -> None:
    values = np.array([0, 1_000_000], np.int64)
    array = column(values, pa.timestamp("us", "UTC"), flags(True, False))
    assert array.null_count == 1
    assert array.cast(pa.int64()).to_pylist() == [None, 1_000_000]


def test_without_absent_values_a_column_has_no_nulls() -> None:
    assert column(np.zeros(9, np.float64), absent=flags(*[False] * 9)).null_count == 0


@pytest.mark.parametrize("count", [0, 1, 3])
def test_every_row_of_a_matrix_becomes_a_column(count: int) -> None:
    matrix = np.arange(2 * count, dtype=np.int64).reshape(2, count)
    assert [made.to_pylist() for made in columns(matrix)] == matrix.tolist()


def test_a_column_of_strided_values_is_copied_in_order() -> None:
    assert column(np.arange(10, dtype=np.int64)[::3]).to_pylist() == [0, 3, 6, 9]


def test_arrays_and_dictionaries_are_masked() -> None:
    absent = flags(False, True, False)
    assert masked(pa.array(["a", "b", "c"]), absent).to_pylist() == ["a", None, "c"]
    coded = masked(pa.array(["a", "b", "a"]).dictionary_encode(), absent)
    assert pa.types.is_dictionary(coded.type)
    assert coded.to_pylist() == ["a", None, "a"]


def test_texts_may_be_missing_or_empty() -> None:
    assert strings(["a", None, "", "ø"]).to_pylist() == ["a", None, "", "ø"]
    assert strings([]).to_pylist() == []


def test_a_constant_is_stored_once() -> None:
    array = constant_dictionary(strings(["SYS1"]), 3)
    assert array.to_pylist() == ["SYS1"] * 3
    assert len(array.dictionary) == 1


def test_values_of_rows_are_taken_in_their_order() -> None:
    rows = column(np.array([2, 0, 2], np.int64))
    assert taken(pa.array([1.5, None, -2.0]), rows).to_pylist() == [-2.0, 1.5, -2.0]
    assert taken(pa.array(["a", "b", None]).dictionary_encode(), rows).to_pylist() == [
        None,
        "a",
        None,
    ]


def test_distinct_values_are_numbered_in_the_order_of_their_first_rows() -> None:
    made = encoded(pa.array([b"bb", b"aa", b"bb"], pa.binary(2)))
    assert made.indices.to_pylist() == [0, 1, 0]
    assert made.dictionary.to_pylist() == [b"bb", b"aa"]


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
