"""Completeness of feeds in the store, re-evaluated for every day that late data may change.

The stored state of a day may depend on later data. Findings use ``completeness_as_of``, reports
``feeds_as_of``: neither uses later data.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from mqcap.completeness.arrivals import ArrivalsByFeed, has_feeds, read_arrivals, until
from mqcap.completeness.gaps import FeedContext, configured_feeds, day_span, judge_feeds
from mqcap.completeness.incomplete import DayCompleteness, difference
from mqcap.completeness.utc_offsets import differing_offsets
from mqcap.domain.attribution import SourcePair
from mqcap.domain.datasets import FEED_INTERVAL, SOURCE_PAIR
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.numbers import counted, percent, quantity
from mqcap.domain.units import US_PER_S
from mqcap.lake.layout import CONFLICT, hour_partitions, parquet_files, partitions
from mqcap.lake.location import Location, open_lake
from mqcap.lake.readers import as_utc, rows_of_site_dates
from mqcap.lake.tables import read_table
from mqcap.settings import Settings
from mqcap.settings.analysis import AttributionSettings
from mqcap.store.database import Store
from mqcap.store.feeds import feeds_between, read_feeds, read_source_files, replace_feed_days
from mqcap.store.observations import observed_dates

MEMBER: Final = "contradicting_records"


def contradicting_records(
    lake: Location,
    names: Mapping[str, str],
    first: date,
    last: date,
    zone: Callable[[str], ZoneInfo],
) -> list[FeedDay]:
    """Return a finding by queue manager or facility and site day; ``names`` of files by hash."""
    found: dict[tuple[str, date], list[dict[str, Any]]] = defaultdict(list)
    one = timedelta(days=1)
    rows = (
        row
        for folder in hour_partitions(lake, CONFLICT, first - one, last + one)
        for file in parquet_files(folder)
        for row in read_table(file).to_pylist()
        if "field" in row  # frozen dates have rows of an older release
    )
    for row in rows:
        row["local"] = as_utc(row["interval_start_utc"]).astimezone(zone(row["place"]))
        if first <= row["local"].date() <= last:
            found[row["place"], row["local"].date()].append(row)
    return [_contradiction(place, day, own, names) for (place, day), own in sorted(found.items())]


def _contradiction(
    place: str, day: date, rows: list[dict[str, Any]], names: Mapping[str, str]
) -> FeedDay:
    rows.sort(key=lambda row: (row["local"], row["dataset"], row["field"]))
    pairs = Counter((row["kept_file"], row["other_file"]) for row in rows)
    (kept, other), _ = pairs.most_common(1)[0]
    row = next(row for row in rows if (row["kept_file"], row["other_file"]) == (kept, other))
    more = f" and {counted(len(pairs) - 1, 'other pair')} of files" if len(pairs) > 1 else ""
    newer, older = names.get(kept, kept), names.get(other, other)
    field = f"{row['dataset'].removeprefix('section_')} {row['field']}".upper()
    summary = (
        f"{place}: {counted(len(rows), 'section')} of records in {newer} and {older}{more} "
        f"contradict each other; the first at {row['local']:%H:%M}: {field} is "
        f"{row['kept_value']} in {newer}, which was received last and counts, and "
        f"{row['other_value']} in {older}."
    )
    remedy = f"If {newer} is the wrong one: mqcap withdraw {newer}"
    return difference(place, MEMBER, day, summary, remedy)


_MARGIN_DAYS: Final = 2
"""UTC dates on either side that a site day, and the intervals beside it, can reach into."""
_NEWEST_DATES: Final = 2
"""UTC dates whose records are compared with the settings: the newest may have just begun."""


def judge_touched(settings: Settings, engine: Store, site_dates: Iterable[date]) -> int:
    """Evaluate again from the first day that these may change on. Returns how many feed days."""
    lake, days = open_lake(settings.lake), sorted(site_dates)
    if not days or not has_feeds(lake):
        return 0
    last = max([days[-1], *_dates(lake)])
    before = days[0] - timedelta(days=settings.rules.peak_days)
    # of an earlier day that is not complete new data may still change the state
    states = [state for state in FeedState if state is not FeedState.complete]
    open_days = feeds_between(engine, before, days[0] - timedelta(days=1), states)
    first = min((feed.site_date for feed in open_days), default=days[0])
    feeds = _feeds(settings, first, last)
    arrivals = (
        datetime.fromtimestamp((int(arrived.end_us.max()) - 1) // US_PER_S, UTC)
        .astimezone(feeds.zone(feed.subject))
        .date()
        for feed, arrived in feeds.arrivals.items()
    )
    newest = max([days[0], *arrivals])
    judged = _judged(settings, engine, feeds, first, newest)
    return replace_feed_days(engine, first, newest, judged)


def judge_day(settings: Settings, engine: Store, day: date) -> int:
    """Evaluate one day, even without any interval. Returns the number of feeds."""
    if not has_feeds(open_lake(settings.lake)):
        return 0
    judged = _judged(settings, engine, _feeds(settings, day, day), day, day)
    return replace_feed_days(engine, day, day, judged)


def feeds_as_of(settings: Settings, engine: Store, first: date, day: date) -> list[FeedDay]:
    """Return the feeds of days as known when ``day`` ended; those stored for a lake without any."""
    if not has_feeds(open_lake(settings.lake)):
        return feeds_between(engine, first, day)
    return _judged(settings, engine, _known(settings, first, day), first, day)


def completeness_as_of(
    settings: Settings, engine: Store, first: date, day: date
) -> DayCompleteness:
    """Return what ``feeds_as_of`` has of ``day``, and the incomplete ones from ``first`` to it."""
    if not has_feeds(open_lake(settings.lake)):
        return _completeness(feeds_between(engine, first, day), day)
    known = _known(settings, first, day)
    earlier = _range(first, day - timedelta(days=1))
    judged = [*judge_feeds(known, [day]), *judge_feeds(known, earlier, incomplete_alone=True)]
    return _completeness([*judged, *_differing(settings, engine, known, first, day)], day)


def _completeness(feeds: Sequence[FeedDay], day: date) -> DayCompleteness:
    today = tuple(feed for feed in feeds if feed.site_date == day)
    earlier = (feed for feed in feeds if feed.site_date < day)
    return DayCompleteness(today, tuple(feed for feed in earlier if feed.is_incomplete))


def _known(settings: Settings, first: date, day: date) -> FeedContext:
    feeds = _feeds(settings, first, day)
    ended = until(feeds.arrivals, lambda subject: day_span(day, feeds.zone(subject)).end_us)
    return replace(feeds, arrivals=ended)


def newest_feeds(settings: Settings) -> tuple[FeedContext, list[date]] | None:
    """Return the intervals of the newest UTC dates and their site days; ``None`` without any."""
    dates = _dates(open_lake(settings.lake))[-_NEWEST_DATES:]
    if not dates:
        return None
    arrivals = read_arrivals(open_lake(settings.lake), dates)
    one = timedelta(days=1)
    return _context(settings, arrivals), _range(dates[0] - one, dates[-1] + one)


def _judged(
    settings: Settings, engine: Store, feeds: FeedContext, first: date, last: date
) -> list[FeedDay]:
    judged = judge_feeds(feeds, _range(first, last))
    return [*judged, *_differing(settings, engine, feeds, first, last)]


def _differing(
    settings: Settings, engine: Store, feeds: FeedContext, first: date, last: date
) -> list[FeedDay]:
    lake = open_lake(settings.lake)
    names = {file.sha256: file.name for file in read_source_files(engine)}
    return [
        *differing_sources(lake, first, last, settings.attribution),
        *contradicting_records(lake, names, first, last, feeds.zone),
        *differing_offsets(feeds, _range(first, last)),
    ]


def _range(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _feeds(settings: Settings, first: date, last: date) -> FeedContext:
    """Return the intervals around these days, or all when a configured feed is not among them."""
    lake, learn_days = open_lake(settings.lake), settings.rules.peak_days
    begin = first - timedelta(days=learn_days + _MARGIN_DAYS)
    end = last + timedelta(days=_MARGIN_DAYS)
    dates = _dates(lake)
    arrivals: ArrivalsByFeed = read_arrivals(lake, (day for day in dates if begin <= day <= end))
    estate = settings.complete_estate()
    if set(configured_feeds(estate, arrivals)) - arrivals.keys():
        arrivals = read_arrivals(lake, (day for day in dates if day <= end))
    return _context(settings, arrivals)


def _context(settings: Settings, arrivals: ArrivalsByFeed) -> FeedContext:
    return FeedContext(
        arrivals=arrivals,
        estate=settings.complete_estate(),
        zones=settings.zones(),
        default_zone=settings.site.timezone,
        learn_days=settings.rules.peak_days,
    )


def _dates(lake: Location) -> list[date]:
    return list(partitions(lake, FEED_INTERVAL.name))


_REMEDIES: Final = {
    SourcePair.log_tasks: "Check whether START TRACE(ACCTG) CLASS(3) is on for all tasks, and "
    "whether records of either type are missing.",
    SourcePair.log_queues: "More bytes were put than logged: check for records of 115.1 that are "
    "missing.",
    SourcePair.structure_requests: "Check for a queue manager whose 115.2 is missing, or for 74.4 "
    "of a member.",
    SourcePair.chinit_storage: "Check whether the console log is of that channel initiator, and "
    "its time zone.",
}
_COLUMNS: Final = ("pair", "subject", "site_date", "first", "second", "covered_seconds")


def differing_sources(
    lake: Location, first: date, last: date, settings: AttributionSettings
) -> list[FeedDay]:
    """Return pairs that differ by more than tolerated where one reaches ``source_floor``."""
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
        _finding(subject, SourcePair(pair), day, figures, tolerance_pct)
        for (subject, pair, day), figures in sorted(sums.items())
        if abs(SourcePair(pair).deviation_pct(*figures[:2])) > tolerance_pct
        and max(figures[:2]) >= floor.get(SourcePair(pair).unit, 0.0) * figures[2]
    ]


def _finding(
    subject: str, pair: SourcePair, day: date, figures: list[float], tolerance_pct: float
) -> FeedDay:
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
    return difference(subject, pair, day, summary, _REMEDIES[pair], seconds=seconds)


_COMPLETE = frozenset({FeedState.complete, FeedState.stopped})


class NewestDay(NamedTuple):
    """A day to judge, and why it is that one."""

    day: date
    reason: str


def newest_day(engine: Store, today: date) -> NewestDay | None:
    """Return the newest complete day with observations, else the newest; ``None`` without any.

    A day is complete when a feed of it is; one without feeds when it is over.
    """
    days = observed_dates(engine)
    for day in reversed(days):
        if not _is_complete(engine, day, today):
            continue
        later = "" if day == days[-1] else f" (figures of {days[-1]} have only begun)"
        return NewestDay(day, f"the newest complete day of the data{later}")
    return NewestDay(days[-1], "the newest day of the data; none is complete") if days else None


def _is_complete(engine: Store, day: date, today: date) -> bool:
    feeds = [feed for feed in read_feeds(engine, day) if feed.kind is not FeedKind.comparison]
    if not feeds:
        return day < today
    return any(feed.state in _COMPLETE for feed in feeds)
