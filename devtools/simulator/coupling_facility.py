"""Coupling facilities: how busy they are and what every system reports of them (74.4)."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import Group, group_of
from devtools.simulator.encode.rmf_product import RmfSystem, rmf_records
from devtools.simulator.events import changed
from devtools.simulator.spec import CouplingFacilitySpec, Sender, SysplexSpec, SystemSpec
from devtools.simulator.timeline import (
    Float64s,
    Int64s,
    Simulated,
    SimulatedPeriod,
    grid_of,
)
from devtools.simulator.workload import Driver, rounded
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


@dataclass(frozen=True)
class SimulatedCouplingFacility(Simulated):
    """A simulated facility."""

    spec: CouplingFacilitySpec
    plex: SysplexSpec
    anchor: date
    busy_ratio: Float64s
    requests_per_s: Float64s
    """Of all systems together if the facility were as busy as at the anchor, by structure."""
    entries: Int64s
    """In use, a row per structure, the messages of its queues included."""
    elements: Int64s

    def structure_seconds(self) -> Float64s:
        """Return the seconds of one engine that each structure keeps busy, a row per structure.

        Requests of all structures take the same time, so busy time is divided by their number.
        """
        busy = self.busy_ratio * self.grid.seconds
        seconds: Float64s = busy * self.requests_per_s / self.requests_per_s.sum(axis=0)
        return seconds


def simulate_coupling_facility(
    plex: SysplexSpec, spec: CouplingFacilitySpec, span: SimulatedPeriod
) -> SimulatedCouplingFacility | None:
    """Return the simulated facility, or ``None`` when it starts after the last day."""
    begin = span.first_day(spec.first_day_offset)
    if begin > span.last:
        return None
    grid = grid_of(plex.timezone, begin, span.last, span.interval_minutes, ())
    driver = Driver(f"{plex.name}/{spec.name}", grid, span, plex.holidays)
    days = grid.local_day
    in_use = []
    for item in spec.structures:
        ratio = np.clip(driver.values(item.entries_used_pct, item.name) / 100, 0.0, 1.0)
        entries = rounded(ratio * item.entries)
        elements = rounded(entries * item.elements_per_entry)
        for sender in senders_of_structure(plex, item.name):
            held = held_messages(sender, days, span.anchor)
            entries, elements = entries + held, elements + held * elements_of(sender)
        in_use.append((np.minimum(entries, item.entries), np.minimum(elements, item.elements)))
    every_entries, every_elements = map(np.stack, zip(*in_use, strict=True))
    return SimulatedCouplingFacility(
        grid=grid,
        spec=spec,
        plex=plex,
        anchor=span.anchor,
        busy_ratio=np.clip(driver.values(spec.busy_pct, "busy") / 100, 0.0, 1.0),
        requests_per_s=np.stack(
            [
                item.requests_per_s * changed(item.change, days, span.anchor)
                for item in spec.structures
            ]
        ),
        entries=every_entries,
        elements=every_elements,
    )


def facility_records(facility: SimulatedCouplingFacility, reporter: SystemSpec) -> Bytes2D:
    """74.4: the records of one facility by one system, an interval after the other."""
    plex, spec, intervals = facility.plex, facility.spec, facility.intervals
    at_anchor = spec.busy_pct.at_anchor / 100
    share = facility.busy_ratio / at_anchor / len(plex.systems)
    requests = rounded(facility.requests_per_s * facility.grid.seconds * share).T
    system = {
        "r744fnam": spec.name,
        "r744fsys": reporter.name,
        "r744fflg": _CONNECTED | _DISPATCHING_THIN,
        "r744fpam": 8,
        "r744fscg": 56,
        "r744fscu": 56,
        "r744fscl": 56,
        "r744ftor": requests.sum(axis=1),
        "r744ftim": 900,
        "r744fsqu": 81_000,
        "r744fmod": "  3931",
        "r744flvl": 25,
        "r744fpdn": spec.engines,
    }
    blocks = round(spec.storage_mib * _BLOCKS_PER_MIB)
    free = round(blocks * (1 - _STORAGE_USED_RATIO))
    storage = {"r744gcsd": blocks, "r744gcsf": free, "r744gtsd": blocks, "r744gtsf": free}
    structures = {
        "r744qstr": [item.name for item in spec.structures],
        "r744qsiz": [round(item.size_mib * _BLOCKS_PER_MIB) for item in spec.structures],
        "r744qflg": _ACTIVE,
    }
    groups = {
        "F": _group(facility, "R744F", system),
        "G": _group(facility, "R744G", storage),
        "Q": _group(facility, "R744Q", structures, len(spec.structures)),
        "S": _group(facility, "R744S", _connections(facility, requests), len(spec.structures)),
        "P": _group(facility, "R744P", _processors(facility), spec.engines),
    }
    if reporter == plex.systems[0]:
        names = [member.name for member in plex.systems]
        groups["X"] = _group(facility, "R744X", {"r744xsys": names}, len(names))
    return rmf_records(4, RmfSystem(reporter.smfid, reporter.name, plex.name), groups, intervals)


def _group(
    facility: SimulatedCouplingFacility, name: str, columns: dict[str, Any], count: int = 1
) -> Group:
    layout = layouts()[name]
    return group_of(layout, columns, layout.length, len(facility), count)


def _connections(facility: SimulatedCouplingFacility, requests: Int64s) -> dict[str, Any]:
    items = facility.spec.structures
    sync = rounded(requests * _SYNC_SHARE)
    blocks = [round(item.size_mib * _BLOCKS_PER_MIB) for item in items]
    return {
        "r744sflg": _ACTIVE,
        "r744snam": [item.name for item in items],
        "r744styp": [_STRUCTURE_KINDS[item.kind] for item in items],
        "r744slel": [item.entries for item in items],
        "r744slem": facility.entries.T,
        "r744ssta": (requests - sync) // 10,
        "r744strc": requests,
        "r744sarc": requests - sync,
        "r744satm": (requests - sync) * _ASYNC_US,
        "r744ssrc": sync,
        "r744sstm": sync * _SYNC_US,
        "r744sssq": sync * _SYNC_US * _SYNC_US,
        "r744ssiz": blocks,
        "r744smas": [2 * count for count in blocks],
        "r744smis": [count // 2 for count in blocks],
        "r744smae": [item.elements for item in items],
        "r744scue": facility.elements.T,
    }


def _processors(facility: SimulatedCouplingFacility) -> dict[str, Any]:
    """Busy and waiting microseconds of each engine; their sum is the interval."""
    engines, intervals = facility.spec.engines, facility.intervals
    length_us = (intervals.end_us - intervals.start_us)[:, np.newaxis]
    offset = (np.arange(engines) - (engines - 1) / 2) / max(engines, 1) * _ENGINE_SPREAD
    ratio = facility.busy_ratio[:, np.newaxis] * (1 + offset)
    busy_us = rounded(np.minimum(ratio, 1.0) * length_us)
    return {
        "r744pnum": list(range(engines)),
        "r744pbsy": busy_us,
        "r744pwai": length_us - busy_us,
        "r744ptyp": _DEDICATED,
        "r744pbsg": 1,
    }


def held_messages(sender: Sender, days: Int64s, anchor: date) -> Int64s:
    """Return the messages on the queue of a sender in intervals of these local days."""
    return rounded(sender.held * changed(sender.held_change, days, anchor))


def senders_of_structure(plex: SysplexSpec, structure: str) -> list[Sender]:
    """Return one sender per shared queue in a structure of that z/OS name, the first member's."""
    found: dict[str, Sender] = {}
    for qmgr in plex.qmgrs:
        group = (qmgr.qsg or "").ljust(GROUP_NAME_LENGTH, "@")
        for sender in qmgr.senders:
            if sender.structure and f"{group}{sender.structure}" == structure:
                found.setdefault(sender.queue, sender)
    return list(found.values())


def elements_of(sender: Sender) -> int:
    """Return the elements of one message of a sender (CFS-ELEMENTS)."""
    return int(get("CFS-ELEMENTS").answer({"message_bytes": sender.message_bytes})["elements"])
