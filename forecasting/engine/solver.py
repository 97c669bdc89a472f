"""The exact optimum of Prophet's posterior for linear growth and additive features.

For a given noise deviation s the posterior is a ridge regression with an L1 term on the slope
changes; given the coefficients, the best s has a closed form. The two are alternated. The ridge
block is eliminated once per s, and the slope changes are found by an active-set method
(feature-sign search), exactly and in finitely many steps.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray, IndexArray
from forecasting.engine.design import TREND_COLUMNS, Design

SIGMA_PRIOR_SD: Final = 0.5
"""Prior deviation of Prophet's noise: adds 2 s^2 to the objective."""
MAX_ROUNDS: Final = 60
NOISE_TOLERANCE: Final = 1e-9
"""Relative change of the noise variance at which it ends."""
MIN_VARIANCE: Final = 1e-9
"""Of values scaled to 1: below it a series is fitted exactly."""
MAX_SLOPE: Final = 0.9
"""Steepest contraction of the noise that is extrapolated (ours)."""
MAX_STEPS: Final = 400
SLACK: Final = 1e-9
"""Relative tolerance of the optimality conditions of inactive slope changes."""


@dataclass(frozen=True)
class Moments:
    """Sufficient statistics of the observed rows: Z'Z, Z'y, y'y and their number."""

    gram: FloatArray
    cross: FloatArray
    square: float
    count: float


@dataclass(frozen=True)
class Fit:
    """Coefficients in the order of the design's columns, and the noise deviation."""

    coefficients: FloatArray
    sigma: float


def solve(plan: Design, data: Moments, tau: float) -> Fit:
    """The maximum of the posterior; ``tau`` is Prophet's changepoint prior scale."""
    ramps = np.arange(TREND_COLUMNS, TREND_COLUMNS + plan.ramp_count)
    free = np.delete(np.arange(len(plan.precision)), ramps)
    ridge, precision = data.gram[free[:, None], free], plan.precision[free]
    mixed, bent = data.gram[free[:, None], ramps], data.gram[ramps[:, None], ramps]
    sides = np.column_stack([data.cross[free], mixed])
    variance = max(0.01 * data.square / max(data.count, 1.0), MIN_VARIANCE)
    slopes = np.zeros(len(ramps))
    coefficients = np.zeros(len(plan.precision))
    before: tuple[float, float] | None = None
    for _ in range(MAX_ROUNDS):
        block = ridge.copy()
        block.flat[:: len(block) + 1] += variance * precision
        solved = _solved(block, sides)
        base, response = solved[:, 0], solved[:, 1:]
        target = data.cross[ramps] - mixed.T @ base
        slopes = _sparse(bent - mixed.T @ response, target, variance / tau, slopes)
        coefficients[ramps] = slopes
        coefficients[free] = base - response @ slopes
        updated = _noise_variance(data, coefficients)
        if abs(updated - variance) <= NOISE_TOLERANCE * variance:
            break
        here = (float(np.log(variance)), float(np.log(updated)))
        variance = _next_variance(before, here)
        before = here
    return Fit(coefficients, float(np.sqrt(variance)))


def _next_variance(before: tuple[float, float] | None, here: tuple[float, float]) -> float:
    """Return where the line through two (log variance, log of its fit's best one) is fixed."""
    plain = float(np.exp(here[1]))
    if before is None or here[0] == before[0]:
        return max(plain, MIN_VARIANCE)
    slope = (here[1] - before[1]) / (here[0] - before[0])
    if not -MAX_SLOPE < slope < MAX_SLOPE:
        return max(plain, MIN_VARIANCE)
    return max(float(np.exp(here[0] + (here[1] - here[0]) / (1 - slope))), MIN_VARIANCE)


def _sparse(
    matrix: FloatArray, target: FloatArray, penalty: float, start: FloatArray
) -> FloatArray:
    """Minimise 1/2 x'Mx - t'x + penalty |x|_1 by feature-sign search from ``start``."""
    x = start.copy()
    signs = np.sign(x)
    for _ in range(MAX_STEPS):
        (active,) = signs.nonzero()
        if active.size:
            x, signs, settled = _step(matrix, target - penalty * signs, x, signs, active)
            if not settled:
                continue
        slope = target - matrix @ x
        slope[signs != 0] = 0.0
        sizes = np.abs(slope)
        if not sizes.size or sizes.max() <= penalty * (1 + SLACK):
            break
        worst = int(sizes.argmax())
        signs[worst] = np.sign(slope[worst])
    return x


def _step(
    matrix: FloatArray, target: FloatArray, x: FloatArray, signs: FloatArray, active: IndexArray
) -> tuple[FloatArray, FloatArray, bool]:
    """Go to the optimum of the active set, or to the first sign change on the way."""
    wanted = _solved(matrix.take(active, 0).take(active, 1), target[active])
    wrong = wanted * signs[active] < 0
    result, new_signs = np.zeros(len(x)), signs.copy()
    if not wrong.any():
        result[active] = wanted
        return result, new_signs, True
    current = x[active]
    shares = np.where(wrong, current / np.where(wrong, current - wanted, 1.0), np.inf)
    first = int(shares.argmin())
    result[active] = current + shares[first] * (wanted - current)
    result[active[first]] = 0.0
    new_signs[active[first]] = 0.0
    return result, new_signs, False


def _solved(matrix: FloatArray, target: FloatArray) -> FloatArray:
    """Solution of the normal equations; the shortest one where columns coincide."""
    try:
        np.linalg.cholesky(matrix)
        return np.asarray(np.linalg.solve(matrix, target), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(matrix, target, rcond=None)[0], dtype=np.float64)


def _noise_variance(data: Moments, coefficients: FloatArray) -> float:
    fitted = coefficients @ (data.gram @ coefficients)
    square = max(float(data.square - 2 * data.cross @ coefficients + fitted), 0.0)
    variance = 2 * square / (data.count + np.sqrt(data.count**2 + 16 * square))
    return max(float(variance), MIN_VARIANCE)
