"""The state machine of problems: the next day follows from the day before and its evaluations.

Raise and clear levels differ, several days must agree, and only what is clearly worse than anything
notified before is notified again.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.metric import split_series_id
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemDay, ProblemState
from mqcap.domain.resource import ResourceKind
from mqcap.notifications.grading import DailyEvaluation
from mqcap.queries.resources import resource_of_problem, resource_path
from mqcap.settings import AlertSettings


class EstateOfDay(NamedTuple):
    """What the settings describe, and what findings of a day are about."""

    names: Callable[[str], bool | None]
    """Whether a subject is described; ``None`` where others are not either."""
    reported: frozenset[str]
    """Queue managers and facilities with a finding."""


_RESOLVED: Final[dict[str, object]] = {
    "state": ProblemState.resolved,
    "severity": Severity.ok,
    "acknowledgement": None,
}
_NOTHING_NOTIFIED: Final[dict[str, object]] = {
    "notified_severity": Severity.ok,
    "notified_over": False,
    "notified_headroom": None,
    "notified_crossing_date": None,
    "breach_notified_date": None,
}
"""A problem that is back starts a new comparison: a notified forecast of it hides no breach."""


def advance(  # noqa: PLR0913 - the day and its surroundings, all keyword-only
    before: Iterable[ProblemDay],
    evaluations: Iterable[DailyEvaluation],
    acknowledgements: Mapping[str, Acknowledgement],
    policy: AlertSettings,
    *,
    day: date,
    judged_before: int,
    estate: EstateOfDay | None = None,
) -> list[ProblemDay]:
    """Return all problems on ``day``, sorted by key.

    ``before`` are all on the last judged day before; ``acknowledgements`` by key, of which one
    noted later does not count; ``judged_before`` the judged days in the raise window: in the first
    days fewer must agree. ``estate`` is what the settings describe; ``None`` describes everything.
    """
    previous = {problem.key: problem for problem in before}
    today = {evaluation.key: evaluation for evaluation in evaluations}
    problems: list[ProblemDay] = []
    problem: ProblemDay | None
    for key in sorted({key for key, evaluation in today.items() if evaluation.bad} | set(previous)):
        evaluation = today.get(key) or DailyEvaluation(key=key, severity=Severity.unknown)
        acknowledgement = acknowledgements.get(key)
        if acknowledgement is not None and acknowledgement.noted_date > day:
            acknowledgement = None
        start = previous.get(key) or _opening(evaluation, day, judged_before, policy)
        start = start.model_copy(update={"site_date": day})
        if estate is not None and _has_left(start, estate):
            left_date = start.left_date or day
            if day - left_date > timedelta(days=policy.reopen_days) and key not in today:
                continue
            change = _RESOLVED | {"resolved_date": left_date, "left_date": left_date}
            problem = start.model_copy(update=change | {"in_estate": False, "pages": False})
        else:
            is_named = estate is not None and estate.names(split_series_id(key)[1]) is True
            start = start.model_copy(update={"in_estate": is_named, "left_date": None})
            problem = _next_day(start, evaluation, acknowledgement, policy)
        if problem is not None:
            problems.append(problem)
    return problems


def _has_left(start: ProblemDay, estate: EstateOfDay) -> bool:
    """Return whether the settings no longer describe the subject of an open problem."""
    subject = split_series_id(start.key)[1]
    is_named = estate.names(subject)
    if is_named or not (start.left_date or start.state.is_open):
        return False
    was_named = bool(start.left_date or start.in_estate)
    return was_named or (is_named is False and subject.owner not in estate.reported)


def _opening(
    evaluation: DailyEvaluation, day: date, judged_before: int, policy: AlertSettings
) -> ProblemDay:
    """Return a problem on its first bad day: the judged days before it were in order."""
    quiet_days = min(judged_before, policy.raise_window_days - 1)
    return ProblemDay(
        key=evaluation.key,
        site_date=day,
        state=ProblemState.pending,
        severity=evaluation.severity,
        over=evaluation.over,
        resource=resource_path(evaluation.key),
        first_seen_date=day,
        recent="0" * quiet_days,
    )


def _next_day(
    previous: ProblemDay,
    evaluation: DailyEvaluation,
    acknowledgement: Acknowledgement | None,
    policy: AlertSettings,
) -> ProblemDay | None:
    """Return the next day of one problem, or ``None`` when it need not be tracked any longer."""
    problem = _with_evaluation(previous, evaluation, policy)
    if previous.state is ProblemState.pending:
        return _raised(problem, evaluation, policy, ProblemState.new)
    if previous.state is ProblemState.resolved:
        back = _raised(problem, evaluation, policy, ProblemState.reopened)
        if back is not None and back.state is ProblemState.reopened:
            holds = acknowledgement is not None and _still_holds(acknowledgement, previous)
            return _reopened(previous, back, acknowledgement if holds else None, evaluation)
        resolved = previous.resolved_date or previous.site_date
        is_past = problem.site_date - resolved > timedelta(days=policy.reopen_days)
        return None if is_past else problem.model_copy(update={"state": ProblemState.resolved})
    return _open_day(problem, evaluation, acknowledgement, policy)


def _with_evaluation(
    previous: ProblemDay, evaluation: DailyEvaluation, policy: AlertSettings
) -> ProblemDay:
    if not evaluation.judged:
        return previous.model_copy(update={"pages": False})
    is_clean = evaluation.clear and evaluation.complete
    unchanged_days = previous.clean_days if evaluation.clear else 0
    recent = previous.recent + ("1" if evaluation.bad else "0")
    return previous.model_copy(
        update={
            "severity": evaluation.severity,
            "over": evaluation.over,
            "recent": recent[-policy.raise_window_days :],
            "clean_days": previous.clean_days + 1 if is_clean else unchanged_days,
            "probability": evaluation.probability,
            "probability_days": evaluation.probability_days,
            "peak_hour_utc": evaluation.peak_hour_utc,
            "pages": False,
        }
    )


def _raised(
    problem: ProblemDay, evaluation: DailyEvaluation, policy: AlertSettings, state: ProblemState
) -> ProblemDay | None:
    """Return it raised when enough days agree, pending while some do, else ``None``."""
    is_measured_breach = evaluation.over and evaluation.severity is Severity.act
    required = policy.breach_days if is_measured_breach else policy.raise_days
    if not evaluation.bad or problem.recent.count("1") < min(required, len(problem.recent)):
        return problem if "1" in problem.recent else None
    changes: dict[str, object] = {"state": state, "resolved_date": None, "clean_days": 0}
    if state is ProblemState.new:
        changes["raised_date"] = problem.site_date
    else:
        changes |= _NOTHING_NOTIFIED | {"first_seen_date": problem.site_date}
    raised = problem.model_copy(update=changes)
    return _notified(raised, evaluation, breach_begins=evaluation.over)


def _reopened(
    previous: ProblemDay,
    back: ProblemDay,
    acknowledgement: Acknowledgement | None,
    evaluation: DailyEvaluation,
) -> ProblemDay:
    """Return a problem that is back: notified, unless its risk is accepted until a later date."""
    is_accepted = acknowledgement and acknowledgement.kind is AcknowledgementKind.accepted_until
    if not is_accepted or not _suppresses(acknowledgement, previous, evaluation):
        return back
    return back.model_copy(
        update={
            "state": ProblemState.acknowledged,
            "acknowledgement": acknowledgement,
            "pages": False,
            "notified_date": previous.notified_date,
        }
    )


def _still_holds(acknowledgement: Acknowledgement, problem: ProblemDay) -> bool:
    """Return True until its date, and without a date for the ticket that it was written for."""
    begun = problem.raised_date or problem.site_date
    return acknowledgement.holds_on(problem.site_date) and (
        acknowledgement.until_date is not None or acknowledgement.noted_date >= begun
    )


def _open_day(
    problem: ProblemDay,
    evaluation: DailyEvaluation,
    acknowledgement: Acknowledgement | None,
    policy: AlertSettings,
) -> ProblemDay:
    was_acknowledged = problem.acknowledgement
    expired = was_acknowledged is not None and not was_acknowledged.holds_on(problem.site_date)
    if acknowledgement is not None and not _still_holds(acknowledgement, problem):
        acknowledgement = None
    problem = problem.model_copy(update={"acknowledgement": acknowledgement})
    if problem.clean_days >= policy.clear_days:
        return problem.model_copy(update=_RESOLVED | {"resolved_date": problem.site_date})
    is_worse = evaluation.bad and _is_worse(problem, evaluation, policy)
    if is_worse and not _suppresses(acknowledgement, problem, evaluation):
        breach_begins = evaluation.over and not problem.notified_over
        worse = problem.model_copy(update={"state": ProblemState.worsening})
        return _notified(worse, evaluation, breach_begins=breach_begins)
    if expired and acknowledgement is None and evaluation.bad:
        reopened = problem.model_copy(update={"state": ProblemState.reopened})
        return _notified(reopened, evaluation, breach_begins=False)
    return problem.model_copy(update={"state": _unnotified_state(problem, evaluation, policy)})


def _unnotified_state(
    problem: ProblemDay, evaluation: DailyEvaluation, policy: AlertSettings
) -> ProblemState:
    """Return the state of an open problem on a day without a notification."""
    is_acknowledged = problem.acknowledgement is not None
    unchanged = ProblemState.acknowledged if is_acknowledged else ProblemState.lasting
    if not evaluation.judged:
        return problem.state if problem.state is ProblemState.improving else unchanged
    has_gained = (
        evaluation.headroom is not None
        and problem.notified_headroom is not None
        and evaluation.headroom - problem.notified_headroom >= policy.worse_by_headroom
    )
    is_better = evaluation.severity.rank < problem.notified_severity.rank or has_gained
    return ProblemState.improving if is_better else unchanged


def _is_worse(problem: ProblemDay, evaluation: DailyEvaluation, policy: AlertSettings) -> bool:
    """Return True when it is clearly worse than the worst notified in this episode."""
    if evaluation.severity.rank > problem.notified_severity.rank:
        return True
    if evaluation.over and not problem.notified_over:
        return True
    notified_date = problem.notified_crossing_date
    if evaluation.expected_date and notified_date and not problem.notified_over:
        return (notified_date - evaluation.expected_date).days >= policy.worse_by_days
    now, before = evaluation.headroom, problem.notified_headroom
    return now is not None and before is not None and before - now >= policy.worse_by_headroom


def _suppresses(
    acknowledgement: Acknowledgement | None, problem: ProblemDay, evaluation: DailyEvaluation
) -> bool:
    """Return True when the acknowledgement covers a change for the worse too."""
    if acknowledgement is None:
        return False
    if acknowledgement.kind is AcknowledgementKind.false_alarm:
        return True
    if acknowledgement.kind is AcknowledgementKind.accepted_until:
        return problem.notified_over or not evaluation.over  # accepting a forecast: not its breach
    return False


def _notified(
    problem: ProblemDay, evaluation: DailyEvaluation, *, breach_begins: bool
) -> ProblemDay:
    """Return it with the worst notified in the episode, and the flag for the on-call page."""
    dates = filter(None, (problem.notified_crossing_date, evaluation.expected_date))
    ratios = (problem.notified_headroom, evaluation.headroom)
    resource = resource_of_problem(problem.key)
    has_occurred = resource is None or resource.kind is not ResourceKind.loss
    is_critical = evaluation.production and evaluation.severity is Severity.act and has_occurred
    severities = (problem.notified_severity, evaluation.severity)
    begun = problem.site_date if breach_begins else problem.breach_notified_date
    return problem.model_copy(
        update={
            "notified_date": problem.site_date,
            "notified_severity": max(severities, key=lambda severity: severity.rank),
            "notified_over": problem.notified_over or evaluation.over,
            "notified_crossing_date": min(dates, default=None),
            "notified_headroom": min(
                (ratio for ratio in ratios if ratio is not None), default=None
            ),
            "breach_notified_date": begun,
            "pages": breach_begins and is_critical,
        }
    )
