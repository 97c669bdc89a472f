"""Rules on incomplete data: what cannot be said to be in order is not said to be.

A limit that is passed by what has arrived is passed, whatever is missing. But that none is
passed can only be said when all has arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.feed import INCOMPLETE_DATA, FeedDay, FeedKind, data_findings
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind

ADDED_OVER_MEMBERS: Final = frozenset({"structure_requests_per_s"})
"""Metrics that lack a part of their amount when one member system did not report."""
MOST_DAYS: Final = 5
"""Days named in a note; the page lists all (ours)."""


class Arrived(NamedTuple):
    """What is known of the completeness of the day judged, and of the days before it."""

    today: tuple[FeedDay, ...] = ()
    earlier: tuple[FeedDay, ...] = ()
    """Incomplete days of the rules' window."""


def with_completeness(finding: Finding, kind: SubjectKind, arrived: Arrived) -> Finding:
    """The finding as far as it may be said: not in order where something is missing."""
    metrics = finding.measured_metrics
    if not metrics or finding.severity is Severity.unknown:
        return finding
    subject = finding.subject
    of_today = [day for day in arrived.today if concerns(day, subject, kind, metrics)]
    missing = data_findings(of_today)
    noted = _noted(finding, [d for d in arrived.earlier if concerns(d, subject, kind, metrics)])
    if not missing:
        return noted
    why = " ".join(day.summary for day in missing)
    if finding.severity is not Severity.ok:
        return noted.model_copy(update={"caveats": (*noted.caveats, f"Data incomplete. {why}")})
    return noted.model_copy(
        update={
            "severity": Severity.unknown,
            "breach": None,
            "headroom_ratio": None,
            "summary": f"{finding.subject}: not known, because data are incomplete. {why} "
            f"As far as records have arrived: {_without_subject(finding)}",
            "advice": "Have what is missing delivered and run the day again.",
            "missing": (INCOMPLETE_DATA,),
            "changes": (),
        }
    )


def concerns(day: FeedDay, subject: str, kind: SubjectKind, metrics: AbstractSet[str]) -> bool:
    """Whether figures of these metrics of a subject rest on a feed."""
    place = SERIES_SEPARATOR.join(subject.split(SERIES_SEPARATOR)[:2])
    if kind is SubjectKind.channel_initiator:
        return day.kind is FeedKind.channel_initiator and day.subject == subject
    if kind in {SubjectKind.coupling_facility, SubjectKind.structure}:
        is_added = bool(metrics & ADDED_OVER_MEMBERS)
        kinds = {FeedKind.coupling_facility} | ({FeedKind.member} if is_added else set())
        return day.kind in kinds and day.subject == place
    return day.kind is FeedKind.statistics and day.subject == place


def _noted(finding: Finding, earlier: Sequence[FeedDay]) -> Finding:
    """A note on the incomplete days before this one: the peak may have been in them."""
    if not earlier:
        return finding
    note = f"Of the days looked at, {in_words(day.site_date for day in earlier)}; "
    note += "the peak may lie in them."
    return finding.model_copy(update={"caveats": (*finding.caveats, note)})


def in_words(dates: Iterable[date]) -> str:
    """``3 lack records: 2026-10-01, …``, the last ones named; of at least one day."""
    days = sorted(set(dates))
    named = ", ".join(day.isoformat() for day in days[-MOST_DAYS:])
    more = f" and {len(days) - MOST_DAYS} before" if len(days) > MOST_DAYS else ""
    count = "1 lacks" if len(days) == 1 else f"{len(days)} lack"
    return f"{count} records: {named}{more}"


def _without_subject(finding: Finding) -> str:
    return finding.summary.removeprefix(f"{finding.subject}: ")
