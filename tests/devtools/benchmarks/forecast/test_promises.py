"""Probabilities of the daily run against outcomes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from devtools.benchmarks.forecast.promises import fitted, held_out, judged
from forecasting.correction import Correction

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


@pytest.mark.parametrize("share", [0.4, 0.8])
def test_the_fit_finds_the_share_of_the_log_odds_that_is_true(share: float) -> None:
    figures = fitted(drawn(share))
    assert figures.slope == pytest.approx(share, abs=0.1)
    assert figures.per_log_days == pytest.approx(0, abs=0.4)


def test_certain_probabilities_take_no_part_and_stay() -> None:
    cases = drawn(0.4)
    wrong = cases.head(60).assign(stated=np.tile([0.0, 1.0], 30), came=np.tile([True, False], 30))
    assert fitted(pd.concat([cases, wrong])) == fitted(cases)
    assert judged(wrong, Correction(0.5, 0.5))["stated"].tolist() == wrong["stated"].tolist()
