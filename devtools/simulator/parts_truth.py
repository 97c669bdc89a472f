"""Planted parts of metrics by day: what attribution has to find."""

from collections.abc import Iterator
from datetime import date
from typing import Final

import numpy as np
from pydantic import BaseModel

from devtools.simulator.coupling_facility import (
    SimulatedCouplingFacility,
    elements_of,
    held_messages,
    senders_of_structure,
)
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.timeline import Float64s, Int64s, Simulated
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


def parts_of_queue_manager(qmgr: SimulatedQueueManager) -> Iterator[PlantedPart]:
    """Yield the log by queue and by application, channels and their storage by channel.

    And each as a whole. Storage above the bar is that of a channel initiator that gives it back at
    once, below the bar what the records have.
    """
    subject, spec = Subject.of(qmgr.sysplex, qmgr.spec.name), qmgr.spec
    if spec.senders:
        yield _part(qmgr, LOG, subject, qmgr.log_bytes)
        for sender, row in zip(spec.senders, qmgr.sender_log_bytes, strict=True):
            queue = f"{sender.queue}*" if sender.is_dynamic else sender.queue
            yield _part(qmgr, LOG, subject, row, "queue", queue)
            if spec.accounting:
                yield _part(qmgr, LOG, subject, row, "application", sender.application)
    if not spec.channel_groups:
        return
    subject, chinit, seconds = Subject.of(subject, "CHINIT"), spec.chinit, qmgr.grid.seconds
    above_mib = chinit.base_64bit_mib + chinit.kib_per_channel_64bit * qmgr.channels / KIB_BYTES
    for metric, whole, mean in (
        (CHANNELS, qmgr.channels, 1.0),
        (ABOVE_BAR, above_mib, chinit.kib_per_channel_64bit / KIB_BYTES),
        (BELOW_BAR, qmgr.used_31bit_mib, chinit.kib_per_channel_31bit / KIB_BYTES),
    ):
        yield _part(qmgr, metric, subject, whole * seconds)
        for group, row in zip(spec.channel_groups, qmgr.instances, strict=True):
            yield _part(qmgr, metric, subject, row * mean * seconds, "channel", group.name)


def parts_of_facility(facility: SimulatedCouplingFacility) -> Iterator[PlantedPart]:
    """Yield the busy seconds by structure, the use of each structure by queue, and both whole."""
    subject = Subject.of(facility.plex.name, facility.spec.name)
    busy, seconds = facility.structure_seconds(), facility.grid.seconds
    structures = facility.spec.structures
    yield _part(facility, BUSY, subject, np.sum(busy, axis=0))
    for structure, row in zip(structures, busy, strict=True):
        yield _part(facility, BUSY, subject, row, "structure", structure.name)
    for structure, entries, elements in zip(
        structures, facility.entries, facility.elements, strict=True
    ):
        place = Subject.of(subject, structure.name)
        yield _part(facility, ENTRIES, place, entries * seconds)
        yield _part(facility, ELEMENTS, place, elements * seconds)
        for sender in senders_of_structure(facility.plex, structure.name):
            held = held_messages(sender, facility.grid.local_day, facility.anchor) * seconds
            yield _part(facility, ENTRIES, place, held, "queue", sender.queue)
            of_elements = held * elements_of(sender)
            yield _part(facility, ELEMENTS, place, of_elements, "queue", sender.queue)


def _part(
    owner: Simulated,
    metric: str,
    subject: str,
    amounts: Int64s | Float64s,
    breakdown: str = "",
    part: str = "",
) -> PlantedPart:
    by_day = owner.by_day(amounts)
    return PlantedPart(
        metric=metric, subject=subject, breakdown=breakdown, part=part, by_day=by_day
    )
