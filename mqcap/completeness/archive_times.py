"""Comparison of the archive times that the console shows with those that the estate has.

A time that was typed once and no longer holds makes rules on archiving wrong without any fault in
the records.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

import pandas as pd

from mqcap.domain.numbers import figure, percent

ARCHIVE_TIME: Final = "log_archive_min"
TOLERANCE_RATIO: Final = 0.25
"""A typed time that differs by more from the measured one is reported (ours)."""


def differing_archive_times(daily: pd.DataFrame, typed_min: Mapping[str, float]) -> list[str]:
    """Return a sentence per queue manager whose typed archive time disagrees with the console.

    ``daily`` has the columns of ``daily_observations``; measured is the median of the daily peaks.
    """
    measured = daily[daily["metric"] == ARCHIVE_TIME]
    sentences = (
        archive_difference(str(subject), median(days["peak"].tolist()), typed_min.get(str(subject)))
        for subject, days in measured.groupby("subject", sort=True, observed=True)
    )
    return [sentence for sentence in sentences if sentence]


def archive_difference(subject: str, measured_min: float, typed_min: float | None) -> str:
    """Return that measured and typed minutes disagree; empty where they do not."""
    if not typed_min or abs(measured_min / typed_min - 1) <= TOLERANCE_RATIO:
        return ""
    return (
        f"{subject}: archiving a log takes {figure(measured_min)} min by the console (CSQJ002I to "
        f"CSQJ139I, median of the daily highest), archive_minutes of the estate is "
        f"{figure(typed_min)} (tolerated: {percent(TOLERANCE_RATIO)}, ours). Correct it, or "
        "leave it out: the measured time is used then."
    )
