"""Peaks of the sample estate inside their intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.peaks import (
    AHEAD_DAYS,
    HISTORY_DAYS,
    SITE_DAYS,
    daily_peaks,
    estate_loads,
    tables,
)


def test_loads_of_the_estate_have_paths_of_their_own() -> None:
    loads = list(estate_loads())
    assert len({each.path for each in loads}) == len(loads)
    assert {each.history_days for each in loads} == {HISTORY_DAYS, SITE_DAYS}
    assert {each.country for each in loads if each.path.startswith("PLEX2")} == {"US"}


def test_each_day_has_its_highest_hour_and_each_seed_its_noise() -> None:
    load = next(each for each in estate_loads() if ".log_mib_per_s." in each.path)
    one, other = (daily_peaks(load, seed) for seed in (1, 2))
    assert len(one) == HISTORY_DAYS + AHEAD_DAYS
    assert 0.0 < np.abs(one / other - 1).max() < 0.2
    assert abs(one[HISTORY_DAYS - 7 : HISTORY_DAYS].max() / load.load.at_anchor - 1) < 0.2


def test_shares_are_by_growth_with_the_error_over_loads() -> None:
    columns = ["load", "growth", "days", "inside", "above"]
    rows = [
        ("a", 0.0, 30, 0.7, 0.2),
        ("a", 0.0, 30, 0.9, 0.0),
        ("b", 0.1, 30, 1.0, 0.0),
        ("c", -0.5, 30, 0.3, 0.7),
    ]
    text = tables(pd.DataFrame(rows, columns=columns)).splitlines()
    assert text[0].startswith("growth all, 3 loads: 30 days 0.700 +- 0.208 (above 0.267)")
    assert text[1].startswith("growth (-1.0, 0.1], 2 loads: 30 days 0.900 +- 0.100")
    assert text[2].startswith("growth (0.3, inf], 1 loads: 30 days 0.300")
