"""Why nothing of a site is lost: its parts are in no queue sharing group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts

_SITE: Final = (
    "it is a site, whose queue managers share no queues: what is lost in turn are coupling "
    "facilities and members of queue sharing groups of a sysplex"
)
_DISTRIBUTED: Final = (
    "queue managers of a site share no queues, so no other queue manager takes its work"
)
_SYSTEM: Final = (
    "z/TPF systems are in no queue sharing group, so no other queue manager takes its work"
)
_HOST: Final = "what runs on a host is in no queue sharing group, so nothing else takes its work"
_KINDS: Final[Mapping[SubjectKind, str]] = {
    SubjectKind.distributed_queue_manager: _DISTRIBUTED,
    SubjectKind.ztpf_system: _SYSTEM,
    SubjectKind.mq_host: _HOST,
    SubjectKind.linux_host: _HOST,
}


def reasons_of_sites(facts: DayFacts) -> dict[str, str]:
    """Return why each site and each of its parts has no loss, by subject.

    Parts are those in the estate and those that are measured. z/TPF systems and hosts of a
    sysplex are among them.
    """
    return dict(_reasons(facts))


def _reasons(facts: DayFacts) -> Iterator[tuple[str, str]]:
    for kind, reason in _KINDS.items():
        for subject in sorted(facts.observed.subjects(kind)):
            yield subject, reason
    for place in facts.estate.places:
        yield place.site, _SITE
        for manager in place.qmgrs:
            yield subject_of(place.site, manager.name), _DISTRIBUTED
        for host in place.hosts:
            yield subject_of(place.site, host.name), _HOST
    for part in facts.estate.parts:
        for system in part.ztpf:
            yield subject_of(part.root, system.name), _SYSTEM
