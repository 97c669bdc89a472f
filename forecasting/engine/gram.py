"""Moments of the observed rows of a design, for all targets that are observed on the same steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from forecasting.arrays import BoolArray, FloatArray
from forecasting.engine.design import Design
from forecasting.engine.solver import Moments


@dataclass(frozen=True)
class Gram:
    """The observed rows, weighted and multiplied with themselves; ``None`` is no weights."""

    weighted: FloatArray
    gram: FloatArray
    weights: FloatArray | None

    def moments(self, target: FloatArray) -> Moments:
        """Return the moments with a value per observed row; values scaled by the caller."""
        weighted = target if self.weights is None else target * self.weights
        return Moments(
            gram=self.gram,
            cross=target @ self.weighted,
            square=float(target @ weighted),
            count=float(len(target) if self.weights is None else self.weights.sum()),
        )


def gram_of(plan: Design, observed: BoolArray, half_life: float | None = None) -> Gram:
    """Return what the observed rows have in common, by age where they have a half life in steps."""
    count = len(observed)
    rows = plan.columns[:count][observed]
    if half_life is None:
        return Gram(rows, rows.T @ rows, None)
    ages = count - 1 - np.flatnonzero(observed)
    weights = np.exp2(-ages / half_life)
    weighted = rows * weights[:, None]
    return Gram(weighted, rows.T @ weighted, weights)
