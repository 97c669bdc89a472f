"""Feeds: which records (one kind of one sender) are expected, and which of them a day has."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from pydantic import AwareDatetime, BaseModel

from mqcap.domain.subject import Subject
from mqcap.domain.units import MQ_VERSION


class FeedKind(StrEnum):
    """Kinds of records that a feed consists of."""

    statistics = "statistics"
    """SMF 115 of a queue manager, ``PLEX1/CSQ1``."""
    channel_initiator = "channel_initiator"
    """SMF 115.231, ``PLEX1/CSQ1/CHINIT``."""
    coupling_facility = "coupling_facility"
    """SMF 74.4 about ``PLEX1/CF01``, whichever member wrote it."""
    member = "member"
    """SMF 74.4 about ``PLEX1/CF01`` written by one member system."""
    comparison = "comparison"
    """Two sources of one figure; ``member`` names the pair. Only those that differ are kept."""


class FeedState(StrEnum):
    """Completeness of a feed on a day."""

    complete = "complete"
    stopped = "stopped"
    """Gaps that each begin with a short interval and end with a fresh one: a stop and a start."""
    partial = "partial"
    """Part of the day is missing, and no record shows why."""
    absent = "absent"
    """No record of the day has arrived, though the feed was seen on earlier days."""
    never_seen = "never_seen"
    """The estate names the sender, and nothing of it has ever arrived."""
    differs = "differs"
    """Two sources of the same figure, or records of two files, do not agree."""

    @property
    def is_incomplete(self) -> bool:
        """True when figures of the day may lack records: then no finding is graded ok."""
        return self not in {FeedState.complete, FeedState.stopped, FeedState.differs}


class GapCause(StrEnum):
    """Causes of a gap, as far as the records around it show them."""

    stopped = "stopped"
    """The interval before it is short and the one after it begins off the usual rhythm."""
    restarted = "restarted"
    """It starts anew afterwards, but the interval before it is complete: the last one is lost."""
    system_silent = "system_silent"
    """No feed of the same system has a record in it."""
    unexplained = "unexplained"
    """Other feeds of the same system have records in it."""


class Gap(BaseModel, frozen=True):
    """A period of a day for which no record has arrived."""

    start_utc: AwareDatetime
    end_utc: AwareDatetime
    cause: GapCause

    @property
    def seconds(self) -> float:
        """Length of the gap."""
        return (self.end_utc - self.start_utc).total_seconds()


class VersionChange(BaseModel, frozen=True):
    """A change of the MQ version that the records of a feed state."""

    at_utc: AwareDatetime
    before: str
    """Version.release.modification, such as 9.3.5."""
    after: str


_TITLES: Final = {
    FeedKind.statistics: "Queue manager statistics (SMF 115)",
    FeedKind.channel_initiator: "Channel initiator statistics (SMF 115.231)",
    FeedKind.coupling_facility: "Coupling facility activity (SMF 74.4)",
    FeedKind.member: "Coupling facility activity of one system (SMF 74.4)",
    FeedKind.comparison: "Two sources of one figure",
}


class FeedDay(BaseModel, frozen=True):
    """Expected and received records of one feed on one site day, in intervals and covered seconds.

    Where it ``is_incomplete`` no rule that depends on it can be graded ok.
    """

    kind: FeedKind
    subject: Subject
    member: str = ""
    """SMF id of ``FeedKind.member``, the pair of ``FeedKind.comparison``; else empty."""
    site_date: date
    state: FeedState
    interval_seconds: float | None = None
    """Expected length of one interval; ``None`` when neither configured nor ever seen."""
    interval_from: str = ""
    """Source of that length: ``days seen`` or ``estate``."""
    expected_seconds: float
    received_seconds: float
    expected_count: int | None = None
    received_count: int
    gaps: tuple[Gap, ...] = ()
    mq_level: str = ""
    """MQ version that its records last stated, on the day or before; empty where none ever did."""
    level_changes: tuple[VersionChange, ...] = ()
    systems: tuple[str, ...] = ()
    """SMF ids of the systems that sent it, on the day or last."""
    last_seen_utc: datetime | None = None
    """End of the last interval up to the end of the day; ``None`` when there was never one."""
    summary: str = ""
    """Sentence on what is present, what is missing, and the known cause."""
    remedy: str = ""
    """Action to take; empty when nothing is missing."""

    @property
    def system(self) -> str:
        """SMF id of the member system that wrote it; empty for every other kind."""
        return self.member if self.kind is FeedKind.member else ""

    @property
    def is_incomplete(self) -> bool:
        """True when records may be missing."""
        return self.state.is_incomplete

    @property
    def is_data_finding(self) -> bool:
        """True when it is incomplete, or a figure differs between two sources."""
        return self.is_incomplete or self.state is FeedState.differs

    @property
    def ratio(self) -> float:
        """Received of expected time, 0 to 1; 1 when nothing was expected."""
        if self.expected_seconds <= 0:
            return 1.0
        return min(1.0, self.received_seconds / self.expected_seconds)

    @property
    def key(self) -> str:
        """Identity among the data findings of a day: ``DATA-KIND/subject`` and the member."""
        member = f"/{self.member}" if self.member else ""
        return f"DATA-{self.kind.upper()}/{self.subject}{member}"

    @property
    def title(self) -> str:
        """Title of the kind of feed."""
        return _TITLES[self.kind]


def data_findings(days: list[FeedDay]) -> tuple[FeedDay, ...]:
    """Return the incomplete feeds of a day by subject, without those that another one covers.

    A facility covers its members with the same gaps, a queue manager its channel initiator.
    """
    incomplete = {(day.kind, day.subject, day.member): day for day in days if day.is_data_finding}
    listed = [day for day in incomplete.values() if not _is_covered(day, incomplete)]
    return tuple(sorted(listed, key=lambda day: (day.subject, day.kind, day.member)))


def _is_covered(day: FeedDay, incomplete: dict[tuple[FeedKind, Subject, str], FeedDay]) -> bool:
    parents = {
        FeedKind.member: (FeedKind.coupling_facility, day.subject, ""),
        FeedKind.channel_initiator: (FeedKind.statistics, day.subject.whole, ""),
    }
    parent = incomplete.get(parents[day.kind]) if day.kind in parents else None
    return parent is not None and _spans(parent) >= _spans(day)


def _spans(day: FeedDay) -> set[tuple[datetime, datetime]]:
    return {(gap.start_utc, gap.end_utc) for gap in day.gaps}


def mq_versions_of(feeds: Iterable[FeedDay]) -> dict[str, str]:
    """Return the MQ versions that feeds last stated, by queue manager; its statistics first."""
    kinds = (FeedKind.channel_initiator, FeedKind.statistics)
    stated = [feed for feed in feeds if feed.kind in kinds and re.match(MQ_VERSION, feed.mq_level)]
    return {
        feed.subject.owner: feed.mq_level
        for feed in sorted(stated, key=lambda feed: kinds.index(feed.kind))
    }
