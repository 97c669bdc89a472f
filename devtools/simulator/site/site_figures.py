"""Figures of the queue managers and z/TPF systems of a site, one for each scrape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.site.site_spec import (
    ExhaustionMessage,
    SiteHost,
    SiteQueueManager,
    SiteSpec,
    SiteZtpf,
)
from devtools.simulator.timeline import (
    MINUTE_US,
    Float64s,
    Grid,
    Int64s,
    Simulated,
    SimulatedPeriod,
    grid_of,
    instant,
    instant_utc,
)
from devtools.simulator.workload import Driver, rounded
from mqcap.domain.units import PAGE_BYTES

RESTART_AT: Final = time(3, 10)
RESTART_MINUTES: Final = 50
LOG_BYTES_PER_PUT_BYTE: Final = 1.3
"""Log records have headers; made up, as every figure here."""
FULL_PCT: Final = 100.0
_SUNDAY: Final = 6
_SYSTEM_SHARE: Final = 0.25
"""Of the processor time of a host, what the system takes."""


class SiteRestart(NamedTuple):
    """A regular end and start of a queue manager, as instants in microseconds."""

    ended_us: int
    started_us: int


@dataclass(frozen=True)
class OfSite(Simulated):
    """Something of a site; times of scrapes and captures end the intervals."""

    site: SiteSpec

    def local(self, instant_us: int) -> datetime:
        """Return an instant on the clock of the site."""
        return instant_utc(instant_us).astimezone(ZoneInfo(self.site.timezone))

    def scraped_us(self, place: int) -> int:
        """Return the instant of a scrape."""
        return int(self.intervals.end_us[place])


@dataclass(frozen=True)
class SiteFigures(OfSite):
    """A queue manager."""

    spec: SiteQueueManager
    restarts: tuple[SiteRestart, ...]
    is_up: NDArray[np.bool_]
    """False at scrapes during a restart, of which nothing is known."""
    log_primary_pct: Float64s
    log_fs_pct: Float64s
    data_fs_pct: Float64s
    connections: Int64s
    puts: Int64s
    """Messages put since the scrape before."""
    puts_since_start: Int64s
    log_bytes: Int64s
    """Physical bytes written since the scrape before."""
    log_bytes_since_start: Int64s
    log_write_latency_us: Float64s
    host_cpu_pct: Float64s
    host_ram_free_pct: Float64s
    depths: Mapping[str, Int64s]
    """By queue; at most its MAXDEPTH."""
    queue_puts: Mapping[str, Int64s]
    """By queue: messages put since the scrape before."""
    events: tuple[tuple[int, ExhaustionMessage], ...]
    """Planted messages of the error log with their instants in microseconds."""

    @property
    def places(self) -> list[int]:
        """Places of the scrapes at which it ran."""
        return np.flatnonzero(self.is_up).tolist()

    @property
    def host_system_pct(self) -> Float64s:
        """System time of the host."""
        return self.host_cpu_pct * _SYSTEM_SHARE


@dataclass(frozen=True)
class SiteZtpfFigures(OfSite):
    """A z/TPF system."""

    spec: SiteZtpf
    in_use_blocks: Int64s
    high_water_blocks: Int64s
    """Most blocks in use since the first day."""
    high_water_us: Int64s
    """Instant of the capture at which they were first that many."""
    sweeps: Int64s
    """Sweeps that were completed since the capture before."""


def site_figures(site: SiteSpec, span: SimulatedPeriod) -> tuple[SiteFigures, ...]:
    """Return the figures of all queue managers of a site."""
    grid = _grid(site, span)
    hosts = {host.name: host for host in site.hosts}
    return tuple(_figures(site, qmgr, hosts[qmgr.host], span, grid) for qmgr in site.qmgrs)


def ztpf_figures(site: SiteSpec, span: SimulatedPeriod) -> tuple[SiteZtpfFigures, ...]:
    """Return the figures of all z/TPF systems of a site."""
    grid = _grid(site, span)
    return tuple(_ztpf(site, system, span, grid) for system in site.ztpf)


def _grid(site: SiteSpec, span: SimulatedPeriod) -> Grid:
    begin = span.first_day(1 - site.history_days)
    return grid_of(site.timezone, begin, span.last, site.step_minutes, ())


def _figures(
    site: SiteSpec, spec: SiteQueueManager, host: SiteHost, span: SimulatedPeriod, grid: Grid
) -> SiteFigures:
    own = Driver(f"{site.name}/{spec.name}", grid, span, site.holidays)
    of_host = own._replace(owner=f"{site.name}/{host.name}")
    restarts = tuple(_restarts(site, spec, span))
    scraped_us = grid.intervals.end_us
    is_up = np.ones(len(grid), dtype=np.bool_)
    for restart in restarts:
        is_up &= (scraped_us < restart.ended_us) | (scraped_us > restart.started_us)
    puts = rounded(own.values(spec.puts_per_s, "puts") * grid.seconds)
    written = puts * spec.message_bytes * LOG_BYTES_PER_PUT_BYTE / PAGE_BYTES
    log_bytes = rounded(written) * PAGE_BYTES
    begins = np.searchsorted(scraped_us, [restart.ended_us for restart in restarts]).tolist()
    return SiteFigures(
        grid=grid,
        site=site,
        spec=spec,
        restarts=restarts,
        is_up=is_up,
        log_primary_pct=own.values(spec.log_primary_pct, "log"),
        log_fs_pct=np.minimum(own.values(spec.log_fs_pct, "log_fs"), FULL_PCT),
        data_fs_pct=np.minimum(own.values(spec.data_fs_pct, "data_fs"), FULL_PCT),
        connections=own.counts(spec.connections, "connections"),
        puts=puts,
        puts_since_start=_since_start(np.where(is_up, puts, 0), begins),
        log_bytes=log_bytes,
        log_bytes_since_start=_since_start(np.where(is_up, log_bytes, 0), begins),
        log_write_latency_us=own.values(spec.log_write_latency_us, "latency"),
        host_cpu_pct=np.minimum(of_host.values(host.cpu_busy_pct, "cpu"), FULL_PCT),
        host_ram_free_pct=np.full(len(grid), host.ram_free_pct),
        depths={
            queue.name: np.minimum(
                rounded(own.values(queue.depth_pct, queue.name) * queue.max_depth / FULL_PCT),
                queue.max_depth,
            )
            for queue in spec.queues
        },
        queue_puts={queue.name: rounded(puts * queue.put_ratio) for queue in spec.queues},
        events=tuple(
            (instant(site.timezone, span.day(event.day_offset), event.at_local), event.message)
            for event in spec.events
        ),
    )


def _restarts(
    site: SiteSpec, spec: SiteQueueManager, span: SimulatedPeriod
) -> Iterator[SiteRestart]:
    day = span.first_day(1 - site.history_days)
    day += timedelta(days=_SUNDAY - day.weekday() + 7)
    while day <= span.last:
        ended_us = instant(site.timezone, day, RESTART_AT)
        yield SiteRestart(ended_us, ended_us + RESTART_MINUTES * MINUTE_US)
        day += timedelta(days=spec.restart_every_days)


def _since_start(amounts: Int64s, begins: list[int]) -> Int64s:
    total = np.cumsum(amounts)
    before = np.zeros_like(total)
    for begin in begins:
        before[begin:] = total[begin - 1] if begin else 0
    return total - before


def _ztpf(site: SiteSpec, spec: SiteZtpf, span: SimulatedPeriod, grid: Grid) -> SiteZtpfFigures:
    driver = Driver(f"{site.name}/{spec.name}", grid, span, site.holidays)
    used = rounded(driver.values(spec.mqm_used_pct, "mqm") / FULL_PCT * spec.mqm_blocks)
    in_use = np.minimum(used, spec.mqm_blocks)
    high_water = np.maximum.accumulate(in_use)
    per_capture = driver.values(spec.sweeps_per_day, "sweeps") * grid.seconds / 86_400
    done = np.floor(np.cumsum(per_capture)).astype(np.int64)
    return SiteZtpfFigures(
        grid=grid,
        site=site,
        spec=spec,
        in_use_blocks=in_use,
        high_water_blocks=high_water,
        high_water_us=grid.intervals.end_us[np.searchsorted(high_water, high_water)],
        sweeps=np.diff(done, prepend=0),
    )
