from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mqcap.ingest.smf.distinct import among, distinct

NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5), max_size=50)


@given(NUMBERS)
def test_every_value_occurs_once_in_order(values: list[int]) -> None:
    assert distinct(np.array(values, np.int64)).tolist() == sorted(set(values))


@given(NUMBERS, NUMBERS)
def test_values_are_found_among_others(values: list[int], others: list[int]) -> None:
    ordered = distinct(np.array(others, np.int64))
    mask = among(np.array(values, np.int64), ordered)
    assert mask.tolist() == [value in set(others) for value in values]
