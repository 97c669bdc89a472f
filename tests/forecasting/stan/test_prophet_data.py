"""Times and values of a fit are shares of the history and of its largest value."""

from __future__ import annotations

import numpy as np

from forecasting.engine.design import Season
from forecasting.specification import Configuration
from forecasting.stan.prophet_data import ProphetData


def test_times_run_from_0_to_1_over_the_observed_days() -> None:
    data = ProphetData(
        days=np.array(["1970-01-02", "1970-01-03", "1970-01-06"], dtype="datetime64[D]"),
        values=np.array([1.0, -4.0, 2.0]),
        scale=4.0,
        configuration=Configuration(),
        bends=np.array([1]),
        seasons={"weekly": Season(7, 3)},
        names=(),
        regressors=np.empty((3, 0)),
        regressor_prior=10.0,
    )
    assert data.epoch_days.tolist() == [1, 2, 5]
    assert data.span_days == 4.0
    assert data.times.tolist() == [0.0, 0.25, 1.0]
    assert data.scaled.tolist() == [0.25, -1.0, 0.5]
