"""Planted truth: per headline subject its limit, class and noiseless crossing date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.parts_truth import PlantedPart
from devtools.simulator.queue_manager import SimulatedPeriod, SimulatedQueueManager, first_day
from devtools.simulator.site.site_figures import FULL_PCT, first_site_day
from devtools.simulator.site.site_spec import Producer, SiteQueueManager, SiteSpec, SiteZtpf
from devtools.simulator.spec import CouplingFacilitySpec, EstateSpec, QueueManagerSpec, SysplexSpec
from devtools.simulator.timeline import date_of, day_number
from devtools.simulator.workload import Float64s, Load, daily_peak
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


def planted_truths(spec: EstateSpec, span: SimulatedPeriod) -> tuple[PlantedTruth, ...]:
    """The truth about every headline subject that exists on the last day."""
    truths: list[PlantedTruth] = []
    for plex in spec.sysplexes:
        for qmgr in plex.qmgrs:
            if first_day(span, qmgr.first_day_offset) <= span.last:
                truths.extend(_of_queue_manager(plex, qmgr, span))
        truths.extend(
            _of_facility(plex, facility, span)
            for facility in plex.cfs
            if first_day(span, facility.first_day_offset) <= span.last
        )
    return tuple(truths)


def planted_rules(spec: EstateSpec) -> tuple[RuleTruth, ...]:
    """Return the results that the specification expects of rules."""
    owners = [
        (Subject.of(plex.name, name), rules)
        for plex in spec.sysplexes
        for name, rules in (
            *((qmgr.name, qmgr.rules) for qmgr in plex.qmgrs),
            *((facility.name, facility.rules) for facility in plex.cfs),
        )
    ]
    return tuple(
        RuleTruth(
            rule=planted.rule,
            subject=Subject.of(owner, planted.part) if planted.part else owner,
            breach=planted.breach,
        )
        for owner, rules in owners
        for planted in rules
    )


def log_bytes_by_day(qmgr: SimulatedQueueManager, first: date, last: date) -> dict[date, int]:
    """Bytes of log growth per local day, as far as records arrive."""
    days, places = np.unique(qmgr.grid.local_day, return_inverse=True)
    sums = np.zeros(len(days), dtype=np.int64)
    np.add.at(sums, places, np.where(is_recorded(qmgr), qmgr.log_bytes, 0))
    pairs = zip(days.tolist(), sums.tolist(), strict=True)
    return {date_of(day): total for day, total in pairs if first <= date_of(day) <= last}


@dataclass(frozen=True)
class Peaks:
    """Noiseless daily peaks of the last 35 days and the 365 after them, twice."""

    with_month_end: Float64s
    working_days: Float64s

    def scaled(self, base: float, factor: float) -> Peaks:
        """``base + factor * value``."""
        return Peaks(base + factor * self.with_month_end, base + factor * self.working_days)


@dataclass(frozen=True)
class Headline:
    """A judged subject, and since when it exists."""

    metric: str
    name: str
    unit: str
    begin: date
    span: SimulatedPeriod


def _of_queue_manager(
    plex: SysplexSpec, qmgr: QueueManagerSpec, span: SimulatedPeriod
) -> Iterator[PlantedTruth]:
    name = Subject.of(plex.name, qmgr.name)
    begin = first_day(span, qmgr.first_day_offset)
    limit = qmgr.active_log_size_mib / FILL_SECONDS_MIN
    log = Headline("log_growth_mib_per_s", name, "MiB/s", begin, span)
    yield headline_truth(log, limit, peaks_of(qmgr.log_mib_per_s, plex.holidays, span))
    channels = peaks_of(qmgr.channels, plex.holidays, span)
    chinit = qmgr.chinit
    share = 100 / chinit.region_31bit_mib
    yield headline_truth(
        Headline("chinit_31bit_used_pct", Subject.of(name, "CHINIT"), "%", begin, span),
        CHINIT_LIMIT_PCT,
        channels.scaled(
            share * chinit.base_31bit_mib, share * chinit.kib_per_channel_31bit / KIB_BYTES
        ),
    )
    if chinit.limit_64bit_mib and level_key(qmgr.mq_level) >= _ABOVE_BAR_LIMIT_LEVEL:
        share = 100 / chinit.limit_64bit_mib
        yield headline_truth(
            Headline("chinit_64bit_used_pct", Subject.of(name, "CHINIT"), "%", begin, span),
            CHINIT_LIMIT_PCT,
            channels.scaled(
                share * chinit.base_64bit_mib, share * chinit.kib_per_channel_64bit / KIB_BYTES
            ),
        )


def _of_facility(
    plex: SysplexSpec, facility: CouplingFacilitySpec, span: SimulatedPeriod
) -> PlantedTruth:
    limit = CF_LIMIT_PCT_ONE_ENGINE if facility.engines == 1 else CF_LIMIT_PCT_MORE_ENGINES
    begin = first_day(span, facility.first_day_offset)
    subject = Headline("cf_busy_pct", Subject.of(plex.name, facility.name), "%", begin, span)
    return headline_truth(subject, limit, peaks_of(facility.busy_pct, plex.holidays, span))


def peaks_of(load: Load, country: str | None, span: SimulatedPeriod) -> Peaks:
    """Return the noiseless peaks of a load around the last day."""
    last = day_number(span.last)
    days = np.arange(last - PEAK_DAYS + 1, last + HORIZON_DAYS + 1, dtype=np.int64)
    plain = load.model_copy(update={"month_end_ratio": 1.0})
    return Peaks(
        daily_peak(load, days, span.anchor, country),
        daily_peak(plain, days, span.anchor, country),
    )


def headline_truth(subject: Headline, limit: float, peaks: Peaks) -> PlantedTruth:
    """Return the truth about a subject whose peaks are in breach above the limit."""
    history = (subject.span.last - subject.begin).days + 1
    ahead = _days_ahead(peaks.with_month_end, limit)
    window = peaks.with_month_end[PEAK_DAYS - min(history, PEAK_DAYS) : PEAK_DAYS]
    kind = _class(history, bool((window > limit).any()), ahead)
    is_dated = kind is not CrossingClass.already_over

    def day(days_ahead: int | None) -> date | None:
        if days_ahead is None or not is_dated:
            return None
        return subject.span.last + timedelta(days=days_ahead)

    return PlantedTruth(
        metric=subject.metric,
        subject=subject.name,
        unit=subject.unit,
        limit=limit,
        crossing_class=kind,
        first_crossing_date=day(ahead),
        working_day_crossing_date=day(_days_ahead(peaks.working_days, limit)),
        peak_of_window=float(window.max()),
        history_days=history,
    )


def _days_ahead(peaks: Float64s, limit: float) -> int | None:
    """Days from the last one to the first on which the limit is exceeded."""
    ahead = np.flatnonzero(peaks[PEAK_DAYS:] > limit)
    return int(ahead[0]) + 1 if len(ahead) else None


def _class(history: int, is_over: bool, days_ahead: int | None) -> CrossingClass:
    if is_over:
        return CrossingClass.already_over
    if history < HISTORY_DAYS_MIN:
        return CrossingClass.not_enough_data
    if days_ahead is None:
        return CrossingClass.never
    within = days_ahead <= SOON_DAYS
    return CrossingClass.crosses_within_90_days if within else CrossingClass.crosses_later


def is_recorded(qmgr: SimulatedQueueManager) -> NDArray[np.bool_]:
    """Return False for the intervals that a lost time touches."""
    intervals = qmgr.grid.intervals
    found = np.ones(len(qmgr.grid), dtype=np.bool_)
    for begin_us, end_us in qmgr.lost_us:
        found &= (intervals.end_us <= begin_us) | (intervals.start_us >= end_us)
    return found


def recorded_slices(part: Slice) -> Iterator[Slice]:
    """Yield the parts of a slice between lost times."""
    places = part.low + np.flatnonzero(is_recorded(part.qmgr)[part.low : part.high])
    for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
        if len(run):
            yield Slice(part.qmgr, int(run[0]), int(run[-1]) + 1)


class _Judged(NamedTuple):
    """A load with its limit; the metric is ``factor`` x the load."""

    metric: str
    names: tuple[str, ...]
    unit: str
    load: Load
    limit: float
    factor: float = 1.0


def planted_site_truths(
    sites: Iterable[SiteSpec], span: SimulatedPeriod
) -> tuple[PlantedTruth, ...]:
    """Return the truth about every planted resource of the sites."""
    return tuple(truth for site in sites for truth in _of_site(site, span))


def planted_site_events(
    sites: Iterable[SiteSpec], span: SimulatedPeriod
) -> tuple[PlantedEvent, ...]:
    """Return every planted message of the error logs."""
    return tuple(
        PlantedEvent(
            subject=subject_of(site.name, qmgr.name),
            day=span.anchor + timedelta(days=event.day_offset),
            message=event.message.value,
        )
        for site in sites
        for qmgr in site.qmgrs
        for event in qmgr.events
    )


def _of_site(site: SiteSpec, span: SimulatedPeriod) -> Iterator[PlantedTruth]:
    judged = [item for qmgr in site.qmgrs for item in _of_qmgr(qmgr)]
    judged += [item for system in site.ztpf for item in _of_ztpf(system)]
    begin = first_site_day(site, span)
    for item in judged:
        subject = subject_of(site.name, *item.names)
        headline = Headline(item.metric, subject, item.unit, begin, span)
        peaks = peaks_of(item.load, site.holidays, span).scaled(0, item.factor)
        yield headline_truth(headline, item.limit, peaks)


def _of_qmgr(qmgr: SiteQueueManager) -> Iterator[_Judged]:
    """Yield what is measured: the container publishes neither connections nor queues."""
    name = (qmgr.name,)
    share = qmgr.primary_files / (qmgr.primary_files + qmgr.secondary_files)
    log = qmgr.log_primary_pct
    yield _Judged("mq_log_primary_used_pct", name, "%", log, FULL_PCT)
    yield _Judged("mq_log_total_used_pct", name, "%", log, FULL_PCT, share)
    yield _Judged("mq_log_fs_used_pct", name, "%", qmgr.log_fs_pct, FULL_PCT)
    yield _Judged("mq_qmgr_fs_used_pct", name, "%", qmgr.data_fs_pct, FULL_PCT)
    if qmgr.seen_by is Producer.container:
        return
    limit = qmgr.max_channels
    yield _Judged("mq_connection_count", name, "count", qmgr.connections, limit)
    for queue in qmgr.queues:
        names = (qmgr.name, queue.name)
        yield _Judged("mq_queue_depth_used_pct", names, "%", queue.depth_pct, FULL_PCT)


def _of_ztpf(system: SiteZtpf) -> Iterator[_Judged]:
    blocks = system.mqm_blocks / FULL_PCT
    limit = system.sweep_level_pct * blocks
    load = system.mqm_used_pct
    yield _Judged("tpf_mqm_in_use_blocks", (system.name,), "count", load, limit, blocks)
