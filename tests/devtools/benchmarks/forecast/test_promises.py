"""Probabilities of the daily run against outcomes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.promises import held_out

SERIES = 400


def drawn(share: float) -> pd.DataFrame:
    """Stated probabilities of which ``share`` of the log odds is true."""
    rng = np.random.default_rng(1)
    odds = rng.normal(0, 3, 3 * SERIES)
    came = rng.random(3 * SERIES) < 1 / (1 + np.exp(-share * odds))
    return pd.DataFrame(
        {
            "series": np.repeat(np.arange(SERIES), 3).astype(str),
            "days": np.tile([30, 60, 90], SERIES),
            "stated": 1 / (1 + np.exp(-odds)),
            "came": came,
        }
    )


def brier(cases: pd.DataFrame) -> float:
    return float(np.square(cases["stated"] - cases["came"]).mean())


def test_what_is_too_sure_is_drawn_to_the_middle_by_other_series() -> None:
    cases = drawn(0.4)
    corrected = held_out(cases)
    assert brier(corrected) < brier(cases) - 0.02
    assert corrected.index.tolist() == cases.index.tolist()


def test_the_outcome_of_a_series_does_not_correct_its_own_probability() -> None:
    cases = drawn(0.4)
    other = cases.assign(came=np.where(cases["series"] == "0", ~cases["came"], cases["came"]))
    own = cases["series"] == "0"
    assert held_out(cases)[own]["stated"].tolist() == held_out(other)[own]["stated"].tolist()
    assert held_out(cases)["stated"].tolist() != held_out(other)["stated"].tolist()
