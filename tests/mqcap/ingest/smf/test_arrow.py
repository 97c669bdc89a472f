from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from mqcap.ingest.smf.arrow import column, columns, constant_dictionary, masked, strings


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
