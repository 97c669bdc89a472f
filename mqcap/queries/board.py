"""What the board of a day shows: rows to decide on, their lines, and the counts above them."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Engine

from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_text import RowCount, row_counts
from mqcap.queries.summaries import KEPT_DAYS, kept_summaries_on
from mqcap.settings import Settings
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import previous_findings_date, read_finding_summaries
from mqcap.store.observations import count_measured_series
from mqcap.store.plans import plan_resources
from mqcap.store.series import count_known_series
from mqcap.store.step_runs import last_step_ended_at


class BoardCounts(NamedTuple):
    """Numbers above the rows."""

    rows: Sequence[RowCount]
    in_order: int
    """Checks that are OK or a suggestion."""
    unknown: int
    """Checks that could not be made."""
    added: int
    """Resources with a plan that had none on the evaluated day before."""
    gone: int
    before: date | None
    feeds: int
    """Feeds of the day."""
    complete: int
    """Feeds of which nothing is missing that could be there."""


class SeriesCoverage(NamedTuple):
    """Number of series with a value on a day, of all series known by then."""

    measured: int
    known: int


class BoardDay(NamedTuple):
    """The rows of a day with the counts."""

    rows: Sequence[PlanSummary]
    counts: BoardCounts


def board_day(engine: Engine, day: date, settings: Settings) -> BoardDay:
    """Return the rows and counts of a day, most urgent row first.

    Kept in memory until a step ends, but for acknowledgements.
    """
    rows = kept_summaries_on(engine, day, settings)
    changed = last_step_ended_at(engine)
    checks = _checks(engine, day, changed) if changed else _checks_of(engine, day)
    before = previous_findings_date(engine, day)
    now = plan_resources(engine, day)
    earlier = plan_resources(engine, before) if before else now
    feeds = read_feeds(engine, day)
    return BoardDay(
        rows,
        BoardCounts(
            rows=row_counts(rows),
            in_order=checks[Severity.ok] + checks[Severity.suggestion],
            unknown=checks[Severity.unknown],
            added=len(now - earlier),
            gone=len(earlier - now),
            before=before,
            feeds=len(feeds),
            complete=len(feeds) - len(data_findings(feeds)),
        ),
    )


def series_coverage(engine: Engine, day: date) -> SeriesCoverage:
    """Return how many of the series known by a day have a value on it."""
    measured = count_measured_series(engine, day)
    return SeriesCoverage(measured, max(count_known_series(engine, day), measured))


@lru_cache(maxsize=KEPT_DAYS)
def _checks(engine: Engine, day: date, _changed: datetime) -> Counter[Severity]:
    return _checks_of(engine, day)


def _checks_of(engine: Engine, day: date) -> Counter[Severity]:
    return Counter(summary.severity for summary in read_finding_summaries(engine, day).values())
