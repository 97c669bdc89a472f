"""Autoregression of residuals: what the last ones say about the next days."""

from typing import Final

import numpy as np

from forecasting.arrays import FloatArray

RIDGE: Final = 1e-3
"""Shrinkage of the autoregression, as a share of the residual variance."""
MAX_AMPLIFICATION: Final = 1.5
"""An autoregression that exceeds its largest start value by more is damped (ours)."""
DAMPING: Final = 0.97


def residual_path(residuals: FloatArray, lags: tuple[int, ...], horizon: int) -> FloatArray:
    """Return the residuals expected after the history, by ridge autoregression on ``lags``."""
    finite = np.where(np.isfinite(residuals), residuals, 0.0)
    usable = tuple(lag for lag in lags if 4 * lag <= len(finite))
    if not usable or not finite.any():
        return np.zeros(horizon)
    longest = max(usable)
    rows = np.column_stack([finite[longest - lag : len(finite) - lag] for lag in usable])
    target = finite[longest:]
    gram = rows.T @ rows
    gram[np.diag_indices(len(usable))] += RIDGE * float(finite @ finite) + 1e-12
    weights = np.asarray(np.linalg.solve(gram, rows.T @ target), dtype=np.float64)
    bound = MAX_AMPLIFICATION * float(np.abs(finite[-longest:]).max())
    for _ in range(4):
        path = _continued(finite, usable, weights, horizon)
        if np.abs(path).max() <= bound:
            return path
        weights = np.asarray(weights * DAMPING ** np.asarray(usable) * 0.9, dtype=np.float64)
    return np.clip(path, -bound, bound)


def _continued(
    past: FloatArray, lags: tuple[int, ...], weights: FloatArray, horizon: int
) -> FloatArray:
    path = past[-max(lags) :].tolist()
    terms = list(zip(lags, weights.tolist(), strict=True))
    for _ in range(horizon):
        path.append(sum(weight * path[-lag] for lag, weight in terms))
    return np.array(path[max(lags) :])
