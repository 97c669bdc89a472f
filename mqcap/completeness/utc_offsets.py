"""Comparison of the UTC offset in the records with the time zone of the settings.

Site days and console logs, which have local times only, are placed by that zone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from mqcap.completeness.gaps import FeedContext, day_span
from mqcap.completeness.incomplete import difference
from mqcap.domain.feed import FeedDay, FeedKind
from mqcap.domain.names.short_names import listed_names
from mqcap.domain.subject import Subject
from mqcap.domain.units import US_PER_S

MEMBER: Final = "utc_offset"
"""Names the comparison in ``FeedDay.member``, beside the names of pairs of sources."""
_CLOCK_CHECK: Final = "if the records are wrong, TIMEZONE of CLOCKxx or the TOD clock of the system"

OffsetsBySystem = Mapping[str, frozenset[int]]
"""UTC offsets in minutes that the records of each system have on a day, by SMF id."""


def differing_offsets(feeds: FeedContext, days: Sequence[date]) -> list[FeedDay]:
    """Return the sysplexes whose records contradict their time zone, by day and sysplex.

    A system does when none of its records of a day has an offset of the zone on that day. Records
    without an offset are not compared.
    """
    return [
        _finding(plex, day, differing, feeds)
        for day in days
        for plex, offsets in sorted(offsets_of_day(feeds, day).items())
        for expected in [_expected(day, feeds.zone(plex))]
        if (
            differing := {
                smfid: minutes
                for smfid, minutes in sorted(offsets.items())
                if minutes.isdisjoint(expected)
            }
        )
    ]


def offsets_of_day(feeds: FeedContext, day: date) -> dict[str, OffsetsBySystem]:
    """Return the UTC offsets of the intervals that end on a site day, by sysplex."""
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for feed, arrived in feeds.arrivals.items():
        if feed.kind is FeedKind.member:
            continue
        begin_us, end_us = day_span(day, feeds.zone(feed.subject))
        known: NDArray[np.bool_] = (arrived.end_us > begin_us) & (arrived.end_us <= end_us)
        known &= ~np.isnan(arrived.utc_offsets_minutes)
        smfids, minutes = arrived.smfids[known], arrived.utc_offsets_minutes[known]
        for smfid, offset in set(zip(smfids.tolist(), minutes.tolist(), strict=True)):
            found[Subject(feed.subject).sysplex][str(smfid)].add(int(offset))
    return {
        plex: {smfid: frozenset(offsets) for smfid, offsets in by_smfid.items()}
        for plex, by_smfid in found.items()
    }


def offset_text(minutes: int) -> str:
    """Return an offset as ``UTC+01:00``."""
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours:02d}:{rest:02d}"


def _expected(day: date, zone: ZoneInfo) -> list[int]:
    """Return the offsets of a zone on a site day: one, or two where the clock is changed."""
    begin_us, end_us = day_span(day, zone)
    moments = (datetime.fromtimestamp(us / US_PER_S, UTC) for us in (begin_us, end_us - US_PER_S))
    offsets = [moment.astimezone(zone).utcoffset() or timedelta(0) for moment in moments]
    return list(dict.fromkeys(offset // timedelta(minutes=1) for offset in offsets))


def _finding(plex: str, day: date, differing: OffsetsBySystem, feeds: FeedContext) -> FeedDay:
    zone = feeds.zone(plex)
    systems: dict[str, list[str]] = defaultdict(list)
    for smfid, minutes in differing.items():
        systems[" and ".join(map(offset_text, sorted(minutes)))].append(smfid or "no system")
    found = "; ".join(f"{text} by {listed_names(names)}" for text, names in systems.items())
    expected = " or ".join(map(offset_text, _expected(day, zone)))
    key = f"timezone of {plex} in estate" if plex in feeds.zones else "site.timezone"
    summary = (
        f"{plex}: the SMF records have {found}, expected is {expected} ({zone.key}, {key}): "
        "site days and times of console logs are shifted."
    )
    made = difference(plex, MEMBER, day, summary, f"Correct {key}; {_CLOCK_CHECK}.")
    return made.model_copy(update={"systems": tuple(smfid for smfid in differing if smfid)})
