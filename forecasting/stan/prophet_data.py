"""Observed days of a series as Prophet has them: linear growth, all effects additive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from forecasting.arrays import DayArray, FloatArray, IndexArray
from forecasting.engine.design import Season
from forecasting.specification import Configuration


@dataclass(frozen=True)
class ProphetData:
    """One row per observed day."""

    days: DayArray
    values: FloatArray
    """On the model's scale."""
    scale: float
    """Largest absolute value."""
    configuration: Configuration
    bends: IndexArray
    """Numbers of the days at which the slope may change, one at least."""
    seasons: Mapping[str, Season]
    """Seasons in days by name, in the order of their columns; ``weekly`` is one."""
    names: tuple[str, ...]
    """Of the regressors."""
    regressors: FloatArray
    """One column per name."""
    regressor_prior: float

    @property
    def epoch_days(self) -> IndexArray:
        """The days counted from 1970-01-01."""
        return self.days.astype("datetime64[D]").astype(np.int64)

    @property
    def span_days(self) -> float:
        """Days from the first to the last one."""
        return float((self.days[-1] - self.days[0]).astype(np.int64))

    @property
    def times(self) -> FloatArray:
        """The days from 0 to 1."""
        return np.asarray((self.days - self.days[0]).astype(np.int64) / self.span_days)

    @property
    def scaled(self) -> FloatArray:
        """The values as shares of the largest absolute one."""
        return self.values / self.scale
