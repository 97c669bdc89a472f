"""What the completeness page prints: what each feed should have sent, and what has arrived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from mq_capacity_page.web.context import Site
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, GapCause
from mqcap.domain.metric import sysplex_of
from mqcap.presentation.wording import ABSENT
from mqcap.store.feeds import feeds_between, read_feeds

PAST_DAYS: Final = 14
"""Days shown beside each feed, the one asked for included (ours)."""

KIND_WORDS: Final = {
    FeedKind.statistics: "Queue manager statistics, SMF 115",
    FeedKind.channel_initiator: "Channel initiator statistics, SMF 115.231",
    FeedKind.coupling_facility: "Coupling facility activity, SMF 74.4",
    FeedKind.member: "What this system reports of it, SMF 74.4",
}
CAUSE_WORDS: Final = {
    GapCause.stopped: "stopped",
    GapCause.restarted: "restart, last interval lost",
    GapCause.system_silent: "whole system silent",
    GapCause.unexplained: "no reason known",
}


class StateLook(BaseModel):
    """How one state is shown: never by colour alone."""

    model_config = ConfigDict(frozen=True)

    word: str
    sign: str
    severity: str
    """Whose colours it borrows."""
    meaning: str


LOOKS: Final = {
    FeedState.absent: StateLook(
        word="Absent", sign="○", severity="watch",
        meaning="nothing of the day has arrived, though the feed is known",
    ),
    FeedState.never_seen: StateLook(
        word="Never seen", sign="?", severity="watch",
        meaning="the estate names it, and no record has ever arrived",
    ),
    FeedState.partial: StateLook(
        word="Partial", sign="◐", severity="watch",
        meaning="some hours are missing, and no stop explains them",
    ),
    FeedState.stopped: StateLook(
        word="Stopped", sign="■", severity="unknown",
        meaning="the only gaps are stops that the records themselves show",
    ),
    FeedState.complete: StateLook(
        word="Complete", sign="✓", severity="ok", meaning="everything expected has arrived"
    ),
}  # fmt: skip
"""In the order in which the page lists them: what needs somebody first."""


class PastDay(BaseModel):
    """One earlier day of a feed; without a look when nothing was expected on it."""

    model_config = ConfigDict(frozen=True)

    site_date: date
    look: StateLook | None
    words: str


class FeedLine(BaseModel):
    """One feed on the day shown."""

    model_config = ConfigDict(frozen=True)

    day: FeedDay
    look: StateLook
    sender: str
    kind: str
    expected: str
    received: str
    percent: str
    gaps: tuple[str, ...]
    zone: str
    past: tuple[PastDay, ...]


class CompletenessView(BaseModel):
    """The page of one day."""

    model_config = ConfigDict(frozen=True)

    lines: tuple[FeedLine, ...]
    total: int
    incomplete: int
    only_incomplete: bool
    counts: tuple[tuple[StateLook, int], ...]
    """Feeds in each state, in the order of ``LOOKS``."""


def completeness_view(site: Site, day: date, only_incomplete: bool) -> CompletenessView:
    """Every feed of the day, those that lack something first."""
    found = read_feeds(site.engine, day)
    first = day - timedelta(days=PAST_DAYS - 1)
    past: dict[tuple[str, str, str], dict[date, FeedDay]] = {}
    for one in feeds_between(site.engine, first, day):
        past.setdefault((one.kind, one.subject, one.member), {})[one.site_date] = one
    days = [first + timedelta(days=number) for number in range(PAST_DAYS)]
    ranks = list(LOOKS)
    chosen = [one for one in found if one.is_incomplete or not only_incomplete]
    chosen.sort(key=lambda one: (_rank(one, ranks), one.subject, one.kind, one.member))
    states = Counter(one.state for one in found)
    return CompletenessView(
        lines=tuple(
            _line(one, past[one.kind, one.subject, one.member], days, _zone(site, one))
            for one in chosen
        ),
        total=len(found),
        incomplete=sum(one.is_incomplete for one in found),
        only_incomplete=only_incomplete,
        counts=tuple((look, states[state]) for state, look in LOOKS.items()),
    )


def _rank(day: FeedDay, ranks: Sequence[FeedState]) -> int:
    """Incomplete ones in the order of the legend, then everything else together."""
    return ranks.index(day.state) if day.is_incomplete else len(ranks)


def _line(
    day: FeedDay, past: dict[date, FeedDay], days: Sequence[date], zone: ZoneInfo
) -> FeedLine:
    return FeedLine(
        day=day,
        look=LOOKS[day.state],
        sender=day.member or day.subject.partition("/")[2],
        kind=KIND_WORDS[day.kind],
        expected=_expected(day),
        received=f"{day.received_count:,}",
        percent=_percent(day.ratio),
        gaps=tuple(
            f"{_clock(gap.start_utc, day, zone)} to {_clock(gap.end_utc, day, zone)}, "
            f"{CAUSE_WORDS[gap.cause]}"
            for gap in day.gaps
        ),
        zone=zone.key,
        past=tuple(_past(one, past.get(one)) for one in days),
    )


def _past(day: date, found: FeedDay | None) -> PastDay:
    if found is None:
        return PastDay(site_date=day, look=None, words="nothing expected")
    look = LOOKS[found.state]
    return PastDay(site_date=day, look=look, words=f"{look.word.lower()}, {_percent(found.ratio)}")


def _expected(day: FeedDay) -> str:
    if day.expected_count is None or not day.interval_seconds:
        return ABSENT
    return f"{day.expected_count:,} \N{MULTIPLICATION SIGN} {day.interval_seconds / 60:g} min"


def _percent(ratio: float) -> str:
    """Whole per cent; never 100 while something is missing, never 0 while something is there."""
    if ratio in {0.0, 1.0}:
        return f"{ratio:.0%}"
    return f"{min(99, max(1, round(ratio * 100)))}%"


def _clock(moment: datetime, day: FeedDay, zone: ZoneInfo) -> str:
    local = moment.astimezone(zone)
    is_end = local.date() > day.site_date and (local.hour, local.minute) == (0, 0)
    return "24:00" if is_end else f"{local:%H:%M}"


def _zone(site: Site, day: FeedDay) -> ZoneInfo:
    zone = site.estate.timezone_of(sysplex_of(day.subject))
    return ZoneInfo(zone or site.settings.site.timezone)
