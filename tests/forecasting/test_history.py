"""Histories of any shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting import ForecastOptions, forecast_series
from tests.forecasting.builders import CUTOFF, rows

pytestmark = pytest.mark.thorough


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=True, allow_infinity=True),
            st.sampled_from([0.0, 1.0, -1e300, 1e300, 1e-300]),
        ),
        min_size=1,
        max_size=150,
    ),
    st.sampled_from([None, 100.0]),
)
def test_any_series_at_all_is_answered_without_a_warning(
    values: list[float], ceiling: float | None
) -> None:
    frame = rows(np.array(values), ceiling=ceiling)
    options = ForecastOptions(final_fit="fast", horizon_days=20)
    (made,) = forecast_series(frame, options, CUTOFF)
    assert (made.refusal is None) == (len(made.points) == 20)
    for point in made.points:
        assert np.isfinite([point.lower, point.expected, point.upper]).all()
        assert point.lower <= point.expected <= point.upper
