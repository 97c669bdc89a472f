"""Entries of the settings about a subject, its own first; groups that structures belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.distributed.site_figure import UNIT_SUFFIX, DeclaredFigure
from mqcap.domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from mqcap.domain.estate.configured import Configured, LinuxHost, ZtpfSystem
from mqcap.domain.estate.places import DistributedQueueManager, Place
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.domain.units import Unit

_OF_PLACES: Final = {
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
    sysplex, name, *rest = Subject(subject).names
    if kind in {SubjectKind.linux_host, SubjectKind.ztpf_system}:
        parts = [part for part in estate.parts if part.root == sysplex]
        return _named(_owners(parts, kind), unescaped(name), Subject.of(sysplex, name))
    if kind is SubjectKind.site_object:
        return [(SiteLimits.of(estate.site_figures), "site_figures")]
    if kind in {SubjectKind.coupling_facility, SubjectKind.structure}:
        return _of_facility(estate, sysplex, name, rest)
    if kind in _OF_PLACES:
        of_queue = rest if kind is SubjectKind.distributed_queue else []
        manager = estate.distributed(sysplex, unescaped(name))
        return _of_place(manager, Subject.of(sysplex, name), of_queue)
    qmgr = estate.queue_manager(sysplex, name)
    if qmgr is None:
        return []
    place = Subject.of(sysplex, name)
    own = [pool for pool in qmgr.buffer_pools if rest == [f"BP{pool.number:02d}"]]
    return [*((pool, Subject.of(place, rest[0])) for pool in own), (qmgr, place)]


def unit_of(entry: Entry, key: str) -> str:
    """Return the unit that an entry declares for one of its keys; empty where it has none."""
    if not isinstance(entry, BaseModel) or key not in type(entry).model_fields:
        return ""
    marks = type(entry).model_fields[key].metadata
    return next((mark.text for mark in marks if isinstance(mark, Unit)), "")


def guests_of(estate: Estate, kind: SubjectKind) -> set[str]:
    """Return subjects that only the estate describes."""
    return {f"{part.root}/{guest.name}" for part in estate.parts for guest in _guests([part], kind)}


def _owners(parts: Sequence[Sysplex | Place], kind: SubjectKind) -> list[Configured]:
    """Return the guests, and queue managers of places, which rules of Linux read too."""
    qmgrs = (qmgr for part in parts if isinstance(part, Place) for qmgr in part.qmgrs)
    return [*_guests(parts, kind), *(qmgrs if kind is SubjectKind.linux_host else ())]


def _guests(parts: Iterable[Sysplex | Place], kind: SubjectKind) -> list[LinuxHost | ZtpfSystem]:
    if kind is SubjectKind.linux_host:
        return [
            host
            for part in parts
            for host in (part.linux if isinstance(part, Sysplex) else part.hosts)
        ]
    if kind is SubjectKind.ztpf_system:
        return [system for part in parts for system in part.ztpf]
    return []


def _of_place(manager: DistributedQueueManager | None, place: str, rest: list[str]) -> list[Placed]:
    if manager is None:
        return []
    of_queue = (
        _named(manager.queues, unescaped(rest[0]), Subject.of(place, rest[0])) if rest else []
    )
    return [*of_queue, (manager, place)]


def _of_facility(estate: Estate, sysplex: str, name: str, rest: list[str]) -> list[Placed]:
    entries: list[Placed] = []
    facility = estate.coupling_facility(sysplex, name)
    if rest and facility is not None:
        entries += _named(facility.structures, rest[0], Subject.of(sysplex, name, rest[0]))
    if facility is not None:
        entries.append((facility, Subject.of(sysplex, name)))
    if rest:
        group = group_of_structure(rest[0])
        entries.append((GroupFacts(estate.members_of(sysplex, group)), f"{sysplex}, group {group}"))
    return entries


def _named(entries: Iterable[Configured], name: str, place: str) -> list[Placed]:
    return [(entry, place) for entry in entries if getattr(entry, "name", None) == name]


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
