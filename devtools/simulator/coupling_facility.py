"""Coupling facilities: how busy they are and what every system reports of them (74.4)."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.mq_records import Group, Intervals, group_of
from devtools.simulator.events import changed
from devtools.simulator.queue_manager import SimulatedPeriod, first_day
from devtools.simulator.senders import Sender
from devtools.simulator.spec import CouplingFacilitySpec, Structure, SysplexSpec, SystemSpec
from devtools.simulator.timeline import EstateClock, Grid, Int64s, grid_of
from devtools.simulator.workload import Float64s, values
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.ingest.smf.layout import layouts
from sizing.rulebook.registry import get

_BLOCKS_PER_MIB: Final = 256
"""4 KB blocks."""
_STRUCTURE_KINDS: Final = {"list": 1, "cache": 2, "lock": 3}
_CONNECTED: Final = 0x80
_DISPATCHING_THIN: Final = 0x18
_STORAGE_USED_RATIO: Final = 0.45
_DEDICATED: Final = 0x80
_ACTIVE: Final = 0x80
_SYNC_SHARE: Final = 0.95
_SYNC_US: Final = 9
_ASYNC_US: Final = 80
_ENGINE_SPREAD: Final = 0.04
"""Spread of the busy shares of a facility's engines, as a share of their mean."""
_Array = TypeVar("_Array", Int64s, Float64s)


@dataclass(frozen=True)
class SimulatedCouplingFacility:
    """A simulated facility from its first day; arrays run over the intervals of ``grid``."""

    spec: CouplingFacilitySpec
    plex: SysplexSpec
    grid: Grid
    busy_ratio: Float64s
    entries_ratio: NDArray[np.float64]
    """A row per structure."""
    anchor: date


@dataclass(frozen=True)
class CouplingFacilitySlice:
    """The intervals ``low`` to ``high``, as one system reports them."""

    facility: SimulatedCouplingFacility
    system: SystemSpec
    low: int
    high: int

    @property
    def intervals(self) -> Intervals:
        """Times of the records."""
        return self.facility.grid.intervals[self.low : self.high]

    def of(self, values: _Array) -> _Array:
        """Return the own slice of an array over all intervals."""
        return values[self.low : self.high]

    def __len__(self) -> int:
        return self.high - self.low


def simulate_coupling_facility(
    plex: SysplexSpec, spec: CouplingFacilitySpec, span: SimulatedPeriod
) -> SimulatedCouplingFacility | None:
    """Return the simulated facility, or ``None`` when it starts after the last day."""
    begin = first_day(span, spec.first_day_offset)
    if begin > span.last:
        return None
    clock = EstateClock(plex.timezone)
    grid = grid_of(clock, begin, span.last, span.interval_minutes, ())
    prefix = f"{plex.name}/{spec.name}"
    busy = values(spec.busy_pct, grid, span.anchor, plex.holidays, (span.seed, f"{prefix}/busy"))
    entries = [
        values(item.entries_used_pct, grid, span.anchor, plex.holidays,
               (span.seed, f"{prefix}/{item.name}"))
        for item in spec.structures
    ]  # fmt: skip
    return SimulatedCouplingFacility(
        spec,
        plex,
        grid,
        np.clip(busy / 100, 0.0, 1.0),
        np.clip(np.stack(entries) / 100, 0.0, 1.0),
        span.anchor,
    )


def busy_by_structure(facility: SimulatedCouplingFacility) -> list[Float64s]:
    """Return the seconds of one engine that each structure keeps busy in each interval.

    Requests of all structures take the same time, so that busy time is divided by their number.
    """
    grid, structures = facility.grid, facility.spec.structures
    rates = np.stack(
        [
            item.requests_per_s * changed(item.change, grid.local_day, facility.anchor)
            for item in structures
        ]
    )
    busy = facility.busy_ratio * grid.seconds
    return [busy * row / rates.sum(axis=0) for row in rates]


def used_by_structure(facility: SimulatedCouplingFacility) -> list[tuple[Int64s, Int64s]]:
    """Return entries and elements in use of each structure, the messages of its queues included."""
    found: list[tuple[Int64s, Int64s]] = []
    for item, ratio in zip(facility.spec.structures, facility.entries_ratio, strict=True):
        entries = np.rint(ratio * item.entries).astype(np.int64)
        elements = np.rint(entries * item.elements_per_entry).astype(np.int64)
        for sender in senders_of_structure(facility.plex, item.name):
            held = held_messages(sender, facility.grid.local_day, facility.anchor)
            entries, elements = entries + held, elements + held * elements_of(sender)
        found.append((np.minimum(entries, item.entries), np.minimum(elements, item.elements)))
    return found


def facility_groups(part: CouplingFacilitySlice) -> dict[str, Group]:
    """74.4: facility, storage, structures, requests and processors."""
    spec = part.facility.spec
    requests = [_requests(part, place) for place in range(len(spec.structures))]
    groups = {
        "F": _facility(part, np.sum(requests, axis=0)),
        "G": _storage(part),
        "Q": _structures(part),
        "S": _connections(part, requests),
        "P": _processors(part),
    }
    if part.system == part.facility.plex.systems[0]:
        groups["X"] = _connectivity(part)
    return groups


def _group(part: CouplingFacilitySlice, name: str, columns: dict[str, Any], count: int) -> Group:
    layout = layouts()[name]
    return group_of(layout, columns, layout.length, len(part), count)


def _requests(part: CouplingFacilitySlice, place: int) -> Int64s:
    """Requests of this system to a structure; they follow the facility's busy share."""
    facility = part.facility
    structure = facility.spec.structures[place]
    at_anchor = facility.spec.busy_pct.at_anchor / 100
    share = part.of(facility.busy_ratio) / at_anchor / len(facility.plex.systems)
    ratio = changed(structure.change, part.of(facility.grid.local_day), facility.anchor)
    rate = structure.requests_per_s * ratio * part.of(facility.grid.seconds) * share
    result: Int64s = np.rint(rate).astype(np.int64)
    return result


def _facility(part: CouplingFacilitySlice, requests: Int64s) -> Group:
    spec = part.facility.spec
    columns = {
        "r744fnam": spec.name,
        "r744fsys": part.system.name,
        "r744fflg": _CONNECTED | _DISPATCHING_THIN,
        "r744fpam": 8,
        "r744fscg": 56,
        "r744fscu": 56,
        "r744fscl": 56,
        "r744ftor": requests,
        "r744ftim": 900,
        "r744fsqu": 81_000,
        "r744fmod": "  3931",
        "r744flvl": 25,
        "r744fpdn": spec.engines,
    }
    return _group(part, "R744F", columns, 1)


def _connectivity(part: CouplingFacilitySlice) -> Group:
    systems = part.facility.plex.systems
    names = [system.name for system in systems]
    return _group(part, "R744X", {"r744xsys": names}, len(systems))


def _storage(part: CouplingFacilitySlice) -> Group:
    spec = part.facility.spec
    blocks = round(spec.storage_mib * _BLOCKS_PER_MIB)
    free = round(blocks * (1 - _STORAGE_USED_RATIO))
    columns = {"r744gcsd": blocks, "r744gcsf": free, "r744gtsd": blocks, "r744gtsf": free}
    return _group(part, "R744G", columns, 1)


def _structures(part: CouplingFacilitySlice) -> Group:
    items = part.facility.spec.structures
    columns = {
        "r744qstr": [item.name for item in items],
        "r744qsiz": [round(item.size_mib * _BLOCKS_PER_MIB) for item in items],
        "r744qflg": _ACTIVE,
    }
    return _group(part, "R744Q", columns, len(items))


def _connections(part: CouplingFacilitySlice, requests: list[Int64s]) -> Group:
    items = part.facility.spec.structures
    rows = [
        _connection(item, part.of(entries), part.of(elements), of_item)
        for item, (entries, elements), of_item in zip(
            items, used_by_structure(part.facility), requests, strict=True
        )
    ]
    columns: dict[str, Any] = {
        name: np.stack([np.broadcast_to(row[name], len(part)) for row in rows], axis=1)
        for name in rows[0]
    }
    columns["r744sflg"] = _ACTIVE
    columns["r744snam"] = [item.name for item in items]
    return _group(part, "R744S", columns, len(items))


def _connection(
    item: Structure, entries: Int64s, elements: Int64s, requests: Int64s
) -> dict[str, Any]:
    sync = np.rint(requests * _SYNC_SHARE).astype(np.int64)
    blocks = round(item.size_mib * _BLOCKS_PER_MIB)
    return {
        "r744styp": _STRUCTURE_KINDS[item.kind],
        "r744slel": item.entries,
        "r744slem": entries,
        "r744ssta": (requests - sync) // 10,
        "r744strc": requests,
        "r744sarc": requests - sync,
        "r744satm": (requests - sync) * _ASYNC_US,
        "r744ssrc": sync,
        "r744sstm": sync * _SYNC_US,
        "r744sssq": sync * _SYNC_US * _SYNC_US,
        "r744ssiz": blocks,
        "r744smas": 2 * blocks,
        "r744smis": blocks // 2,
        "r744smae": item.elements,
        "r744scue": elements,
    }


def _processors(part: CouplingFacilitySlice) -> Group:
    """Busy and waiting microseconds of each engine; their sum is the interval."""
    engines, intervals = part.facility.spec.engines, part.intervals
    length_us = (intervals.end_us - intervals.start_us)[:, np.newaxis]
    offset = (np.arange(engines) - (engines - 1) / 2) / max(engines, 1) * _ENGINE_SPREAD
    ratio = part.of(part.facility.busy_ratio)[:, np.newaxis] * (1 + offset)
    busy_us = np.rint(np.minimum(ratio, 1.0) * length_us).astype(np.int64)
    columns = {
        "r744pnum": list(range(engines)),
        "r744pbsy": busy_us,
        "r744pwai": length_us - busy_us,
        "r744ptyp": _DEDICATED,
        "r744pbsg": 1,
    }
    return _group(part, "R744P", columns, engines)


_FILL: Final = "@"


def held_messages(sender: Sender, days: Int64s, anchor: date) -> Int64s:
    """Return the messages on the queue of a sender in intervals of these local days."""
    held: Int64s = np.rint(sender.held * changed(sender.held_change, days, anchor)).astype(np.int64)
    return held


def senders_of_structure(plex: SysplexSpec, structure: str) -> list[Sender]:
    """Return one sender per shared queue in a structure of that z/OS name, the first member's."""
    found: dict[str, Sender] = {}
    for qmgr in plex.qmgrs:
        group = (qmgr.qsg or "").ljust(GROUP_NAME_LENGTH, _FILL)
        for sender in qmgr.senders:
            if sender.structure and f"{group}{sender.structure}" == structure:
                found.setdefault(sender.queue, sender)
    return list(found.values())


def elements_of(sender: Sender) -> int:
    """Return the elements of one message of a sender (CFS-ELEMENTS)."""
    return int(get("CFS-ELEMENTS").answer({"message_bytes": sender.message_bytes})["elements"])
