"""MQ's share of the load of a coupling facility, and facilities in which MQ has no structure.

What MQ uses is estimated (ours) by requests times service time, which SMF 74.4 states.
"""

from collections.abc import Iterable
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import group_of_structure, sharing_groups
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import counted, figure
from mqcap.domain.subject import Subject
from mqcap.judging.observed import Observed

RULES: Final = frozenset({"CF-BUSY-1", "CF-BUSY-N"})
FOR_THE_OWNER: Final = "For the CF's owner"
_REQUESTS: Final = "structure_requests_per_s"
_SERVICE_US: Final = "structure_sync_us"


def with_mq_share(finding: Finding, observed: Observed, estate: Estate) -> Finding:
    """Return a finding on busy engines with MQ's share, or that MQ has none; others as they are."""
    if finding.rule_id not in RULES or finding.severity is Severity.unknown:
        return finding
    inside = structures_in(observed, finding.subject)
    if not inside:
        why = "No structure of this facility was measured: MQ's share of its load is not known."
        return finding.with_caveats(why)
    groups = _groups(finding.subject, observed, estate)
    mine = [subject for subject in inside if group_of_structure(subject) in groups]
    if not mine:
        return _for_the_owner(finding, inside)
    return _with_share(finding, service_us(observed, mine), service_us(observed, inside), len(mine))


def has_mq_structure(observed: Observed, estate: Estate, facility: str) -> bool:
    """Return whether a structure of a queue sharing group was measured in a facility."""
    groups = _groups(facility, observed, estate)
    return any(
        group_of_structure(structure) in groups for structure in structures_in(observed, facility)
    )


def is_for_the_owner(finding: Finding) -> bool:
    """Return true for a finding on a facility in which MQ has no structure."""
    return finding.rule_id in RULES and finding.severity is Severity.suggestion


def structures_in(observed: Observed, facility: str) -> list[str]:
    """Return the measured structures of a facility, by name."""
    subjects = observed.subjects(SubjectKind.structure)
    return sorted(subject for subject in subjects if Subject(subject).is_part_of(facility))


def _groups(facility: str, observed: Observed, estate: Estate) -> set[str]:
    sysplex = Subject(facility).sysplex
    return sharing_groups(sysplex, observed.subjects(SubjectKind.structure), estate)


def service_us(observed: Observed, subjects: Iterable[str]) -> float:
    """Return requests times mean service time of structures on the last day of both."""
    total = 0.0
    for subject in subjects:
        requests = {day.site_date: day.peak for day in observed.days(_REQUESTS, subject)}
        times = {day.site_date: day.mean for day in observed.days(_SERVICE_US, subject)}
        both = sorted(requests.keys() & times.keys())
        if both:
            total += requests[both[-1]] * times[both[-1]]
    return total


def _with_share(finding: Finding, mq_us: float, all_us: float, count: int) -> Finding:
    busy = finding.observed
    if not all_us or busy is None:
        why = "Requests or service times of its structures are not known, nor is MQ's share."
        return finding.with_caveats(why)
    share = busy * mq_us / all_us
    line = (
        f"MQ's share = {figure(mq_us)} / {figure(all_us)} us/s x {figure(busy)} % = "
        f"{figure(share)} %: requests/s x service time of its {counted(count, 'structure')}, of "
        "those of all structures (first estimate, ours)"
    )
    words = f"{finding.statement} MQ's structures account for about {figure(share)} points of it."
    changed = finding.with_statement(words)
    return changed.model_copy(update={"arithmetic": (*finding.arithmetic, line)})


def _for_the_owner(finding: Finding, inside: list[str]) -> Finding:
    names = " ".join(Subject(subject).name for subject in inside)
    words = f"{finding.statement} MQ has no structure here ({names})."
    if not finding.breach and finding.severity is Severity.ok:
        return finding.with_statement(words)
    return finding.with_statement(words).model_copy(
        update={
            "severity": Severity.suggestion,
            "advice": f"{FOR_THE_OWNER}: {finding.advice}",
            "changes": (),
        }
    )
