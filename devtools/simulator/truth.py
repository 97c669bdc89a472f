"""Planted truth: limits, classes and noiseless crossing dates, and the parts of metrics by day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np
from pydantic import BaseModel

from devtools.simulator.coupling_facility import (
    SimulatedCouplingFacility,
    elements_of,
    held_messages,
    senders_of_structure,
)
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.site.site_figures import FULL_PCT
from devtools.simulator.site.site_spec import Producer, SiteQueueManager, SiteSpec, SiteZtpf
from devtools.simulator.spec import CouplingFacilitySpec, EstateSpec, QueueManagerSpec
from devtools.simulator.timeline import Float64s, Int64s, Simulated, SimulatedPeriod, day_number
from devtools.simulator.workload import Load, daily_peak
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.subject import Subject
from mqcap.domain.units import KIB_BYTES
from mqcap.ingest.smf.layout import level_key

FILL_SECONDS_MIN: Final = 1_800
"""Least time in which an active log may fill, 30 minutes."""
CHINIT_LIMIT_PCT: Final = 80.0
CF_LIMIT_PCT_ONE_ENGINE: Final = 30.0
CF_LIMIT_PCT_MORE_ENGINES: Final = 60.0
HORIZON_DAYS: Final = 365
SOON_DAYS: Final = 90
PEAK_DAYS: Final = 35
HISTORY_DAYS_MIN: Final = 60
LOG: Final = "log_growth_mib_per_s"
CHANNELS: Final = "channels_current_count"
BUSY: Final = "cf_busy_pct"
ENTRIES: Final = "structure_entries_used_pct"
ELEMENTS: Final = "structure_elements_used_pct"
ABOVE_BAR: Final = "chinit_64bit_used_mib"
BELOW_BAR: Final = "chinit_31bit_used_mib"
_ABOVE_BAR_LIMIT_LEVEL: Final = (9, 3, 5)


class CrossingClass(StrEnum):
    """Result that a good forecast should give for a subject."""

    already_over = "already_over"
    crosses_within_90_days = "crosses_within_90_days"
    crosses_later = "crosses_later"
    """After 90 days, within a year."""
    never = "never"
    not_enough_data = "not_enough_data"


class PlantedTruth(BaseModel, frozen=True):
    """Truth about a headline subject."""

    metric: str
    subject: str
    unit: str
    limit: float
    crossing_class: CrossingClass
    first_crossing_date: date | None
    """First day after the last one on which the noiseless peak exceeds the limit."""
    working_day_crossing_date: date | None
    """The same without the month-end effect: from then on every ordinary working day does."""
    peak_of_window: float
    """Highest noiseless daily peak of the last 35 days (or since the first day)."""
    history_days: int


class RuleTruth(BaseModel, frozen=True):
    """Result expected of a rule for a subject on the last day."""

    rule: str
    subject: str
    breach: bool


class PlantedEvent(BaseModel, frozen=True):
    """A message that something of a queue manager is exhausted, on its site day."""

    subject: str
    day: date
    message: str


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


class Truth(BaseModel, frozen=True):
    """Everything the tests may know; kept as ``truth.json`` beside the dumps."""

    seed: int
    anchor_date: date
    first_date: date
    last_date: date
    planted: tuple[PlantedTruth, ...]
    rules: tuple[RuleTruth, ...] = ()
    parts: tuple[PlantedPart, ...] = ()
    events: tuple[PlantedEvent, ...] = ()
    """Messages of error logs of sites."""
    log_bytes: dict[str, dict[date, int]]
    """Log growth in bytes per queue manager (``sysplex/name``) and site date, of the intervals
    that start on that date."""


class _Judged(NamedTuple):
    """A load with its limit; the metric is ``base`` + ``factor`` x the load."""

    metric: str
    subject: str
    unit: str
    load: Load
    limit: float
    base: float = 0.0
    factor: float = 1.0


def truth_of(
    spec: EstateSpec,
    span: SimulatedPeriod,
    qmgrs: Sequence[SimulatedQueueManager],
    facilities: Sequence[SimulatedCouplingFacility],
    first: date,
    last: date,
) -> Truth:
    """Return the truth about what is written: the days from first to last, which all have."""
    return Truth(
        seed=spec.seed,
        anchor_date=span.anchor,
        first_date=first,
        last_date=last,
        planted=(*planted_truths(spec, span), *planted_site_truths(spec.sites, span)),
        rules=tuple(
            RuleTruth(
                rule=planted.rule,
                subject=Subject.of(plex.name, owner.name, *filter(None, [planted.part])),
                breach=planted.breach,
            )
            for plex in spec.sysplexes
            for owner in plex.owners
            for planted in owner.rules
        ),
        events=planted_site_events(spec.sites, span),
        parts=(
            *(part for qmgr in qmgrs for part in parts_of_queue_manager(qmgr)),
            *(part for facility in facilities for part in parts_of_facility(facility)),
        ),
        log_bytes={
            Subject.of(qmgr.sysplex, qmgr.spec.name): log_bytes_by_day(qmgr) for qmgr in qmgrs
        },
    )


def planted_truths(spec: EstateSpec, span: SimulatedPeriod) -> tuple[PlantedTruth, ...]:
    """The truth about every headline subject that exists on the last day."""
    return tuple(
        _truth(judged, begin, plex.holidays, span)
        for plex in spec.sysplexes
        for owner in plex.owners
        if (begin := span.first_day(owner.first_day_offset)) <= span.last
        for judged in _judged(Subject.of(plex.name, owner.name), owner)
    )


def planted_site_truths(
    sites: Iterable[SiteSpec], span: SimulatedPeriod
) -> tuple[PlantedTruth, ...]:
    """Return the truth about every planted resource of the sites."""
    return tuple(
        _truth(judged, span.first_day(1 - site.history_days), site.holidays, span)
        for site in sites
        for owner in site.owners
        for judged in _judged_of_site(site.name, owner)
    )


def planted_site_events(
    sites: Iterable[SiteSpec], span: SimulatedPeriod
) -> tuple[PlantedEvent, ...]:
    """Return every planted message of the error logs."""
    return tuple(
        PlantedEvent(
            subject=subject_of(site.name, qmgr.name),
            day=span.day(event.day_offset),
            message=event.message.value,
        )
        for site in sites
        for qmgr in site.qmgrs
        for event in qmgr.events
    )


def log_bytes_by_day(qmgr: SimulatedQueueManager) -> dict[date, int]:
    """Bytes of log growth per local day, as far as records arrive."""
    by_day = qmgr.by_day(np.where(qmgr.is_recorded, qmgr.log_bytes, 0))
    return {day: int(total) for day, total in by_day.items()}


def _judged(name: str, owner: QueueManagerSpec | CouplingFacilitySpec) -> Iterator[_Judged]:
    if isinstance(owner, CouplingFacilitySpec):
        limit = CF_LIMIT_PCT_ONE_ENGINE if owner.engines == 1 else CF_LIMIT_PCT_MORE_ENGINES
        yield _Judged("cf_busy_pct", name, "%", owner.busy_pct, limit)
        return
    limit = owner.active_log_size_mib / FILL_SECONDS_MIN
    yield _Judged("log_growth_mib_per_s", name, "MiB/s", owner.log_mib_per_s, limit)
    chinit = owner.chinit
    has_limit = level_key(owner.mq_level) >= _ABOVE_BAR_LIMIT_LEVEL
    for bits, available, base, kib_of_channel in (
        (31, chinit.region_31bit_mib, chinit.base_31bit_mib, chinit.kib_per_channel_31bit),
        (
            64,
            has_limit and chinit.limit_64bit_mib,
            chinit.base_64bit_mib,
            chinit.kib_per_channel_64bit,
        ),
    ):
        if available:
            share = 100 / available
            yield _Judged(
                f"chinit_{bits}bit_used_pct",
                Subject.of(name, "CHINIT"),
                "%",
                owner.channels,
                CHINIT_LIMIT_PCT,
                share * base,
                share * kib_of_channel / KIB_BYTES,
            )


def _judged_of_site(site: str, owner: SiteQueueManager | SiteZtpf) -> Iterator[_Judged]:
    """Yield what is measured: the container publishes neither connections nor queues."""
    name = subject_of(site, owner.name)
    if isinstance(owner, SiteZtpf):
        blocks = owner.mqm_blocks / FULL_PCT
        limit = owner.sweep_level_pct * blocks
        load = owner.mqm_used_pct
        yield _Judged("tpf_mqm_in_use_blocks", name, "count", load, limit, factor=blocks)
        return
    share = owner.primary_files / (owner.primary_files + owner.secondary_files)
    log = owner.log_primary_pct
    yield _Judged("mq_log_primary_used_pct", name, "%", log, FULL_PCT)
    yield _Judged("mq_log_total_used_pct", name, "%", log, FULL_PCT, factor=share)
    yield _Judged("mq_log_fs_used_pct", name, "%", owner.log_fs_pct, FULL_PCT)
    yield _Judged("mq_qmgr_fs_used_pct", name, "%", owner.data_fs_pct, FULL_PCT)
    if owner.seen_by is Producer.container:
        return
    yield _Judged("mq_connection_count", name, "count", owner.connections, owner.max_channels)
    for queue in owner.queues:
        subject = subject_of(site, owner.name, queue.name)
        yield _Judged("mq_queue_depth_used_pct", subject, "%", queue.depth_pct, FULL_PCT)


def _truth(item: _Judged, begin: date, country: str | None, span: SimulatedPeriod) -> PlantedTruth:
    """Return the truth about a subject since its first day, in breach above the limit."""
    last = day_number(span.last)
    days = np.arange(last - PEAK_DAYS + 1, last + HORIZON_DAYS + 1, dtype=np.int64)

    def peaks(load: Load) -> Float64s:
        return item.base + item.factor * daily_peak(load, days, span.anchor, country)

    def crossing(peaks: Float64s) -> date | None:
        """Return the first day after the last one on which the limit is exceeded."""
        ahead = np.flatnonzero(peaks[PEAK_DAYS:] > item.limit)
        return span.last + timedelta(days=int(ahead[0]) + 1) if len(ahead) else None

    noiseless = peaks(item.load)
    history = (span.last - begin).days + 1
    window = noiseless[PEAK_DAYS - min(history, PEAK_DAYS) : PEAK_DAYS]
    first = crossing(noiseless)
    working_day = crossing(peaks(item.load.model_copy(update={"month_end_ratio": 1.0})))
    if (window > item.limit).any():
        kind, first, working_day = CrossingClass.already_over, None, None
    elif history < HISTORY_DAYS_MIN:
        kind = CrossingClass.not_enough_data
    elif first is None:
        kind = CrossingClass.never
    elif (first - span.last).days <= SOON_DAYS:
        kind = CrossingClass.crosses_within_90_days
    else:
        kind = CrossingClass.crosses_later
    return PlantedTruth(
        metric=item.metric,
        subject=item.subject,
        unit=item.unit,
        limit=item.limit,
        crossing_class=kind,
        first_crossing_date=first,
        working_day_crossing_date=working_day,
        peak_of_window=float(window.max()),
        history_days=history,
    )


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
