"""Truth about the queue managers of sites: limits and noiseless crossing dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

from devtools.simulator.queue_manager import SimulatedPeriod
from devtools.simulator.site.site_figures import FULL_PCT, first_site_day
from devtools.simulator.site.site_spec import Producer, SiteQueueManager, SiteSpec, SiteZtpf
from devtools.simulator.truth import (
    Headline,
    PlantedEvent,
    PlantedTruth,
    headline_truth,
    peaks_of,
)
from devtools.simulator.workload import Load
from mqcap.domain.distributed.mq_name import subject_of


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
