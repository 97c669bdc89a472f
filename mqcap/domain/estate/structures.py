"""Structures of coupling facilities: whether they are those of a queue sharing group."""

from collections.abc import Iterable
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.subject import Subject

OWN_STRUCTURES: Final = ("CSQ_ADMIN", "CSQSYSAPPL")
"""Every queue sharing group has these: they name it where the estate does not."""


def group_of_structure(structure: str) -> str:
    """Return the name with which a structure begins, the group's where it is MQ's."""
    name = Subject(structure).name
    return name[:GROUP_NAME_LENGTH].rstrip("@")


def zos_structure(group: str, structure: str) -> str:
    """Return the name in z/OS of a structure that MQ names without its group."""
    return f"{group:@<{GROUP_NAME_LENGTH}}{structure}"


def sharing_groups(sysplex: str, structures: Iterable[str], estate: Estate) -> set[str]:
    """Return the queue sharing groups of a sysplex: configured, or with structures of their own."""
    configured = {
        qmgr.qsg
        for plex in estate.sysplexes
        if plex.sysplex == sysplex
        for qmgr in plex.qmgrs
        if qmgr.qsg
    }
    named = {
        group_of_structure(subject)
        for subject in structures
        if Subject(subject).is_part_of(sysplex) and subject.endswith(OWN_STRUCTURES)
    }
    return configured | named
