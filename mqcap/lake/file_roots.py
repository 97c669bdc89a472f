"""Sysplex or site of delivered files, and sysplex of systems, from the settings and the files."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from mqcap.domain.estate import Estate
from mqcap.lake.manifest import Manifest


class SystemPlaces(NamedTuple):
    """Where SMF ids belong."""

    by_smfid: dict[str, str]
    """The sysplex of each SMF id that one sysplex has."""
    shared: frozenset[str]
    """SMF ids that several sysplexes have."""


def sysplexes_of_systems(estate: Estate, sources: Iterable[Manifest]) -> SystemPlaces:
    """Return sysplexes by the settings, else by RMF records of files whose input names none."""
    recorded: dict[str, set[str]] = {}
    for source in sources:
        for smfid, sysplex in source.sysplex_by_smfid.items() if not source.root else ():
            recorded.setdefault(smfid, set()).add(sysplex)
    named = recorded | {
        smfid: set(plexes) for smfid, plexes in estate.sysplexes_of_smfids().items()
    }
    return SystemPlaces(
        {smfid: next(iter(plexes)) for smfid, plexes in named.items() if len(plexes) == 1},
        frozenset(smfid for smfid, plexes in named.items() if len(plexes) > 1),
    )


def sites_of_qmgr(estate: Estate) -> Callable[[str, str], list[str]]:
    """Return what finds the sites that list a queue manager; of a file of one site only that."""
    listed, sites = estate.sites_of_qmgrs(), {place.site for place in estate.places}
    return lambda qmgr, root: [
        site for site in listed.get(qmgr, ()) if root not in sites or site == root
    ]


def touching(sources: Iterable[Manifest], begin: datetime, end: datetime) -> list[Manifest]:
    """Return the files with data of any of these UTC dates."""
    first, last = begin.date(), end.date()
    return [source for source in sources if any(first <= day <= last for day in source.hour_dates)]


def roots_of_files(
    estate: Estate, sources: Iterable[Manifest], shared_smfids: frozenset[str]
) -> dict[str, str]:
    """Return the sysplex or site of the files that are all of one, by content hash.

    It is that of the input, as long as the estate has it. Without one, a file with a system whose
    id several sysplexes have is of the sysplex that the RMF records in it name, if they name one
    for all its systems.
    """
    known = {part.root for part in estate.parts}
    found: dict[str, str] = {}
    for source in sources:
        recorded = set(source.sysplex_by_smfid.values())
        if source.root in known:
            found[source.sha256] = source.root
        elif (
            len(recorded) == 1
            and not shared_smfids.isdisjoint(source.smfids)
            and source.sysplex_by_smfid.keys() >= set(source.smfids)
        ):
            found[source.sha256] = recorded.pop()
    return found
