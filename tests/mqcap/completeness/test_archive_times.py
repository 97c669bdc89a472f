from __future__ import annotations

import pandas as pd
import pytest

from mqcap.completeness.arrivals import (
    ARCHIVE_TIME,
    archive_difference,
    differing_archive_times,
)


def daily(*peaks: float, metric: str = ARCHIVE_TIME, subject: str = "PLEX1/CSQ1") -> pd.DataFrame:
    rows = [{"metric": metric, "subject": subject, "peak": peak} for peak in peaks]
    return pd.DataFrame(rows, columns=["metric", "subject", "peak"])


@pytest.mark.parametrize(
    ("measured", "differs"),
    [(7.49, True), (7.5, False), (10.0, False), (12.5, False), (12.51, True)],
)
def test_a_quarter_more_or_less_than_typed_is_tolerated(measured: float, differs: bool) -> None:
    assert bool(archive_difference("PLEX1/CSQ1", measured, 10.0)) is differs


def test_the_median_of_the_days_is_compared_with_what_is_typed() -> None:
    (sentence,) = differing_archive_times(daily(14.0, 15.0, 90.0), {"PLEX1/CSQ1": 9.0})
    assert sentence.startswith("PLEX1/CSQ1: archiving a log takes 15 min by the console")
    assert "archive_minutes of the estate is 9 (tolerated: 25 %, ours)" in sentence


def test_what_is_not_typed_or_not_measured_does_not_differ() -> None:
    assert differing_archive_times(daily(15.0), {}) == []
    assert differing_archive_times(daily(15.0, metric="other"), {"PLEX1/CSQ1": 9.0}) == []
    assert differing_archive_times(daily(), {"PLEX1/CSQ1": 9.0}) == []
