"""Why a part has no loss: what is missing for one."""

from collections.abc import Iterator
from typing import Final

from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import QueueManager, SystemClass
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import has_mq_structure
from mqcap.whatif.effects import known_engines

_BUSY: Final = "cf_busy_pct"
_NOT_IN_ESTATE: Final = (
    "it is not in the estate, so its queue sharing group is not known; add it with its qsg"
)


NO_SHARING: Final = (
    "nothing else takes its work: what is lost in turn are coupling facilities and members of "
    "queue sharing groups"
)


def reasons_without_loss(facts: DayFacts, part_of_path: str) -> list[str]:
    """Return why nothing is evaluated for the parts with such a path that have no loss.

    Parts of sites share a sentence. Empty where no facility, queue manager,
    site or part of a site, in the estate or measured, has such a path.
    """
    own = {**dict(_facilities(facts)), **dict(_members(facts))}
    wanted = part_of_path.casefold()
    found = [
        f"{name}: {reason}" for name, reason in sorted(own.items()) if wanted in name.casefold()
    ]
    of_sites = [part for part in sorted(parts_of_sites(facts)) if wanted in part.casefold()]
    return [*found, *([f"{', '.join(of_sites)}: {NO_SHARING}"] if of_sites else [])]


def parts_without_loss(facts: DayFacts) -> list[str]:
    """Return the facilities, queue managers and parts of sites about which there is a reason."""
    return sorted({*dict(_facilities(facts)), *dict(_members(facts)), *parts_of_sites(facts)})


def _facilities(facts: DayFacts) -> Iterator[tuple[str, str]]:
    configured = {
        Subject.of(plex.sysplex, facility.name)
        for plex in facts.estate.sysplexes
        for facility in plex.cfs
    }
    for subject in sorted(configured | facts.observed.subjects(SubjectKind.coupling_facility)):
        if not facts.observed.days(_BUSY, subject):
            yield subject, "no busy time of it was measured (SMF 74.4)"
        elif known_engines(facts, subject) is None:
            yield (
                subject,
                "the number of its engines is not known; set engines of the facility in the estate",
            )
        elif not has_mq_structure(facts.observed, facts.estate, subject):
            yield subject, "no structure of MQ is in it, so no work of MQ is lost with it"


def _members(facts: DayFacts) -> Iterator[tuple[str, str]]:
    known: set[str] = set()
    for plex in facts.estate.sysplexes:
        for manager in plex.qmgrs:
            subject: str = Subject.of(plex.sysplex, manager.name)
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
        other.qsg == manager.qsg and other.system_class is not SystemClass.test for other in every
    ):
        return "it is a test system, whose work no member of production takes"
    if not any(other.qsg == manager.qsg and other.name != manager.name for other in every):
        return f"it is the only member of {manager.qsg} in the estate, so none takes its work"
    return ""


_OF_SITES: Final = (
    SubjectKind.distributed_queue_manager,
    SubjectKind.ztpf_system,
    SubjectKind.mq_host,
    SubjectKind.linux_host,
)


def parts_of_sites(facts: DayFacts) -> set[str]:
    """Return each site and each of its parts, z/TPF systems and hosts of a sysplex too."""
    found = {subject for kind in _OF_SITES for subject in facts.observed.subjects(kind)}
    for place in facts.estate.places:
        found.add(place.site)
        names = [*(qmgr.name for qmgr in place.qmgrs), *(host.name for host in place.hosts)]
        found |= {subject_of(place.site, name) for name in names}
    return found | {
        subject_of(part.root, system.name) for part in facts.estate.parts for system in part.ztpf
    }
