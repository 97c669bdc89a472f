"""The resource that a problem is about: problems of one resource share a line and a ticket."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Final

from mqcap.domain.metric import split_series_id
from mqcap.domain.problem import Problem, ProblemDay
from mqcap.domain.resource import Resource
from mqcap.domain.subject import Subject
from sizing.rulebook.registry import all_rules

CACHED_PATHS: Final = 20_480
"""Keys whose paths are kept in memory: pages look up those of all findings again and again."""


def resource_of_problem(key: str) -> Resource | None:
    """Return the resource of a problem's key; ``None`` when no rule of this release has its id."""
    rule_id, subject = split_series_id(key)
    rule = all_rules().get(rule_id)
    return None if rule is None else rule.resource_of(subject)


@lru_cache(maxsize=CACHED_PATHS)
def resource_path(key: str) -> str:
    """Return the path of a problem's resource; the key itself when its rule is not known."""
    resource = resource_of_problem(key)
    return key if resource is None else resource.path


def resource_name(key: str) -> str:
    """Return a problem's resource as people read it: ``PLEX1 CSQ1 active logs``."""
    resource = resource_of_problem(key)
    if resource is None:
        return split_series_id(key)[1]
    return f"{resource.path.sysplex} {resource.label}"


def resource_label(key: str) -> str:
    """Return the same without its sysplex: ``CSQ1 active logs``."""
    resource = resource_of_problem(key)
    return split_series_id(key)[1] if resource is None else resource.label


def hit_in_the_same_hour(
    problems: Sequence[Problem], everything: Iterable[Problem], hours: int
) -> tuple[str, ...]:
    """Return the other resources of the sysplex with a measured breach of the same hour, by name.

    ``problems`` are those of one resource; hours at most so many apart are the same.
    """
    own, within = {problem.status.resource for problem in problems}, timedelta(hours=hours)
    measured = [problem.status for problem in problems if problem.over]
    names = {
        resource_name(other.key)
        for other in everything
        if other.over and other.status.resource not in own
        if any(_same_hour(other.status, status, within) for status in measured)
    }
    return tuple(sorted(names))


def _same_hour(first: ProblemDay, second: ProblemDay, within: timedelta) -> bool:
    if first.peak_hour_utc is None or second.peak_hour_utc is None:
        return False
    one, other = (Subject(split_series_id(row.key)[1]).sysplex for row in (first, second))
    return one == other and abs(first.peak_hour_utc - second.peak_hour_utc) <= within
