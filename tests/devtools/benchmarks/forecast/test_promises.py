"""Probabilities of the daily run against outcomes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from devtools.benchmarks.forecast.promises import fitted, held_out, judged
from forecasting.correction import DISTANCES, GROWTHS, WIDTHS, Correction

SERIES = 400


def drawn(share: float, for_wide: float = 0.0) -> pd.DataFrame:
    """Stated probabilities of which ``share`` of the log odds is true.

    Half of the series have an interval twice as wide as where it begins to count; to the log odds
    of these ``for_wide`` is added.
    """
    rng = np.random.default_rng(1)
    odds = rng.normal(0, 3, 3 * SERIES)
    is_wide = np.repeat(np.arange(SERIES) % 2 == 1, 3)
    came = rng.random(3 * SERIES) < 1 / (1 + np.exp(-share * odds - for_wide * is_wide))
    return pd.DataFrame(
        {
            "set": "simulated",
            "width": WIDTHS[0] * (1.0 + is_wide),
            "growth": rng.uniform(*GROWTHS, 3 * SERIES),
            "distance": rng.uniform(*DISTANCES, 3 * SERIES),
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
    assert figures.level == pytest.approx(0, abs=0.5)
    assert figures.per_log_width == pytest.approx(0, abs=0.5)


def test_the_fit_finds_that_what_rests_on_wide_intervals_comes_less_often() -> None:
    figures = fitted(drawn(0.8, for_wide=-1.5))
    assert figures.per_log_width * np.log(2) == pytest.approx(-1.5, abs=0.35)
    assert figures.level == pytest.approx(0, abs=0.5)


@pytest.mark.parametrize(("name", "same"), [("crossing_dev", False), ("simulated", True)])
def test_cases_of_crossing_dev_have_a_weight_of_their_own(name: str, same: bool) -> None:
    cases = drawn(0.8, for_wide=-1.5)
    named = cases.assign(set=np.where(cases["width"] > WIDTHS[0], name, "simulated"))
    assert (fitted(named) == fitted(cases)) is same


def test_certain_probabilities_take_no_part_and_stay() -> None:
    cases = drawn(0.4)
    wrong = cases.head(60).assign(stated=np.tile([0.0, 1.0], 30), came=np.tile([True, False], 30))
    assert fitted(pd.concat([cases, wrong])) == fitted(cases)
    assert (
        judged(wrong, Correction(0.5, 0.5, 0.1, -1.0, -1.0, -0.1))["stated"].tolist()
        == wrong["stated"].tolist()
    )
