"""Planted parts of metrics by day: what attribution has to find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

import numpy as np
from pydantic import BaseModel, ConfigDict

from devtools.simulator.coupling_facility import SimulatedCouplingFacility, busy_by_structure
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.shares import group_instances, sender_log_bytes
from devtools.simulator.timeline import Int64s, date_of


class PlantedPart(BaseModel):
    """Amount of one part of a metric by site date; amounts of one breakdown share a unit."""

    model_config = ConfigDict(frozen=True)

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
    return tuple(
        part.model_copy(
            update={
                "by_day": {
                    day: amount for day, amount in part.by_day.items() if first <= day <= last
                }
            }
        )
        for part in parts
    )


def parts_of_queue_manager(qmgr: SimulatedQueueManager) -> Iterator[PlantedPart]:
    """Yield the parts of the log by queue and application, and of the channels by name."""
    subject = f"{qmgr.sysplex}/{qmgr.spec.name}"
    if qmgr.spec.senders:
        amounts = sender_log_bytes(qmgr)
        for sender, row in zip(qmgr.spec.senders, amounts, strict=True):
            by_day = _by_day(qmgr.grid.local_day, row)
            queue = f"{sender.queue}*" if sender.is_dynamic else sender.queue
            for breakdown, name in (("queue", queue), ("application", sender.application)):
                yield PlantedPart(
                    metric="log_growth_mib_per_s",
                    subject=subject,
                    breakdown=breakdown,
                    part=name,
                    by_day=by_day,
                )
    if qmgr.spec.channel_groups:
        instances = group_instances(qmgr)
        for group, row in zip(qmgr.spec.channel_groups, instances, strict=True):
            yield PlantedPart(
                metric="channels_current_count",
                subject=f"{subject}/CHINIT",
                breakdown="channel",
                part=group.name,
                by_day=_by_day(qmgr.grid.local_day, row * qmgr.grid.seconds),
            )


def parts_of_facility(facility: SimulatedCouplingFacility) -> Iterator[PlantedPart]:
    """Yield the busy seconds that each structure causes."""
    for structure, seconds in zip(
        facility.spec.structures, busy_by_structure(facility), strict=True
    ):
        yield PlantedPart(
            metric="cf_busy_pct",
            subject=f"{facility.plex.name}/{facility.spec.name}",
            breakdown="structure",
            part=structure.name,
            by_day=_by_day(facility.grid.local_day, seconds),
        )


def _by_day(local_day: Int64s, amounts: Sequence[float] | np.ndarray) -> dict[date, float]:
    days, places = np.unique(local_day, return_inverse=True)
    sums = np.bincount(places, weights=np.asarray(amounts, dtype=np.float64))
    return {date_of(day): total for day, total in zip(days.tolist(), sums.tolist(), strict=True)}
