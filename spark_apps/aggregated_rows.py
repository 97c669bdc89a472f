"""Rows that aggregation makes of some dates, written to the lake at once or in shares.

The digest of a date is written last, so that a date of which the worker was killed is aggregated
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from typing import Final

import polars as pl

from mqcap.domain.datasets import (
    FEED_INTERVAL,
    METRIC_HOURLY,
    METRIC_INTERVAL,
    METRIC_PART,
    SOURCE_PAIR,
)
from mqcap.lake.aggregated import write_source_digest
from mqcap.lake.layout import CONFLICT
from mqcap.lake.location import Location
from spark_apps.partition_files import replace_dates, shares_of, write_share
from spark_apps.transforms.keys import INTERVAL

CONFLICT_KEY: Final = ("dataset", "subject", INTERVAL[0])
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    **{
        dataset.name: dataset.key
        for dataset in (SOURCE_PAIR, METRIC_PART, FEED_INTERVAL, METRIC_INTERVAL)
    },
    CONFLICT: CONFLICT_KEY,
    METRIC_HOURLY.name: METRIC_HOURLY.key,
}
"""Columns by which the rows of a date are sorted, by dataset; METRIC_HOURLY is written last."""


@dataclass(frozen=True)
class SharedDate:
    """A date whose rows several tasks have made."""

    lake: Location
    day: date
    digest: str
    intervals_from: date


def replace_rows(
    lake: Location,
    rows: Mapping[str, pl.DataFrame],
    digests: Mapping[date, str],
    intervals_from: date,
) -> int:
    """Replace the partitions of dates by their new rows, by dataset.

    Returns how many of METRIC_HOURLY have no rows and were removed. ``digests`` are the dates with
    their digests; single intervals are kept from ``intervals_from`` on.
    """
    removed = 0
    for dataset, key in KEYS.items():
        dates = kept_dates(dataset, digests, intervals_from)
        removed = replace_dates(lake, dataset, rows[dataset], dates, key)
    for day, digest in sorted(digests.items()):
        write_source_digest(lake, day, digest)
    return removed


def kept_dates(dataset: str, digests: Mapping[date, str], intervals_from: date) -> set[date]:
    """Return the dates of which a dataset has rows."""
    if dataset != METRIC_INTERVAL.name:
        return set(digests)
    return {day for day in digests if day >= intervals_from}


def write_shares(lake: Location, rows: Mapping[str, pl.DataFrame], day: date, number: int) -> None:
    """Write the rows of some systems of a date, by dataset."""
    for dataset in KEYS:
        write_share(lake, dataset, rows[dataset], day, number)


def put_together(shared: SharedDate) -> int:
    """Replace the partitions of a date by all of its shares; returns as ``replace_rows``."""
    with ExitStack() as stack:
        rows = {
            dataset: stack.enter_context(shares_of(shared.lake, dataset, shared.day))
            for dataset in KEYS
        }
        digests = {shared.day: shared.digest}
        return replace_rows(shared.lake, rows, digests, shared.intervals_from)
