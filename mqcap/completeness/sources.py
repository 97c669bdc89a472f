"""Differences between two sources of one figure, as data findings with both figures."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date
from typing import Final

from mqcap.domain.attribution.source_pair import PAIRS, PairName
from mqcap.domain.datasets import SOURCE_PAIR
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.numbers import percent, quantity
from mqcap.lake.location import Location
from mqcap.lake.site_dates import rows_of_site_dates
from mqcap.settings.attribution import AttributionSettings

_COLUMNS: Final = ("pair", "subject", "site_date", "first", "second", "covered_seconds")


def differing_sources(
    lake: Location, first: date, last: date, settings: AttributionSettings
) -> list[FeedDay]:
    """Return the pairs that differ by more than the tolerance on the site days from first to last.

    In order of subject, pair and day; empty where the lake has no pairs. Days on which neither
    source reaches ``source_floor`` are left out.
    """
    tolerance_pct = settings.source_tolerance_pct
    floor = {
        "MiB/s": settings.source_floor.log_mib_per_s,
        "count/s": settings.source_floor.requests_per_s,
    }
    sums: dict[tuple[str, str, date], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for row in rows_of_site_dates(lake, SOURCE_PAIR, first, last, _COLUMNS):
        total = sums[row["subject"], row["pair"], row["site_date"]]
        for place, name in enumerate(("first", "second", "covered_seconds")):
            total[place] += row[name]
    return [
        _finding(subject, PairName(pair), day, figures, tolerance_pct)
        for (subject, pair, day), figures in sorted(sums.items())
        if abs(PAIRS[PairName(pair)].deviation_pct(*figures[:2])) > tolerance_pct
        and max(figures[:2]) >= floor.get(PAIRS[PairName(pair)].unit, 0.0) * figures[2]
    ]


def _finding(
    subject: str, name: PairName, day: date, figures: list[float], tolerance_pct: float
) -> FeedDay:
    pair = PAIRS[name]
    first, second, seconds = figures
    deviation = pair.deviation_pct(first, second)
    side = "more" if deviation > 0 else "less"
    is_finite = math.isfinite(deviation)
    size = f"{percent(abs(deviation) / 100)} {side}" if is_finite else "where the first has none"
    summary = (
        f"{subject}: {pair.figure} is {quantity(first / seconds, pair.unit)} by {pair.first} and "
        f"{quantity(second / seconds, pair.unit)} by {pair.second}, "
        f"{size}; tolerated are {percent(tolerance_pct / 100)} "
        "(attribution.source_tolerance_pct)."
    )
    return FeedDay(
        kind=FeedKind.comparison,
        subject=subject,
        member=name,
        site_date=day,
        state=FeedState.differs,
        expected_seconds=seconds,
        received_seconds=seconds,
        received_count=1,
        summary=summary,
        remedy=pair.remedy,
    )
