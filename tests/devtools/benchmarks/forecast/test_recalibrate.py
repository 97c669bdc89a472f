"""Fit of the correction of stated probabilities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from devtools.benchmarks.forecast.recalibrate import UNCHANGED, corrected, fitted, held_out


def drawn(level: float, slope: float, seed: int, series: int = 400) -> pd.DataFrame:
    """Outcomes whose log odds are ``level`` more than ``slope`` times those stated."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 2, 4 * series)
    came = rng.random(4 * series) < 1 / (1 + np.exp(-(level + slope * odds)))
    return pd.DataFrame(
        {
            "series": np.repeat(np.arange(series), 4).astype(str),
            "days": np.tile([30, 60, 90, 180], series),
            "stated": 1 / (1 + np.exp(-odds)),
            "sharp": 0.5,
            "came": came.astype(float),
            "distance": 0.05,
            "history_days": 540,
            "growing": False,
            "restarts": False,
        }
    )


def test_slope_and_the_level_of_each_set_are_found_again() -> None:
    mine, theirs = fitted(drawn(0.5, 0.7, 1, 9_000), drawn(-0.5, 0.7, 2, 9_000))
    assert mine.slope == theirs.slope == pytest.approx(0.7, abs=0.1)
    assert mine.level + 0.05 * mine.per_distance == pytest.approx(0.5, abs=0.2)
    assert theirs.level + 0.05 * theirs.per_distance == pytest.approx(-0.5, abs=0.2)


def test_no_correction_leaves_the_cases_alone() -> None:
    cases = drawn(0.0, 1.0, 3, series=5).assign(stated=[0.1, 0.3, 0.5, 0.9] * 5)
    assert corrected(cases, UNCHANGED)["stated"].tolist() == pytest.approx(cases["stated"].tolist())


def test_what_is_judged_was_corrected_without_its_own_series() -> None:
    dev, ours = drawn(0.0, 1.0, 4, series=40), drawn(0.0, 1.0, 5, series=40)
    whole = corrected(dev, fitted(dev, ours)[0])
    judged = held_out(dev, ours, judged=0)
    assert sorted(judged.index) == list(whole.index)
    assert np.abs(judged["stated"] - whole["stated"]).max() > 1e-4
