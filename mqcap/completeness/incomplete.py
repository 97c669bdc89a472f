"""Findings and forecasts on incomplete data, of which nobody can say that a limit is kept."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from mqcap.domain.feed import FeedDay, FeedKind, FeedState, data_findings
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id
from mqcap.domain.subject import Subject

ADDED_OVER_MEMBERS: Final = frozenset({"structure_requests_per_s"})
"""Metrics that add up over member systems, and are too low when one did not report."""
MAX_DAYS_NAMED: Final = 5
"""Days named in a note; the page lists all (our choice)."""

_MISSING_RECORDS: Final = "all records of the day: data are incomplete"
"""The missing input of a finding that cannot be graded ok because a feed is incomplete."""

_BySubject = Mapping[str, Sequence[FeedDay]]
ForecastKey = tuple[str, Statistic]
"""Series id and statistic."""


@dataclass(frozen=True)
class DayCompleteness:
    """Feeds of the day evaluated, and incomplete feeds of the days before it."""

    today: tuple[FeedDay, ...] = ()
    earlier: tuple[FeedDay, ...] = ()
    """Incomplete feed days in the window of the rules, before the day."""

    def today_of(self, subject: str, kind: SubjectKind, metrics: AbstractSet[str]) -> list[FeedDay]:
        """Return the feeds of the day that figures of these metrics of a subject come from."""
        return _concerning(self._today, subject, kind, metrics)

    def earlier_of(
        self, subject: str, kind: SubjectKind, metrics: AbstractSet[str]
    ) -> list[FeedDay]:
        """Return the incomplete feeds of days before that such figures come from."""
        return _concerning(self._earlier, subject, kind, metrics)

    @cached_property
    def _today(self) -> _BySubject:
        return _by_subject(self.today)

    @cached_property
    def _earlier(self) -> _BySubject:
        return _by_subject(self.earlier)


def _by_subject(days: Iterable[FeedDay]) -> _BySubject:
    own: dict[str, list[FeedDay]] = {}
    for day in days:
        own.setdefault(day.subject, []).append(day)
    return own


def _concerning(
    days: _BySubject, subject: str, kind: SubjectKind, metrics: AbstractSet[str]
) -> list[FeedDay]:
    return [
        day
        for place in dict.fromkeys((subject, Subject(subject).owner))
        for day in days.get(place, ())
        if concerns(day, subject, kind, metrics)
    ]


def difference(
    subject: str, member: str, day: date, summary: str, remedy: str, *, seconds: float = 0.0
) -> FeedDay:
    """Return a data finding of a comparison: two sources, or records and settings, differ."""
    return FeedDay(
        kind=FeedKind.comparison,
        subject=subject,
        member=member,
        site_date=day,
        state=FeedState.differs,
        expected_seconds=seconds,
        received_seconds=seconds,
        received_count=1 if seconds else 0,
        summary=summary,
        remedy=remedy,
    )


def as_incomplete(finding: Finding, statement: str, advice: str, missing: str) -> Finding:
    """Return the finding without severity, for data that do not suffice; ``missing`` is needed."""
    unknown = finding.as_unknown(statement, missing, advice)
    return unknown.model_copy(update={"is_data_incomplete": True})


def with_completeness(
    finding: Finding, kind: SubjectKind, completeness: DayCompleteness
) -> Finding:
    """Return the finding, unknown where it is ok on incomplete data, else with a caveat."""
    metrics = finding.measured_metrics
    if not metrics or finding.severity is Severity.unknown:
        return finding
    subject = finding.subject
    missing = data_findings(completeness.today_of(subject, kind, metrics))
    earlier = completeness.earlier_of(subject, kind, metrics)
    noted = finding
    if earlier:  # the highest figure may have been on these days
        days = in_words(day.site_date for day in earlier)
        noted = finding.with_caveats(f"Of the days evaluated, {days}; the peak may be in them.")
    if not missing:
        return noted
    why = " ".join(day.summary for day in missing)
    if finding.severity is not Severity.ok:
        return noted.with_caveats(f"Data incomplete. {why}")
    statement = (
        f"unknown, because data are incomplete. {why} "
        f"As far as records have arrived: {finding.statement or finding.summary}"
    )
    advice = "Have the missing data delivered and run the day again."
    return as_incomplete(noted, statement, advice, _MISSING_RECORDS)


def data_notes(
    forecasts: Iterable[Forecast], kinds: Mapping[str, SubjectKind], completeness: DayCompleteness
) -> dict[ForecastKey, str]:
    """Return a note for each forecast on incomplete data; ``kinds`` of subjects by series id."""
    notes = {}
    for forecast in forecasts:
        kind = kinds.get(forecast.series_id)
        note = _note(forecast.series_id, kind, completeness) if kind is not None else ""
        if note:
            notes[forecast.series_id, forecast.statistic] = note
    return notes


def _note(series_id: str, kind: SubjectKind, completeness: DayCompleteness) -> str:
    metric, subject = split_series_id(series_id)
    today = completeness.today_of(subject, kind, {metric})
    days = [day.site_date for day in completeness.earlier_of(subject, kind, {metric})]
    sentences = [f"Its last day is incomplete. {day.summary}" for day in data_findings(today)]
    if days:
        sentences.append(f"Of the days before it, {in_words(days)}.")
    return " ".join(sentences)


def concerns(day: FeedDay, subject: str, kind: SubjectKind, metrics: AbstractSet[str]) -> bool:
    """Return True when figures of these metrics of a subject come from a feed."""
    place = Subject(subject).owner
    if kind is SubjectKind.channel_initiator:
        return day.kind is FeedKind.channel_initiator and day.subject == subject
    if kind in {SubjectKind.coupling_facility, SubjectKind.structure}:
        is_added = bool(metrics & ADDED_OVER_MEMBERS)
        kinds = {FeedKind.coupling_facility} | ({FeedKind.member} if is_added else set())
        return day.kind in kinds and day.subject == place
    return day.kind is FeedKind.statistics and day.subject == place


def in_words(dates: Iterable[date]) -> str:
    """Return ``3 lack records: 2026-10-01, …`` with the last days named; needs at least one day."""
    days = sorted(set(dates))
    named = ", ".join(day.isoformat() for day in days[-MAX_DAYS_NAMED:])
    more = f" and {len(days) - MAX_DAYS_NAMED} before" if len(days) > MAX_DAYS_NAMED else ""
    count = "1 lacks" if len(days) == 1 else f"{len(days)} lack"
    return f"{count} records: {named}{more}"
