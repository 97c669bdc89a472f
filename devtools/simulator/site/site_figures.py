"""Figures of the queue managers and z/TPF systems of a site, one for each scrape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.queue_manager import SimulatedPeriod, first_day
from devtools.simulator.site.site_spec import (
    ExhaustionMessage,
    SiteHost,
    SiteQueueManager,
    SiteSpec,
    SiteZtpf,
)
from devtools.simulator.timeline import MINUTE_US, EstateClock, Grid, Int64s, grid_of
from devtools.simulator.workload import Float64s, Load, values
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
class SiteFigures:
    """A queue manager since its first day; arrays run over the scrapes, whose times end them."""

    site: SiteSpec
    spec: SiteQueueManager
    grid: Grid
    restarts: tuple[SiteRestart, ...]
    is_up: NDArray[np.bool_]
    """False at scrapes during a restart, of which nothing is known."""
    log_primary_pct: Float64s
    log_fs_pct: Float64s
    data_fs_pct: Float64s
    connections: Int64s
    puts: Int64s
    """Messages put since the scrape before."""
    log_bytes: Int64s
    """Physical bytes written since the scrape before."""
    log_write_latency_us: Float64s
    host_cpu_pct: Float64s
    host_ram_free_pct: Float64s
    depths: Mapping[str, Int64s]
    """By queue; at most its MAXDEPTH."""
    queue_puts: Mapping[str, Int64s]
    """By queue: messages put since the scrape before."""
    events: tuple[tuple[int, ExhaustionMessage], ...] = ()
    """Planted messages of the error log with their instants in microseconds."""

    @property
    def seconds(self) -> Int64s:
        """Times of the scrapes, seconds since 1970."""
        return self.grid.intervals.end_us // 1_000_000

    @property
    def zone(self) -> ZoneInfo:
        """Time zone of the site."""
        return ZoneInfo(self.site.timezone)

    @property
    def host_system_pct(self) -> Float64s:
        """System time of the host."""
        return self.host_cpu_pct * _SYSTEM_SHARE


class FigureSlice(NamedTuple):
    """The scrapes ``low`` to ``high`` of a queue manager."""

    figures: SiteFigures
    low: int
    high: int

    @property
    def places(self) -> list[int]:
        """Places of the scrapes at which it ran."""
        up = np.flatnonzero(self.figures.is_up[self.low : self.high])
        return (self.low + up).tolist()

    @property
    def with_previous(self) -> FigureSlice:
        """The slice with the scrape before it, where there is one."""
        return self._replace(low=max(self.low - 1, 0))


@dataclass(frozen=True)
class SiteZtpfFigures:
    """A z/TPF system; arrays run over the captures, whose times end them."""

    site: SiteSpec
    spec: SiteZtpf
    grid: Grid
    in_use_blocks: Int64s
    high_water_blocks: Int64s
    """Most blocks in use since the first day."""
    sweeps: Int64s
    """Sweeps that were completed since the capture before."""


def first_site_day(site: SiteSpec, span: SimulatedPeriod) -> date:
    """Return the first day of which a site has data."""
    return first_day(span, 1 - site.history_days)


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
    begin = first_site_day(site, span)
    return grid_of(EstateClock(site.timezone), begin, span.last, site.step_minutes, ())


def _figures(
    site: SiteSpec,
    spec: SiteQueueManager,
    host: SiteHost,
    span: SimulatedPeriod,
    grid: Grid,
) -> SiteFigures:
    def driven(load: Load, quantity: str, owner: str = spec.name) -> Float64s:
        key = (span.seed, f"{site.name}/{owner}/{quantity}")
        return values(load, grid, span.anchor, site.holidays, key)

    clock = EstateClock(site.timezone)
    restarts = tuple(_restarts(site, spec, span))
    puts = np.rint(driven(spec.puts_per_s, "puts") * grid.seconds).astype(np.int64)
    written = puts * spec.message_bytes * LOG_BYTES_PER_PUT_BYTE / PAGE_BYTES
    return SiteFigures(
        site=site,
        spec=spec,
        grid=grid,
        restarts=restarts,
        is_up=_is_up(grid, restarts),
        log_primary_pct=driven(spec.log_primary_pct, "log"),
        log_fs_pct=np.minimum(driven(spec.log_fs_pct, "log_fs"), FULL_PCT),
        data_fs_pct=np.minimum(driven(spec.data_fs_pct, "data_fs"), FULL_PCT),
        connections=np.rint(driven(spec.connections, "connections")).astype(np.int64),
        puts=puts,
        log_bytes=np.rint(written).astype(np.int64) * PAGE_BYTES,
        log_write_latency_us=driven(spec.log_write_latency_us, "latency"),
        host_cpu_pct=np.minimum(driven(host.cpu_busy_pct, "cpu", host.name), FULL_PCT),
        host_ram_free_pct=np.full(len(grid), host.ram_free_pct),
        depths={
            queue.name: np.minimum(
                np.rint(driven(queue.depth_pct, queue.name) * queue.max_depth / FULL_PCT),
                queue.max_depth,
            ).astype(np.int64)
            for queue in spec.queues
        },
        queue_puts={
            queue.name: np.rint(puts * queue.put_ratio).astype(np.int64) for queue in spec.queues
        },
        events=tuple(
            (
                clock.instant_us(span.anchor + timedelta(days=event.day_offset), event.at_local),
                event.message,
            )
            for event in spec.events
        ),
    )


def _restarts(
    site: SiteSpec, spec: SiteQueueManager, span: SimulatedPeriod
) -> Iterator[SiteRestart]:
    clock = EstateClock(site.timezone)
    day = first_site_day(site, span)
    day += timedelta(days=_SUNDAY - day.weekday() + 7)
    while day <= span.last:
        ended_us = clock.instant_us(day, RESTART_AT)
        yield SiteRestart(ended_us, ended_us + RESTART_MINUTES * MINUTE_US)
        day += timedelta(days=spec.restart_every_days)


def _is_up(grid: Grid, restarts: tuple[SiteRestart, ...]) -> NDArray[np.bool_]:
    scraped_us = grid.intervals.end_us
    is_up = np.ones(len(grid), dtype=np.bool_)
    for restart in restarts:
        is_up &= (scraped_us < restart.ended_us) | (scraped_us > restart.started_us)
    return is_up


def _ztpf(site: SiteSpec, spec: SiteZtpf, span: SimulatedPeriod, grid: Grid) -> SiteZtpfFigures:
    def driven(load: Load, quantity: str) -> Float64s:
        key = (span.seed, f"{site.name}/{spec.name}/{quantity}")
        return values(load, grid, span.anchor, site.holidays, key)

    used = driven(spec.mqm_used_pct, "mqm") / FULL_PCT * spec.mqm_blocks
    in_use = np.minimum(np.rint(used), spec.mqm_blocks).astype(np.int64)
    per_capture = driven(spec.sweeps_per_day, "sweeps") * grid.seconds / 86_400
    done = np.floor(np.cumsum(per_capture)).astype(np.int64)
    return SiteZtpfFigures(
        site=site,
        spec=spec,
        grid=grid,
        in_use_blocks=in_use,
        high_water_blocks=np.maximum.accumulate(in_use),
        sweeps=np.diff(done, prepend=0),
    )
