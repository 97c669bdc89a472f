"""What a day rests on: its feeds, the checks that wait, the files and the steps."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.feed import FeedDay, FeedState, GapCause
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT, figure, quantity
from mqcap.presentation.feed_text import waiting_checks
from mqcap.store.feeds import read_feeds, read_source_files
from mqcap.store.findings import read_findings
from mqcap.store.models import SourceFileFacts
from mqcap.store.observations import count_measured_series
from mqcap.store.series import count_known_series
from mqcap.store.step_runs import read_step_runs
from sizing.rulebook.missing_inputs import is_waiting

NAVIGATION: Final = NavigationEntry("data", "Data", "data", order=50)

FILES_PER_PAGE: Final = 12
MOST_OTHERS: Final = 6
"""Checks that are listed each by itself (ours)."""


def files_view(
    context: PageContext, day: date, only_problems: bool, start: int, about: date | None = None
) -> View:
    """Return files from ``start`` on, newest first; only those with intervals of a day if given.

    A file that begins after ``day`` is not among them. Sums are over all of them, ``waiting`` are
    landed and not decoded yet.
    """
    end = _day_bounds(context, day)[1]
    everything = [
        file
        for file in read_source_files(context.engine)
        if file.first_interval_utc is None or file.first_interval_utc < end
    ]
    everything.sort(key=_age, reverse=True)
    if about is not None:
        first, behind = _day_bounds(context, about)
        everything = [
            file
            for file in everything
            if file.first_interval_utc is not None
            and file.last_interval_utc is not None
            and file.first_interval_utc < behind
            and file.last_interval_utc >= first
        ]
    with_problems = [file for file in everything if file.problem or file.quarantined_bytes]
    matches = with_problems if only_problems else everything
    return View(
        files=matches[start : start + FILES_PER_PAGE],
        start=start,
        step=FILES_PER_PAGE,
        total=len(matches),
        with_problems=len(with_problems),
        only_problems=only_problems,
        about=about,
        delivered_bytes=sum(file.bytes_count for file in everything),
        decoded_bytes=sum(file.decoded_bytes or 0 for file in everything),
        skipped_bytes=sum(file.skipped_bytes or 0 for file in everything),
        quarantined_bytes=sum(file.quarantined_bytes or 0 for file in everything),
        waiting=sum(file.decoded_bytes is None for file in everything),
    )


def _age(file: SourceFileFacts) -> tuple[date, datetime, datetime, str]:
    """Return the sort key, oldest first: received, landed, end of the last interval, name."""
    last = file.last_interval_utc or file.landed_at_utc
    return file.received_date, file.landed_at_utc, last, file.name


def _day_bounds(context: PageContext, day: date) -> tuple[datetime, datetime]:
    """Return the begin of a site day and the end of it over all zones of the estate."""
    names = {context.settings.site.timezone, *context.settings.zones().values()}
    midnights = [datetime.combine(day, time(), ZoneInfo(name)).astimezone(UTC) for name in names]
    return min(midnights), max(midnights) + timedelta(days=1)


CAUSE_WORDS: Final = {
    GapCause.stopped: "stopped",
    GapCause.restarted: "restart, last interval lost",
    GapCause.system_silent: "no records of the entire system",
    GapCause.unexplained: "cause unknown",
}
SIGNS: Final = {
    FeedState.absent: "○",
    FeedState.never_seen: "?",
    FeedState.partial: "◐",
    FeedState.differs: "≠",
    FeedState.stopped: "■",
}
"""Of each state that is not complete, in the order in which the page lists them."""


def feeds_view(context: PageContext, day: date) -> View:
    """Return what is not complete on a day, states that need action first, and who is.

    ``complete`` has senders by sysplex, kind and expected intervals.
    """
    of_day = sorted(read_feeds(context.engine, day), key=_sort_key)
    complete: dict[tuple[str, str, str], list[str]] = {}
    for feed in of_day:
        if feed.state is FeedState.complete:
            key = feed.subject.sysplex, feed.title, _expected(feed)
            complete.setdefault(key, []).append(_sender(feed))
    return View(
        rows=tuple(
            _feed_row(feed, ZoneInfo(context.timezone_of(feed.subject)))
            for feed in of_day
            if feed.state is not FeedState.complete
        ),
        complete=complete,
        total=len(of_day),
        incomplete=sum(feed.is_data_finding for feed in of_day),
    )


def _feed_row(feed: FeedDay, zone: ZoneInfo) -> View:
    return View(
        day=feed,
        sender=_sender(feed),
        sign=SIGNS[feed.state],
        severity="unknown" if feed.state is FeedState.stopped else "watch",
        gaps=[
            f"{local_clock(gap.start_utc, feed.site_date, zone)} to "
            f"{local_clock(gap.end_utc, feed.site_date, zone)}, {CAUSE_WORDS[gap.cause]}"
            for gap in feed.gaps
        ],
    )


def local_clock(moment: datetime, day: date, zone: ZoneInfo) -> str:
    """Return the time of day in a zone; the midnight that ends ``day`` is ``24:00``."""
    local = moment.astimezone(zone)
    is_end = local.date() > day and (local.hour, local.minute) == (0, 0)
    return "24:00" if is_end else f"{local:%H:%M}"


def _expected(feed: FeedDay) -> str:
    """Return the intervals that a feed should have: ``48 x 30 min``."""
    if feed.expected_count is None or not feed.interval_seconds:
        return ABSENT
    length = quantity(feed.interval_seconds / 60, "min")
    return f"{figure(feed.expected_count)} \N{MULTIPLICATION SIGN} {length}"


def _sender(feed: FeedDay) -> str:
    return feed.system or feed.subject.in_sysplex or feed.subject


def _sort_key(feed: FeedDay) -> tuple[int, str, str, str]:
    """Return the sort key: incomplete feeds in the order of the signs, then all others."""
    rank = list(SIGNS).index(feed.state) if feed.is_data_finding else len(SIGNS)
    return rank, feed.subject, feed.kind, feed.member


def data_view(
    context: PageContext, day: date, files: View, runs: Sequence[View], runs_problem: str
) -> View:
    """Return what a day rests on, with the runs in Airflow or why they cannot be read.

    ``waiting`` are settings that let checks be made, the most worthwhile first; ``others`` are
    checks that no setting would let be made.
    """
    unknown = [
        finding
        for finding in read_findings(context.engine, day)
        if finding.severity is Severity.unknown
    ]
    measured = count_measured_series(context.engine, day)
    known = count_known_series(context.engine, day)
    return View(
        feeds=feeds_view(context, day),
        waiting=waiting_checks(unknown),
        others=[finding for finding in unknown if not is_waiting(finding)][:MOST_OTHERS],
        unknown=len(unknown),
        coverage=View(measured=measured, known=max(known, measured)),
        files=files,
        runs=runs,
        runs_problem=runs_problem,
        steps=read_step_runs(context.engine, day),
    )
