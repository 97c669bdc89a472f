"""What is to be decided on a day: rows with who acknowledged them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from mqcap.domain.problem import Acknowledgement, ProblemDay
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_rows import DayResults, SiteFacts, plan_summaries
from mqcap.presentation.summary_words import acknowledged_words
from mqcap.queries.resources import resource_path
from mqcap.settings import Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import findings_about, urgent_findings
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.problems import latest_acknowledgements, read_problems
from mqcap.store.step_runs import last_step_ended_at

KEPT_DAYS: Final = 2
"""Days that are kept in memory: the newest one and one that a reader looks at (ours)."""
_KEPT: Final[dict[tuple[Store, date], tuple[datetime, Sequence[PlanSummary]]]] = {}


def plan_summaries_on(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    """Return a row for each resource to decide on, most urgent first, acknowledged ones last."""
    return _with_acknowledgements(engine, _rows(engine, day, settings), day)


def kept_summaries_on(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    """Return the same for pages: kept in memory until a step ends, but for acknowledgements."""
    changed = last_step_ended_at(engine)
    if changed is None:
        return plan_summaries_on(engine, day, settings)
    ended, rows = _KEPT.get((engine, day), (None, ()))
    if ended != changed:
        rows = _rows(engine, day, settings)
        for oldest in list(_KEPT)[: 1 - KEPT_DAYS]:
            _KEPT.pop(oldest, None)
        _KEPT[engine, day] = changed, rows
    return _with_acknowledgements(engine, rows, day)


def _rows(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    plans = read_plans(engine, day)
    subjects = {subject for plan in plans for _, subject in plan.judged}
    today = DayResults(
        day,
        findings=[*findings_about(engine, day, subjects), *urgent_findings(engine, day)],
        crossings=read_crossings(engine, day),
        plans=plans,
        losses=read_losses(engine, day),
        states=read_states(engine, day, day),
    )
    return plan_summaries(today, SiteFacts(settings.alerts, settings.complete_estate()))


def _with_acknowledgements(
    engine: Store, rows: Sequence[PlanSummary], day: date
) -> list[PlanSummary]:
    own: dict[str, tuple[str, ...]] = {row.resource: (row.key,) for row in rows}
    found = {
        path: acknowledged_words(answer)
        for path, answer in acknowledged_resources(engine, day, own).items()
    }
    noted = (
        row.model_copy(update={"acknowledged": found[row.resource]})
        if row.resource in found
        else row
        for row in rows
    )
    return sorted(noted, key=lambda row: bool(row.acknowledged))


def acknowledged_resources(
    engine: Store, day: date, otherwise: Mapping[str, Iterable[str]]
) -> dict[str, Acknowledgement]:
    """Return by resource path the acknowledgement that ends first, where each problem has one.

    It counts from the moment at which it is stored. ``otherwise`` has keys of the problems that
    count for a resource without an open one.
    """
    latest = latest_acknowledgements(engine, day)
    if not latest:
        return {}
    problems = {
        problem.key: problem for problem in read_problems(engine, day) if problem.state.is_open
    }
    keys = defaultdict[str, list[str]](list)
    for key in problems:
        keys[resource_path(key)].append(key)
    for path, others in otherwise.items():
        keys[path] = keys[path] or list(others)
    held = {
        key: acknowledgement
        for key, acknowledgement in latest.items()
        if _counts(acknowledgement, problems.get(key), day)
    }

    def end(key: str) -> tuple[date, str]:
        return held[key].until_date or date.max, key

    return {
        path: held[min(members, key=end)]
        for path, members in keys.items()
        if members and held.keys() >= set(members)
    }


def _counts(acknowledgement: Acknowledgement, problem: ProblemDay | None, day: date) -> bool:
    """Return False once it has ended, and when the problem was raised or got worse after it."""
    if not acknowledgement.holds_on(day):
        return False
    noted = acknowledgement.noted_date
    if problem is None or noted >= day:
        return True
    is_of_episode = acknowledgement.until_date or noted >= (problem.raised_date or day)
    return bool(is_of_episode) and not problem.is_new_or_changed
