"""Names that several sysplexes of an estate have, so that a name alone tells no place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from mqcap.domain.estate import Estate, Sysplex


class SharedName(NamedTuple):
    """A name and the sysplexes that have it."""

    what: str
    """``system`` or ``queue manager``."""
    name: str
    roots: tuple[str, ...]
    """Sysplexes, in the order of the estate."""


def shared_names(estate: Estate) -> list[SharedName]:
    """Return the names by which records of sysplexes cannot be placed.

    Queue managers count only where their systems do not tell them apart. Names of several sites
    are no reason to refuse an estate: each file of such a name is left out and reported.
    """
    return [
        *_several("system", estate.sysplexes_of_smfids()),
        *_several("queue manager", _sysplexes_of_qmgrs(estate.sysplexes)),
    ]


def _several(what: str, roots_by_name: Mapping[str, tuple[str, ...]]) -> list[SharedName]:
    return [
        SharedName(what, name, roots) for name, roots in roots_by_name.items() if len(roots) > 1
    ]


def _sysplexes_of_qmgrs(sysplexes: Iterable[Sysplex]) -> dict[str, tuple[str, ...]]:
    """Return the sysplexes that share a queue manager and whose systems have no or equal ids."""
    by_name: dict[str, list[Sysplex]] = {}
    for plex in sysplexes:
        for name in {qmgr.name: None for qmgr in plex.qmgrs}:
            by_name.setdefault(name, []).append(plex)
    found: dict[str, tuple[str, ...]] = {}
    for name, plexes in by_name.items():
        alike = {
            plex.sysplex
            for pair in combinations(plexes, 2)
            if not all(plex.smfids for plex in pair) or _have_common_systems(*pair)
            for plex in pair
        }
        found[name] = tuple(plex.sysplex for plex in plexes if plex.sysplex in alike)
    return found


def _have_common_systems(one: Sysplex, other: Sysplex) -> bool:
    return not set(one.smfids).isdisjoint(other.smfids)
