"""Comparison of the log growth from SMF records with that from log switches on the console.

Both are measured independently (``log_growth_deviation_pct``). A difference above
``ingest.log_growth_tolerance_pct`` means that records are missing or counted twice, or that the
console log of another system was read: the figures of that day need to be checked.
"""

from __future__ import annotations

from typing import Final

import pandas as pd

from mqcap.domain.numbers import quantity

DEVIATION: Final = "log_growth_deviation_pct"


def differing_log_growth(daily: pd.DataFrame, tolerance_pct: float) -> list[str]:
    """Return a sentence per queue manager and site date that differs by more than the tolerance.

    ``daily`` has the columns of ``daily_observations``; the deviation is that of its mean.
    """
    differing = daily[(daily["metric"] == DEVIATION) & (daily["mean"].abs() > tolerance_pct)]
    rows = differing.sort_values(["subject", "site_date"]).to_dict(orient="records")
    return [
        f"{row['subject']}, {row['site_date']}: the records show "
        f"{quantity(abs(float(row['mean'])), '%')} {'more' if row['mean'] > 0 else 'less'} log "
        "growth than the log switches on the console (tolerated: "
        f"{quantity(tolerance_pct, '%')}, ingest.log_growth_tolerance_pct). Look for missing "
        "or repeated records, and whether the console log is of that queue manager."
        for row in rows
    ]
