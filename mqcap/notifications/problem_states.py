"""The status of problems: one day follows from the day before, what was seen, and people's marks.

Pure: the same history gives the same states whether it is replayed or lived, and a day never
looks ahead. Raise and clear levels differ, several days must agree, and only what is clearly
worse than anything told before is news; so noise around a limit is one problem, told once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemDay, ProblemState
from mqcap.notifications.causes import with_causes
from mqcap.notifications.grading import DailyEvaluation
from mqcap.settings import AlertSettings

_TOLD_NOTHING: Final[dict[str, object]] = {
    "notified_severity": Severity.ok,
    "notified_over": False,
    "notified_headroom": None,
    "notified_crossing_date": None,
    "breach_notified_date": None,
}
"""A problem that is back is measured by what is told now: a forecast of it hides no breach."""


def advance(
    before: Iterable[ProblemDay],
    seen: Iterable[DailyEvaluation],
    marks: Mapping[str, Acknowledgement],
    policy: AlertSettings,
    *,
    day: date,
    judged_before: int,
) -> list[ProblemDay]:
    """All problems on ``day``, by key.

    Args:
        before: All problems on the last judged day before; pending and resolved ones too.
        seen: What the day says.
        marks: What people have said, by key; a mark noted later than the day does not count.
        policy: Levels and days.
        day: The site date.
        judged_before: Judged days in the raise window before this one; in the first days
            fewer must agree.
    """
    earlier = {one.key: one for one in before}
    today = {one.key: one for one in seen}
    result = []
    for key in sorted({key for key, one in today.items() if one.bad} | set(earlier)):
        sighting = today.get(key) or DailyEvaluation(key=key, severity=Severity.unknown)
        mark = marks.get(key)
        if mark is not None and mark.noted_date > day:
            mark = None
        known = earlier.get(key)
        start = _opening(sighting, day, judged_before, policy) if known is None else known
        step = _step(start.model_copy(update={"site_date": day}), sighting, mark, policy)
        if step is not None:
            result.append(step)
    return with_causes(result, today, policy.cause_hours)


def _opening(
    seen: DailyEvaluation, day: date, judged_before: int, policy: AlertSettings
) -> ProblemDay:
    """A problem that nobody has seen before: the judged days before it were in order."""
    quiet_days = min(judged_before, policy.raise_window_days - 1)
    return ProblemDay(
        key=seen.key,
        site_date=day,
        state=ProblemState.pending,
        severity=seen.severity,
        over=seen.over,
        cause=seen.key,
        first_seen_date=day,
        recent="0" * quiet_days,
    )


def _step(
    was: ProblemDay, seen: DailyEvaluation, mark: Acknowledgement | None, policy: AlertSettings
) -> ProblemDay | None:
    """The next day of one problem, or ``None`` when it need not be followed any longer."""
    now = _with_sighting(was, seen, policy)
    if was.state is ProblemState.pending:
        return _raised(now, seen, policy, ProblemState.new)
    if was.state is ProblemState.resolved:
        back = _raised(now, seen, policy, ProblemState.reopened)
        if back is not None and back.state is ProblemState.reopened:
            return _back(was, back, mark if mark and _still_holds(mark, was) else None, seen)
        ended = was.resolved_date or was.site_date
        is_over = now.site_date - ended > timedelta(days=policy.reopen_days)
        return None if is_over else now.model_copy(update={"state": ProblemState.resolved})
    return _followed(now, seen, mark, policy)


def _with_sighting(was: ProblemDay, seen: DailyEvaluation, policy: AlertSettings) -> ProblemDay:
    if not seen.judged:
        return was.model_copy(update={"pages": False})
    clean = seen.clear and seen.complete
    held = was.clean_days if seen.clear else 0
    return was.model_copy(
        update={
            "severity": seen.severity,
            "over": seen.over,
            "recent": (was.recent + ("1" if seen.bad else "0"))[-policy.raise_window_days :],
            "clean_days": was.clean_days + 1 if clean else held,
            "probability": seen.probability,
            "probability_days": seen.probability_days,
            "peak_hour_utc": seen.peak_hour_utc,
            "pages": False,
        }
    )


def _raised(
    now: ProblemDay, seen: DailyEvaluation, policy: AlertSettings, state: ProblemState
) -> ProblemDay | None:
    """The problem as raised when enough days agree; pending while some do, else ``None``."""
    at_once = seen.over and seen.severity is Severity.act
    wanted = policy.breach_days if at_once else policy.raise_days
    if not seen.bad or now.recent.count("1") < min(wanted, len(now.recent)):
        return now if "1" in now.recent else None
    changes: dict[str, object] = {"state": state, "resolved_date": None, "clean_days": 0}
    if state is ProblemState.new:
        changes["raised_date"] = now.site_date
    else:
        changes |= _TOLD_NOTHING | {"first_seen_date": now.site_date}
    return _told(now.model_copy(update=changes), seen, is_rise=seen.over)


def _back(
    was: ProblemDay, back: ProblemDay, mark: Acknowledgement | None, seen: DailyEvaluation
) -> ProblemDay:
    """A settled problem that is back: told, unless its risk is accepted until a later date."""
    if (
        mark is None
        or mark.kind is not AcknowledgementKind.accepted_until
        or not _silences(mark, was, seen)
    ):
        return back
    known = {"state": ProblemState.acknowledged, "acknowledgement": mark, "pages": False}
    return back.model_copy(update={**known, "notified_date": was.notified_date})


def _still_holds(mark: Acknowledgement, now: ProblemDay) -> bool:
    """Whether what people said counts: up to its date, else as long as the ticket it was said of.

    What was said of an older ticket of the same problem says nothing of this one.
    """
    begun = now.raised_date or now.site_date
    return mark.holds_on(now.site_date) and (
        mark.until_date is not None or mark.noted_date >= begun
    )


def _followed(
    now: ProblemDay, seen: DailyEvaluation, mark: Acknowledgement | None, policy: AlertSettings
) -> ProblemDay:
    """An open problem on its next day."""
    expired = now.acknowledgement is not None and not now.acknowledgement.holds_on(now.site_date)
    mark = mark if mark is not None and _still_holds(mark, now) else None
    now = now.model_copy(update={"acknowledgement": mark})
    if now.clean_days >= policy.clear_days:
        ended = {"state": ProblemState.resolved, "resolved_date": now.site_date}
        return now.model_copy(update={**ended, "severity": Severity.ok, "acknowledgement": None})
    if seen.bad and _is_worse(now, seen, policy) and not _silences(mark, now, seen):
        risen = seen.over and not now.notified_over
        worse = now.model_copy(update={"state": ProblemState.worsening})
        return _told(worse, seen, is_rise=risen)
    if expired and mark is None and seen.bad:
        return _told(now.model_copy(update={"state": ProblemState.reopened}), seen, is_rise=False)
    return now.model_copy(update={"state": _quiet_state(now, seen, policy)})


def _quiet_state(now: ProblemDay, seen: DailyEvaluation, policy: AlertSettings) -> ProblemState:
    same = ProblemState.lasting if now.acknowledgement is None else ProblemState.acknowledged
    if not seen.judged:
        return now.state if now.state is ProblemState.improving else same
    gained = (
        seen.headroom is not None
        and now.notified_headroom is not None
        and seen.headroom - now.notified_headroom >= policy.worse_by_headroom
    )
    is_better = seen.severity.rank < now.notified_severity.rank or gained
    return ProblemState.improving if is_better else same


def _is_worse(now: ProblemDay, seen: DailyEvaluation, policy: AlertSettings) -> bool:
    """Clearly worse than the worst that was told in this episode."""
    if seen.severity.rank > now.notified_severity.rank or (seen.over and not now.notified_over):
        return True
    if seen.expected_date and now.notified_crossing_date and not now.notified_over:
        return (now.notified_crossing_date - seen.expected_date).days >= policy.worse_by_days
    left, had = seen.headroom, now.notified_headroom
    return left is not None and had is not None and had - left >= policy.worse_by_headroom


def _silences(mark: Acknowledgement | None, now: ProblemDay, seen: DailyEvaluation) -> bool:
    """Whether what people said covers this change too."""
    if mark is None:
        return False
    if mark.kind is AcknowledgementKind.false_alarm:
        return True
    if mark.kind is AcknowledgementKind.accepted_until:
        return now.notified_over or not seen.over  # a forecast was accepted, not a breach
    return False


def _told(now: ProblemDay, seen: DailyEvaluation, *, is_rise: bool) -> ProblemDay:
    """With what people now know, the worst of the episode, and whether it may page."""
    dates = [day for day in (now.notified_crossing_date, seen.expected_date) if day]
    left = [room for room in (now.notified_headroom, seen.headroom) if room is not None]
    return now.model_copy(
        update={
            "notified_date": now.site_date,
            "notified_severity": max(
                now.notified_severity, seen.severity, key=lambda one: one.rank
            ),
            "notified_over": now.notified_over or seen.over,
            "notified_crossing_date": min(dates, default=None),
            "notified_headroom": min(left, default=None),
            "breach_notified_date": now.site_date if is_rise else now.breach_notified_date,
            "pages": is_rise and seen.production and seen.severity is Severity.act,
        }
    )
