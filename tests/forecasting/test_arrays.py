"""Types of arrays."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from forecasting.arrays import BoolArray, DayArray, FloatArray


@pytest.mark.parametrize(
    ("kind", "element"),
    [(FloatArray, np.float64), (BoolArray, np.bool_), (DayArray, np.datetime64)],
)
def test_each_type_has_one_kind_of_elements(kind: object, element: type[np.generic]) -> None:
    [of] = get_args(get_args(kind)[1])
    assert of is element
