"""The source files, page by page, and the sums over all of them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.store.feeds import read_source_files
from mqcap.store.models import SourceFileFacts

FILES_PER_PAGE: Final = 12


class FilesView(ViewModel):
    """Page of the list of files, and the sums over all of them."""

    files: Sequence[SourceFileFacts]
    start: int
    step: int
    total: int
    with_problems: int
    only_problems: bool
    about: date | None
    """Only files with intervals of this site day, when one is chosen."""
    delivered_bytes: int
    decoded_bytes: int
    skipped_bytes: int
    quarantined_bytes: int
    waiting: int
    """Files that are landed and not decoded yet."""


def files_view(
    context: PageContext,
    day: date,
    only_problems: bool,
    start: int,
    about: date | None = None,
) -> FilesView:
    """Return files from ``start`` on, newest first; only those with intervals of a day if given.

    A file that begins after ``day`` is not among them.
    """
    end = _day_bounds(context, day)[1]
    everything = sorted(
        (
            file
            for file in read_source_files(context.engine)
            if file.first_interval_utc is None or file.first_interval_utc < end
        ),
        key=_age,
        reverse=True,
    )
    if about is not None:
        everything = [file for file in everything if _covers(file, _day_bounds(context, about))]
    with_problems = [file for file in everything if file.problem or file.quarantined_bytes]
    matches = with_problems if only_problems else everything
    return FilesView(
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
    """Return the first and last instant of a site day over all zones of the estate."""
    zones = [ZoneInfo(name) for name in {context.settings.site.timezone, *context.zones().values()}]
    midnights = [datetime.combine(day, time(), zone).astimezone(UTC) for zone in zones]
    return min(midnights), max(midnights) + timedelta(days=1)


def _covers(file: SourceFileFacts, day: tuple[datetime, datetime]) -> bool:
    first, last = file.first_interval_utc, file.last_interval_utc
    return first is not None and last is not None and first < day[1] and last >= day[0]
