"""Resources whose open problems are all acknowledged, for lists of plans and of tickets."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date

from mqcap.domain.plan import Decision, Plan
from mqcap.domain.problem import Acknowledgement, ProblemDay
from mqcap.queries.resources import resource_path
from mqcap.store.database import Store
from mqcap.store.problems import latest_acknowledgements, read_problems


def acknowledged_plans(
    engine: Store, plans: Iterable[Decision], day: date
) -> dict[str, Acknowledgement]:
    """Return by resource the acknowledgement of plans whose open problems all have one.

    Without an open problem it is that of the plan's worst rule, to which the page's link leads.
    """
    worst: dict[str, tuple[str, ...]] = {plan.resource: (plan.reason.key,) for plan in plans}
    every = acknowledged_resources(engine, day, worst)
    return {path: found for path, found in every.items() if path in worst}


def acknowledged_last(plans: Iterable[Plan], acknowledged: Collection[str]) -> list[Plan]:
    """Return plans in the order given, those of acknowledged resources last."""
    return sorted(plans, key=lambda plan: plan.resource in acknowledged)


def acknowledged_resources(
    engine: Store, day: date, otherwise: Mapping[str, Iterable[str]]
) -> dict[str, Acknowledgement]:
    """Return by resource path the acknowledgement that ends first, where each problem has one.

    It has to hold on the day, and counts from the moment at which it is stored, not only from the
    next run on. ``otherwise`` has keys of the problems that count for a resource without an open
    one.
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
