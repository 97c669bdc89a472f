"""Differences between two sources of one figure, as data findings with both figures."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pds

from mqcap.domain.attribution.source_pair import PAIRS, PairName
from mqcap.domain.datasets import SOURCE_PAIR
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.numbers import percent, quantity
from mqcap.lake.layout import parquet_files
from mqcap.lake.partitions import partitions

_ONE_DAY: Final = timedelta(days=1)


def differing_sources(lake: Path, first: date, last: date, tolerance_pct: float) -> list[FeedDay]:
    """Return the pairs that differ by more than the tolerance on the site days from first to last.

    In order of subject, pair and day; empty where the lake has no pairs.
    """
    sums: dict[tuple[str, str, date], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for row in _rows(lake, first, last):
        total = sums[row["subject"], row["pair"], row["site_date"]]
        for place, name in enumerate(("first", "second", "covered_seconds")):
            total[place] += row[name]
    return [
        _finding(subject, PairName(pair), day, figures, tolerance_pct)
        for (subject, pair, day), figures in sorted(sums.items())
        if abs(PAIRS[PairName(pair)].deviation_pct(*figures[:2])) > tolerance_pct
    ]


def _finding(
    subject: str, name: PairName, day: date, figures: list[float], tolerance_pct: float
) -> FeedDay:
    pair = PAIRS[name]
    first, second, seconds = figures
    deviation = pair.deviation_pct(first, second)
    side = "more" if deviation > 0 else "less"
    summary = (
        f"{subject}: {pair.figure} is {quantity(first / seconds, pair.unit)} by {pair.first} and "
        f"{quantity(second / seconds, pair.unit)} by {pair.second}, "
        f"{percent(abs(deviation) / 100)} {side}; tolerated are {percent(tolerance_pct / 100)} "
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


def _rows(lake: Path, first: date, last: date) -> list[dict[str, Any]]:
    paths = [
        str(path)
        for day, folder in partitions(lake, SOURCE_PAIR.name).items()
        if first - _ONE_DAY <= day <= last + _ONE_DAY
        for path in parquet_files(folder)
    ]
    if not paths:
        return []
    in_time = (pc.field("site_date") >= pa.scalar(first)) & (
        pc.field("site_date") <= pa.scalar(last)
    )
    columns = ["pair", "subject", "site_date", "first", "second", "covered_seconds"]
    table = pds.dataset(paths, format="parquet").to_table(columns=columns, filter=in_time)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows
