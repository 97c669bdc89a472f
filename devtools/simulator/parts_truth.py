"""Planted parts of metrics by day: what attribution has to find."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

import numpy as np
from pydantic import BaseModel

from devtools.simulator.coupling_facility import (
    SimulatedCouplingFacility,
    busy_by_structure,
    elements_of,
    held_messages,
    senders_of_structure,
    used_by_structure,
)
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.shares import group_instances, sender_log_bytes
from devtools.simulator.timeline import Int64s, date_of
from mqcap.domain.subject import Subject
from mqcap.domain.units import KIB_BYTES

LOG: Final = "log_growth_mib_per_s"
CHANNELS: Final = "channels_current_count"
BUSY: Final = "cf_busy_pct"
ENTRIES: Final = "structure_entries_used_pct"
ELEMENTS: Final = "structure_elements_used_pct"
ABOVE_BAR: Final = "chinit_64bit_used_mib"
BELOW_BAR: Final = "chinit_31bit_used_mib"


class PlantedPart(BaseModel, frozen=True):
    """Amount of one part of a metric by site date, of all of it without breakdown and part.

    Amounts of one metric share a unit: bytes of log, seconds of channels, busy seconds, seconds of
    entries, of elements and of MiB.
    """

    metric: str
    subject: str
    breakdown: str
    part: str
    by_day: dict[date, float]


def planted_parts(
    qmgrs: Iterable[SimulatedQueueManager],
    facilities: Iterable[SimulatedCouplingFacility],
    first: date,
    last: date,
) -> tuple[PlantedPart, ...]:
    """Return the parts of all subjects on the days from first to last."""
    parts = [
        *(part for qmgr in qmgrs for part in parts_of_queue_manager(qmgr)),
        *(part for facility in facilities for part in parts_of_facility(facility)),
    ]
    for part in parts:
        for day in [day for day in part.by_day if not first <= day <= last]:
            del part.by_day[day]
    return tuple(parts)


def parts_of_queue_manager(qmgr: SimulatedQueueManager) -> Iterator[PlantedPart]:
    """Yield the log by queue and by application, channels and their storage by channel.

    And each as a whole. Storage above the bar is that of a channel initiator that gives it back at
    once, below the bar what the records have.
    """
    subject = Subject.of(qmgr.sysplex, qmgr.spec.name)
    days = qmgr.grid.local_day
    if qmgr.spec.senders:
        yield _part(LOG, subject, "", "", _by_day(days, qmgr.log_bytes))
        for sender, row in zip(qmgr.spec.senders, sender_log_bytes(qmgr), strict=True):
            by_day = _by_day(days, row)
            queue = f"{sender.queue}*" if sender.is_dynamic else sender.queue
            yield _part(LOG, subject, "queue", queue, by_day)
            if qmgr.spec.accounting:
                yield _part(LOG, subject, "application", sender.application, by_day)
    if qmgr.spec.channel_groups:
        yield from _parts_of_channels(qmgr, Subject.of(subject, "CHINIT"))


def _parts_of_channels(qmgr: SimulatedQueueManager, chinit: str) -> Iterator[PlantedPart]:
    days, seconds, spec = qmgr.grid.local_day, qmgr.grid.seconds, qmgr.spec.chinit
    above_mib = spec.base_64bit_mib + spec.kib_per_channel_64bit * qmgr.channels / KIB_BYTES
    measured = (
        (CHANNELS, qmgr.channels, 1.0),
        (ABOVE_BAR, above_mib, spec.kib_per_channel_64bit / KIB_BYTES),
        (BELOW_BAR, qmgr.used_31bit_mib, spec.kib_per_channel_31bit / KIB_BYTES),
    )
    instances = group_instances(qmgr)
    for metric, whole, mean in measured:
        yield _part(metric, chinit, "", "", _by_day(days, whole * seconds))
        for group, row in zip(qmgr.spec.channel_groups, instances, strict=True):
            by_day = _by_day(days, row * mean * seconds)
            yield _part(metric, chinit, "channel", group.name, by_day)


def parts_of_facility(facility: SimulatedCouplingFacility) -> Iterator[PlantedPart]:
    """Yield the busy seconds by structure, the use of each structure by queue, and both whole."""
    subject, days = Subject.of(facility.plex.name, facility.spec.name), facility.grid.local_day
    every = busy_by_structure(facility)
    yield _part(BUSY, subject, "", "", _by_day(days, np.sum(every, axis=0)))
    for structure, seconds in zip(facility.spec.structures, every, strict=True):
        yield _part(BUSY, subject, "structure", structure.name, _by_day(days, seconds))
    for structure, used in zip(facility.spec.structures, used_by_structure(facility), strict=True):
        place = Subject.of(subject, structure.name)
        for metric, number in zip((ENTRIES, ELEMENTS), used, strict=True):
            yield _part(metric, place, "", "", _by_day(days, number * facility.grid.seconds))
        for sender in senders_of_structure(facility.plex, structure.name):
            held = held_messages(sender, days, facility.anchor) * facility.grid.seconds
            yield _part(ENTRIES, place, "queue", sender.queue, _by_day(days, held))
            held = held * elements_of(sender)
            yield _part(ELEMENTS, place, "queue", sender.queue, _by_day(days, held))


def _part(
    metric: str, subject: str, breakdown: str, part: str, by_day: dict[date, float]
) -> PlantedPart:
    return PlantedPart(
        metric=metric, subject=subject, breakdown=breakdown, part=part, by_day=by_day
    )


def _by_day(local_day: Int64s, amounts: Sequence[float] | np.ndarray) -> dict[date, float]:
    days, places = np.unique(local_day, return_inverse=True)
    sums = np.bincount(places, weights=np.asarray(amounts, dtype=np.float64))
    return {date_of(day): total for day, total in zip(days.tolist(), sums.tolist(), strict=True)}
