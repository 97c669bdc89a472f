"""What the newest records in the lake have otherwise than the settings: sysplex and time zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mqcap.completeness.days import newest_feeds
from mqcap.completeness.gaps import FeedContext
from mqcap.completeness.utc_offsets import differing_offsets, offsets_of_day
from mqcap.domain.metric import UNKNOWN_SYSPLEX, sysplex_of
from mqcap.domain.names.short_names import listed_names
from mqcap.installation.check import Check, CheckState
from mqcap.settings import Settings

_RECORDS: Final = "records"


def records_check(settings: Settings) -> Check | None:
    """Compare names of sysplexes and time zones of the settings with the newest SMF records.

    ``None`` where none has been loaded, or none has a UTC offset and the names agree.
    """
    newest = newest_feeds(settings)
    if newest is None:
        return None
    feeds, days = newest
    return _sysplexes(feeds) or _time_zones(feeds, days)


def _sysplexes(feeds: FeedContext) -> Check | None:
    """Return that the records name a sysplex that the settings do not have; else ``None``."""
    recorded = {sysplex_of(feed.subject) for feed in feeds.arrivals} - {UNKNOWN_SYSPLEX}
    stated = {plex.sysplex for plex in feeds.estate.sysplexes}
    strange, silent = sorted(recorded - stated), sorted(stated - recorded)
    if not strange:
        return None
    names = listed_names(strange)
    if not silent:
        found = f"of sysplex {names}, which is not in estate"
        return Check(CheckState.to_do, _RECORDS, found, f"Add to estate: sysplex: {names}.")
    found = f"of sysplex {names}; in estate is {listed_names(silent)}, of which none have arrived"
    change = f"change sysplex: {' or '.join(silent)} in estate to {' or '.join(strange)}"
    remedy = f"If they are the same, {change}; else add an entry for {names}."
    return Check(CheckState.to_do, _RECORDS, found, remedy)


def _time_zones(feeds: FeedContext, days: Sequence[date]) -> Check | None:
    """Compare on the newest day of which a record has a UTC offset."""
    for day in reversed(days):
        plexes = sorted(offsets_of_day(feeds, day))
        if not plexes:
            continue
        differing = differing_offsets(feeds, [day])
        if not differing:
            found = f"time zone as in estate on {day.isoformat()} ({listed_names(plexes)})"
            return Check(CheckState.fine, _RECORDS, found)
        found = f"{day.isoformat()}, {' '.join(each.summary for each in differing)}"
        remedies = dict.fromkeys(each.remedy for each in differing)
        return Check(CheckState.to_do, _RECORDS, found, " ".join(remedies))
    return None
