from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from mqcap.steps.daily_roll_up import DEVIATION, differing_log_growth

DAY = date(2026, 3, 10)


def daily(*means: float, metric: str = DEVIATION) -> pd.DataFrame:
    rows = [
        {"metric": metric, "subject": f"PLEX1/CSQ{place}", "site_date": DAY, "mean": mean}
        for place, mean in enumerate(means)
    ]
    return pd.DataFrame(rows, columns=["metric", "subject", "site_date", "mean"])


def test_growth_within_the_tolerance_is_not_reported() -> None:
    assert differing_log_growth(daily(10.0, -10.0, 0.0), 10.0) == []
    assert differing_log_growth(daily(99.0, metric="log_growth_mib_per_s"), 10.0) == []
    assert differing_log_growth(daily(), 10.0) == []


@pytest.mark.parametrize(("mean", "word"), [(12.4, "12.4 % more"), (-50.0, "50 % less")])
def test_growth_over_the_threshold_names_queue_manager_day_and_setting(
    mean: float, word: str
) -> None:
    (sentence,) = differing_log_growth(daily(mean), 10.0)
    assert sentence.startswith(f"PLEX1/CSQ0, 2026-03-10: the records show {word} log growth")
    assert "ingest.log_growth_tolerance_pct" in sentence
