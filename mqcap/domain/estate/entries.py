"""Entries of the settings about a subject, its own first; groups that structures belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.distributed.site_figure import UNIT_SUFFIX, DeclaredFigure
from mqcap.domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from mqcap.domain.estate.configured import Configured, LinuxHost, ZtpfSystem
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.domain.units import Unit

_NOT_ON_ZOS: Final = {
    SubjectKind.linux_host,
    SubjectKind.ztpf_system,
    SubjectKind.distributed_queue_manager,
    SubjectKind.distributed_queue,
    SubjectKind.distributed_channel,
}
GROUP_NAME_LENGTH: Final = 4
"""A structure of MQ is named by its queue sharing group, padded to four with ``@``."""


@dataclass(frozen=True)
class GroupFacts:
    """What the estate tells of a queue sharing group."""

    group_queue_managers: int | None


class SiteLimits(BaseModel, frozen=True, extra="allow"):
    """Limits and units of declared figures, under the name of each figure."""

    @classmethod
    def of(cls, declared: Iterable[DeclaredFigure]) -> SiteLimits:
        """Return the limits and units; a figure without a limit has ``None`` there."""
        facts: dict[str, object] = {}
        for setting in declared:
            facts |= {setting.figure: setting.limit, f"{setting.figure}{UNIT_SUFFIX}": setting.unit}
        return cls.model_validate(facts)


Entry = SiteLimits | Configured | QueueManager | CouplingFacility | GroupFacts
Placed = tuple[Entry, str]


def entries_of(subject: str, kind: SubjectKind, estate: Estate) -> list[Placed]:
    """Return the entries about a subject, the most specific first, each with its path."""
    root, name, *rest = Subject(subject).names
    owner = Subject.of(root, name)
    if kind is SubjectKind.site_object:
        return [(SiteLimits.of(estate.site_figures), "site_figures")]
    if kind in {SubjectKind.coupling_facility, SubjectKind.structure}:
        return _of_facility(estate, owner, rest)
    if kind in _NOT_ON_ZOS:
        wanted = root, unescaped(name)
        found = [guest for of, guest in _guests(estate, kind) if (of, guest.name) == wanted]
        guests: list[Placed] = [(guest, owner) for guest in found]
        manager = None if kind is SubjectKind.ztpf_system else estate.distributed(*wanted)
        if manager is None:
            return guests
        queues = manager.queues if kind is SubjectKind.distributed_queue else ()
        own = [queue for queue in queues if queue.name == unescaped(rest[0])]
        return [*guests, *((queue, Subject.of(owner, rest[0])) for queue in own), (manager, owner)]
    qmgr = estate.queue_manager(root, name)
    if qmgr is None:
        return []
    pools = [pool for pool in qmgr.buffer_pools if rest == [f"BP{pool.number:02d}"]]
    return [*((pool, Subject.of(owner, rest[0])) for pool in pools), (qmgr, owner)]


def _of_facility(estate: Estate, owner: Subject, rest: list[str]) -> list[Placed]:
    entries: list[Placed] = []
    facility = estate.coupling_facility(*owner.names)
    if facility is not None:
        own = [structure for structure in facility.structures if rest == [structure.name]]
        entries = [*((structure, Subject.of(owner, rest[0])) for structure in own)]
        entries.append((facility, owner))
    if rest:
        group = group_of_structure(rest[0])
        members = sum(qmgr.qsg == group for qmgr in estate.plex(owner.sysplex).qmgrs)
        entries.append((GroupFacts(members or None), f"{owner.sysplex}, group {group}"))
    return entries


def unit_of(entry: Entry, key: str) -> str:
    """Return the unit that an entry declares for one of its keys; empty where it has none."""
    if not isinstance(entry, BaseModel) or key not in type(entry).model_fields:
        return ""
    marks = type(entry).model_fields[key].metadata
    return next((mark.text for mark in marks if isinstance(mark, Unit)), "")


def guests_of(estate: Estate, kind: SubjectKind) -> set[str]:
    """Return subjects that only the estate describes."""
    return {f"{root}/{guest.name}" for root, guest in _guests(estate, kind)}


def _guests(estate: Estate, kind: SubjectKind) -> Iterator[tuple[str, LinuxHost | ZtpfSystem]]:
    """Yield the hosts or z/TPF systems, each with its sysplex or site; none of other kinds."""
    for part in estate.parts:
        if kind is SubjectKind.linux_host:
            hosts = part.linux if isinstance(part, Sysplex) else part.hosts
            yield from ((part.root, host) for host in hosts)
        if kind is SubjectKind.ztpf_system:
            yield from ((part.root, system) for system in part.ztpf)


OWN_STRUCTURES: Final = ("CSQ_ADMIN", "CSQSYSAPPL")
"""Every queue sharing group has these: they name it where the estate does not."""


def group_of_structure(structure: str) -> str:
    """Return the name with which a structure begins, the group's where it is MQ's."""
    return Subject(structure).name[:GROUP_NAME_LENGTH].rstrip("@")


def zos_structure(group: str, structure: str) -> str:
    """Return the name in z/OS of a structure that MQ names without its group."""
    return f"{group:@<{GROUP_NAME_LENGTH}}{structure}"


def sharing_groups(sysplex: str, structures: Iterable[str], estate: Estate) -> set[str]:
    """Return the queue sharing groups of a sysplex: configured, or with structures of their own."""
    configured = {qmgr.qsg for qmgr in estate.plex(sysplex).qmgrs if qmgr.qsg}
    named = {
        group_of_structure(subject)
        for subject in structures
        if Subject(subject).is_part_of(sysplex) and subject.endswith(OWN_STRUCTURES)
    }
    return configured | named
