"""The delivered files, page by page, and the sums over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.pages.answers import View
from mq_capacity_page.web.context import Site
from mqcap.store.files import read_source_files
from mqcap.store.models import SourceFileFacts

FILES_PER_PAGE: Final = 100


class FilesView(View):
    """One page of the list of files, and the sums over all of them."""

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
    """Files that were landed but not decoded yet."""


def files_view(site: Site, only_problems: bool, start: int, about: date | None = None) -> FilesView:
    """The files from ``start`` on, newest first; those with intervals of one site day if given."""
    everything = list(reversed(read_source_files(site.engine)))
    if about is not None:
        everything = [one for one in everything if _covers(one, _whole_day(site, about))]
    troubled = [one for one in everything if one.problem or one.quarantined_bytes]
    chosen = troubled if only_problems else everything
    return FilesView(
        files=chosen[start : start + FILES_PER_PAGE],
        start=start,
        step=FILES_PER_PAGE,
        total=len(chosen),
        with_problems=len(troubled),
        only_problems=only_problems,
        about=about,
        delivered_bytes=sum(one.bytes_count for one in everything),
        decoded_bytes=sum(one.decoded_bytes or 0 for one in everything),
        skipped_bytes=sum(one.skipped_bytes or 0 for one in everything),
        quarantined_bytes=sum(one.quarantined_bytes or 0 for one in everything),
        waiting=sum(one.decoded_bytes is None for one in everything),
    )


def _whole_day(site: Site, day: date) -> tuple[datetime, datetime]:
    """Begin and end of a site day over all zones of the estate."""
    zones = [ZoneInfo(one) for one in {site.settings.site.timezone, *site.zones().values()}]
    midnights = [datetime.combine(day, time(), zone).astimezone(UTC) for zone in zones]
    return min(midnights), max(midnights) + timedelta(days=1)


def _covers(file: SourceFileFacts, day: tuple[datetime, datetime]) -> bool:
    first, last = file.first_interval_utc, file.last_interval_utc
    return first is not None and last is not None and first < day[1] and last >= day[0]
