"""Why a part has no loss: what is missing for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqcap.domain.estate import QueueManager, SystemClass
from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import has_mq_structure
from mqcap.whatif.effects import known_engines
from mqcap.whatif.losses.site_parts import reasons_of_sites

_BUSY: Final = "cf_busy_pct"
_NOT_IN_ESTATE: Final = (
    "it is not in the estate, so its queue sharing group is not known; add it with its qsg"
)


def reasons_without_loss(facts: DayFacts, part_of_path: str) -> list[str]:
    """Return why nothing is evaluated for the parts with such a path that have no loss.

    Parts of sites with the same reason share a sentence. Empty where no facility, queue manager,
    site or part of a site, in the estate or measured, has such a path.
    """
    own = {**dict(_facilities(facts)), **dict(_members(facts))}
    wanted = part_of_path.casefold()
    found = [
        f"{each}: {reason}" for each, reason in sorted(own.items()) if wanted in each.casefold()
    ]
    shared: dict[str, list[str]] = {}
    for subject, reason in sorted(reasons_of_sites(facts).items()):
        if wanted in subject.casefold():
            shared.setdefault(reason, []).append(subject)
    return [*found, *(f"{', '.join(names)}: {reason}" for reason, names in shared.items())]


def parts_without_loss(facts: DayFacts) -> list[str]:
    """Return the facilities, queue managers and parts of sites about which there is a reason."""
    return sorted({*dict(_facilities(facts)), *dict(_members(facts)), *reasons_of_sites(facts)})


def _facilities(facts: DayFacts) -> Iterator[tuple[str, str]]:
    configured = {
        f"{plex.sysplex}{SERIES_SEPARATOR}{facility.name}"
        for plex in facts.estate.sysplexes
        for facility in plex.cfs
    }
    for subject in sorted(configured | facts.observed.subjects(SubjectKind.coupling_facility)):
        reason = _of_facility(facts, subject)
        if reason:
            yield subject, reason


def _of_facility(facts: DayFacts, subject: str) -> str:
    if not facts.observed.days(_BUSY, subject):
        return "no busy time of it was measured (SMF 74.4)"
    if known_engines(facts, subject) is None:
        return "the number of its engines is not known; set engines of the facility in the estate"
    if not has_mq_structure(facts.observed, facts.estate, subject):
        return "no structure of MQ is in it, so no work of MQ is lost with it"
    return ""


def _members(facts: DayFacts) -> Iterator[tuple[str, str]]:
    known: set[str] = set()
    for plex in facts.estate.sysplexes:
        for manager in plex.qmgrs:
            subject = f"{plex.sysplex}{SERIES_SEPARATOR}{manager.name}"
            known.add(subject)
            reason = _of_member(manager, plex.qmgrs)
            if reason:
                yield subject, reason
    for subject in sorted(facts.observed.subjects(SubjectKind.queue_manager) - known):
        yield subject, _NOT_IN_ESTATE


def _of_member(manager: QueueManager, every: tuple[QueueManager, ...]) -> str:
    if manager.qsg is None:
        return (
            "it is in no queue sharing group, so no other queue manager takes its work; set qsg "
            "in the estate if it is in one"
        )
    if manager.system_class is SystemClass.test and any(
        each.qsg == manager.qsg and each.system_class is not SystemClass.test for each in every
    ):
        return "it is a test system, whose work no member of production takes"
    if not any(each.qsg == manager.qsg and each.name != manager.name for each in every):
        return f"it is the only member of {manager.qsg} in the estate, so none takes its work"
    return ""
