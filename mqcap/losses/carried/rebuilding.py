"""Where the structures of a lost coupling facility go: their size, their load, free storage.

A structure whose other copy carries on is not rebuilt. Any other goes to the first facility of its
preference list that has the storage; where no list is known to the facility that takes over, and
where none is named to any other facility: each of these is then taken to receive all of them
alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from mqcap.domain.estate.configured import StructureFacts
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import counted, figure
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import service_us, structures_in
from mqcap.whatif.effects import copies_of, known_engines

_OURS: Final = "first estimate, ours"


class Arrival(NamedTuple):
    """What one surviving facility receives."""

    survivor: str
    structures: tuple[str, ...]
    """Subjects as they were in the lost facility, the largest first."""
    needed_mib: float | None
    """Storage of these structures; ``None``: the size of one is not known."""
    free_mib: float | None
    """Least free storage of the window; ``None``: not known."""
    load_ratio: float
    """Share of the lost facility's engine time that comes with them."""

    @property
    def fits(self) -> bool | None:
        """Whether the storage suffices; ``None`` where it is not known."""
        if self.needed_mib is None or self.free_mib is None:
            return None
        return self.needed_mib <= self.free_mib


class Rebuilding(NamedTuple):
    """What becomes of the structures of a lost coupling facility."""

    lost: str
    arrivals: tuple[Arrival, ...]
    homeless: tuple[str, ...]
    """Structures that no facility of their preference list can take."""
    duplexed: tuple[str, ...]
    """Structures whose other copy carries on."""
    assumptions: tuple[str, ...]
    is_any_enough: bool
    """Each of several facilities receives everything alone: one that carries it is enough."""
    is_only_facility: bool = False
    """No other facility of the sysplex is known, neither measured nor in the estate."""


def rebuilding_of(facts: DayFacts, lost: str) -> Rebuilding:
    """Return where the structures of a facility go when it is lost."""
    sysplex = Subject(lost).sysplex
    measured = facts.observed.subjects(SubjectKind.coupling_facility)
    configured = (Subject.of(sysplex, facility.name) for facility in facts.estate.plex(sysplex).cfs)
    others = sorted(
        {*configured, *(name for name in measured if Subject(name).sysplex == sysplex)} - {lost}
    )
    survivors = [
        other for other in others if other in measured and known_engines(facts, other) is not None
    ]
    unknown = [other for other in others if other not in survivors]
    inside = structures_in(facts.observed, lost)
    duplexed = [name for name in inside if _has_other_copy(facts, name)]
    single = sorted(
        (name for name in inside if name not in duplexed),
        key=lambda name: (-(size_mib(facts, name) or 0.0), name),
    )
    placed: dict[str, list[str]] = {survivor: [] for survivor in survivors}
    homeless: list[str] = []
    anywhere: list[str] = []
    for structure in single:
        entry = _facts_of(facts, structure)
        names = (entry.preference_list if entry is not None else None) or ()
        listed = [Subject.of(sysplex, name) for name in names]
        if not listed:
            anywhere.append(structure)
            continue
        target = _first_with_room(facts, listed, placed, structure)
        if target:
            placed[target].append(structure)
        elif not set(listed) & set(unknown):
            homeless.append(structure)
    receiving = _taking_over(facts, lost, survivors) or survivors
    for survivor in receiving:
        placed[survivor] += anywhere
    if not inside:
        placed = {survivor: [] for survivor in receiving}
    arrivals = tuple(
        _arrival(facts, survivor, structures, inside)
        for survivor, structures in placed.items()
        if structures or not inside
    )
    return Rebuilding(
        lost,
        arrivals,
        (*homeless, *(anywhere if not others else ())),
        tuple(duplexed),
        tuple(_assumptions(facts, lost, inside, anywhere, receiving, unknown)),
        len(arrivals) > 1 and (anywhere == single or not inside),
        not others,
    )


def size_mib(facts: DayFacts, structure: str) -> float | None:
    """Return the allocated size on the last measured day; ``None`` where it is not measured."""
    days = facts.observed.days("structure_size_mib", structure)
    return days[-1].peak if days else None


def free_mib(facts: DayFacts, facility: str) -> float | None:
    """Return the least free storage of a facility in the window; ``None`` where it is unknown."""
    entry = facts.estate.coupling_facility(*Subject(facility).names)
    total = entry.storage_mib if entry is not None else None
    if total is None and (days := facts.observed.days("cf_storage_total_mib", facility)):
        total = days[-1].peak
    used = [day.peak for day in facts.observed.days("cf_storage_used_pct", facility)]
    return None if total is None or not used else total * (1 - max(used) / 100)


def _taking_over(facts: DayFacts, lost: str, survivors: Iterable[str]) -> list[str]:
    name = Subject(lost).name
    return [
        survivor
        for survivor in survivors
        if (entry := facts.estate.coupling_facility(*Subject(survivor).names)) is not None
        and entry.takes_over == name
    ]


def _facts_of(facts: DayFacts, structure: str) -> StructureFacts | None:
    """Return what the estate tells of a structure, in whichever facility it lists it."""
    sysplex, _, name = Subject(structure).names
    entries = (
        entry
        for facility in facts.estate.plex(sysplex).cfs
        for entry in facility.structures
        if entry.name == name
    )
    return max(entries, key=lambda entry: len(entry.preference_list or ()), default=None)


def _has_other_copy(facts: DayFacts, structure: str) -> bool:
    entry = _facts_of(facts, structure)
    if entry is not None and entry.duplexed:
        return True
    days = facts.observed.days("structure_duplex_role", structure)
    is_duplexed = bool(days) and days[-1].peak > 0
    return is_duplexed and len(copies_of(facts.observed, structure)) > 1


def _first_with_room(
    facts: DayFacts, listed: Iterable[str], placed: Mapping[str, list[str]], structure: str
) -> str | None:
    """Return the first listed survivor with storage for the structure, or of unknown storage."""
    needed = size_mib(facts, structure) or 0.0
    for facility in listed:
        if facility == Subject(structure).whole or facility not in placed:
            continue
        free = free_mib(facts, facility)
        taken = sum(size_mib(facts, name) or 0.0 for name in placed[facility])
        if free is None or needed <= free - taken:
            return facility
    return None


def _arrival(facts: DayFacts, survivor: str, structures: list[str], inside: list[str]) -> Arrival:
    """Return what a survivor receives; all of the load comes with it where no share is known."""
    sizes = [size_mib(facts, structure) for structure in structures]
    needed = None if None in sizes else sum(size for size in sizes if size is not None)
    every = service_us(facts.observed, inside) if set(structures) != set(inside) else 0.0
    ratio = service_us(facts.observed, structures) / every if every else 1.0
    return Arrival(survivor, tuple(structures), needed, free_mib(facts, survivor), ratio)


def _assumptions(
    facts: DayFacts,
    lost: str,
    inside: list[str],
    anywhere: list[str],
    receiving: list[str],
    not_evaluated: list[str],
) -> Iterator[str]:
    if not_evaluated:
        yield (
            f"{' '.join(not_evaluated)} cannot be evaluated: no busy time was measured, or the "
            "number of engines is not known (engines of the coupling facility in the estate)."
        )
    if not inside:
        yield f"No structure of {lost} was measured: all of its load moves, of unknown size."
    elif anywhere and receiving and receiving != _taking_over(facts, lost, receiving):
        yield (
            f"No preference list of {counted(len(anywhere), 'structure')} of {lost} is in the "
            "estate: each surviving facility is evaluated as though it alone received all of "
            "these structures."
        )
    unknown = [name for name in receiving if free_mib(facts, name) is None]
    if unknown:
        yield (
            f"The storage of {' '.join(unknown)} is not known: set storage_mib of the coupling "
            "facility in the estate."
        )
    yield (
        "Structures are rebuilt with their present size; both peaks of busy engines are taken at "
        f"once, the load by requests x service time of the structures that move ({_OURS})."
    )


def storage_line(arrival: Arrival) -> str:
    """Return the sum of what arrives against what is free."""
    needed = "unknown" if arrival.needed_mib is None else f"{figure(arrival.needed_mib)} MiB"
    free = "unknown" if arrival.free_mib is None else f"{figure(arrival.free_mib)} MiB"
    count = counted(len(arrival.structures), "structure")
    return f"{count} of {needed} against {free} free"
