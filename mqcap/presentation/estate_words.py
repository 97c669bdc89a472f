"""Words about an estate that fit its kinds: sysplexes, sites, what is in them.

Who has queue managers on Linux only reads nothing about sysplexes and coupling facilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mqcap.domain.estate import Estate


class EstateWords(NamedTuple):
    """Words for texts and headings."""

    root: str
    """First part of a subject: ``sysplex``, ``site`` or ``sysplex or site``."""
    owner: str
    """Second part of a subject, such as ``queue manager or coupling facility``."""
    owner_heading: str
    """The same as the heading of a column, such as ``Queue manager or CF``."""
    example: str
    """What a reader may look for in a list of series."""
    has_sysplexes: bool
    """True also of an estate that nobody has described: its subjects are of a sysplex."""


def estate_words(estate: Estate) -> EstateWords:
    """Return the words that fit what the estate has."""
    has_sysplexes = bool(estate.sysplexes) or not estate.places
    roots = [*(["sysplex"] if has_sysplexes else []), *(["site"] if estate.places else [])]
    owner = _one_of(_owners(estate, "coupling facility" if has_sysplexes else ""))
    short = _one_of(_owners(estate, "CF" if has_sysplexes else ""))
    heading = short[0].upper() + short[1:]
    example = "CSQ1, log, CF01…" if has_sysplexes else "QM1, log, queue…"
    return EstateWords(" or ".join(roots), owner, heading, example, has_sysplexes)


def _owners(estate: Estate, facility: str) -> Iterator[str]:
    yield "queue manager"
    if facility:
        yield facility
    if any(place.hosts for place in estate.places) or any(plex.linux for plex in estate.sysplexes):
        yield "host"
    if any(part.ztpf for part in estate.parts):
        yield "z/TPF system"


def _one_of(names: Iterator[str]) -> str:
    """Return names as a choice: ``a``, ``a or b``, ``a, b or c``."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
