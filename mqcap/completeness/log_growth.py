"""Does the log growth that the records tell agree with what the log switches tell?

Both are measured for themselves (``log_growth_deviation_pct``). When they differ by more than
``ingest.log_growth_tolerance_pct``, records are missing or counted twice, or the log of another
system was read: the figures of that day are not to be trusted before somebody has looked.
"""

from __future__ import annotations

from typing import Final

import pandas as pd

from mqcap.domain.numbers import quantity

DEVIATION: Final = "log_growth_deviation_pct"


def differing_log_growth(daily: pd.DataFrame, tolerance_pct: float) -> list[str]:
    """One sentence per queue manager and site date that differs by more than the tolerance.

    ``daily`` has the columns of ``daily_observations``; the deviation is that of its mean.
    """
    found = daily[(daily["metric"] == DEVIATION) & (daily["mean"].abs() > tolerance_pct)]
    rows = found.sort_values(["subject", "site_date"]).to_dict(orient="records")
    return [
        f"{row['subject']}, {row['site_date']}: the records show "
        f"{quantity(abs(float(row['mean'])), '%')} {'more' if row['mean'] > 0 else 'less'} log "
        "growth than the log switches on the console (tolerated: "
        f"{quantity(tolerance_pct, '%')}, ingest.log_growth_tolerance_pct). Look for missing "
        "or repeated records, and whether the console log is of that queue manager."
        for row in rows
    ]
