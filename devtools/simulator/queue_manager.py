"""A simulated queue manager: log bytes, channels, storage, pools, page sets per interval."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.events import Outage, changed
from devtools.simulator.spec import (
    EstateSpec,
    QueueManagerSpec,
    SysplexSpec,
)
from devtools.simulator.timeline import (
    MINUTE_US,
    EstateClock,
    Grid,
    Int64s,
    day_number,
    grid_of,
)
from devtools.simulator.workload import Float64s, Load, values
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, PAGE_BYTES

_STEP_PCT: Final = 5
"""CSQJ110E comes at 5 % of the last data set and after each further 5 %."""


class Shortage(NamedTuple):
    """A time without active log space; instants are microseconds since 1970."""

    failed_us: int
    """Archiving has failed since."""
    near: tuple[tuple[int, int], ...]
    """When the last log was so full, percent."""
    start_us: int
    end_us: int


def shortages_of_failures(
    failures: Iterable[tuple[int, int]], spec: QueueManagerSpec, grid: Grid, rba: Int64s
) -> Iterator[Shortage]:
    """Yield the shortage that follows from each failure of archiving, if the logs fill by then.

    ``failures`` are when archiving failed, and that with the time without space added to it;
    ``rba`` is the log RBA at the end of each interval, bytes. All logs but the current one are
    archived when the failure begins.
    """
    ends = grid.intervals.end_us
    size = _log_bytes(spec)
    for failed_us, until_us in failures:
        current = int(np.interp(failed_us, ends, rba)) // size
        last = (current + spec.active_logs - 1) * size
        if last + size > rba[-1]:
            continue
        near = tuple(
            (int(np.interp(last + percent * size // 100, rba, ends)), percent)
            for percent in range(_STEP_PCT, 100, _STEP_PCT)
        )
        start_us = int(np.interp(last + size, rba, ends))
        yield Shortage(failed_us, near, start_us, start_us + until_us - failed_us)


_CI_PER_MIB: Final = MIB_BYTES // PAGE_BYTES
_RESTART_AT: Final = time(3, 10)
_RESTART_MINUTES: Final = 7
_SUNDAY: Final = 6


@dataclass(frozen=True)
class SimulatedPeriod:
    """The days simulated: from the first start to the last day, around the anchor."""

    first: date
    last: date
    anchor: date
    seed: int
    interval_minutes: int


@dataclass(frozen=True)
class SimulatedQueueManager:
    """A simulated queue manager from its first day; arrays run over the intervals of ``grid``."""

    spec: QueueManagerSpec
    sysplex: str
    grid: Grid
    log_ci: Int64s
    """Log control intervals of 4096 bytes filled."""
    rba_end: Int64s
    """Log RBA (bytes) at the end of the interval."""
    channels: Int64s
    used_31bit_mib: Int64s
    """Storage of the channel initiator at the end of each interval, in whole MiB."""
    used_64bit_mib: Int64s
    sequence: Int64s
    """Number of the interval since the last start, from 1."""
    pool_used_pct: NDArray[np.float64]
    """A row per buffer pool."""
    page_set_used_pct: NDArray[np.float64]
    """A row per page set."""
    anchor: date
    shared_requests: Mapping[str, Int64s] = field(default_factory=dict)
    """Requests to each structure of its queue sharing group, by the name that MQ has for it."""
    upgraded_at: int = 0
    """Index of the first interval at the present version."""
    shortages: tuple[Shortage, ...] = ()
    """Times without active log space."""
    lost_us: tuple[tuple[int, int], ...] = ()
    """Start and end of times of which no record arrives."""

    @property
    def log_bytes(self) -> Int64s:
        """Bytes by which the log grew."""
        return self.log_ci * PAGE_BYTES

    def level_at(self, place: int) -> str:
        """The level of MQ in an interval."""
        upgrade = self.spec.upgrade
        return upgrade.from_level if upgrade and place < self.upgraded_at else self.spec.mq_level

    @property
    def rba_start(self) -> Int64s:
        """Log RBA at the start of the interval."""
        return self.rba_end - self.log_bytes


def simulated_period(spec: EstateSpec, first: date, last: date) -> SimulatedPeriod:
    """The days that must be simulated in order to write those from ``first`` to ``last``."""
    anchor = spec.anchor_date or last
    begin = min(first, anchor - timedelta(days=spec.history_days - 1))
    return SimulatedPeriod(begin, last, anchor, spec.seed, spec.interval_minutes)


def first_day(span: SimulatedPeriod, first_day_offset: int | None) -> date:
    """The day on which a subject begins to exist."""
    if first_day_offset is None:
        return span.first
    return max(span.first, span.anchor + timedelta(days=first_day_offset))


def simulate_queue_manager(
    plex: SysplexSpec, spec: QueueManagerSpec, span: SimulatedPeriod
) -> SimulatedQueueManager | None:
    """Return the simulated queue manager, or ``None`` when it starts after the last day."""
    begin = first_day(span, spec.first_day_offset)
    if begin > span.last:
        return None
    clock = EstateClock(plex.timezone)
    gaps = outages_us(spec, clock, begin, span)
    grid = grid_of(clock, begin, span.last, span.interval_minutes, gaps)

    def driven(load: Load, quantity: str) -> Float64s:
        name = f"{plex.name}/{spec.name}/{quantity}"
        return values(load, grid, span.anchor, plex.holidays, (span.seed, name))

    log_ci = np.rint(driven(spec.log_mib_per_s, "log") * grid.seconds * _CI_PER_MIB)
    growth = log_ci.astype(np.int64)
    channels = np.rint(driven(spec.channels, "channels")).astype(np.int64)
    chinit = spec.chinit
    channels = np.minimum(channels, chinit.max_channels)
    is_start = _is_start(grid)
    rba_end = first_rba(plex.name, spec) + np.cumsum(growth * PAGE_BYTES)
    failures = _planted_us(spec.archiving_failures, clock, span)
    return SimulatedQueueManager(
        spec=spec,
        sysplex=plex.name,
        grid=grid,
        log_ci=growth,
        rba_end=rba_end,
        channels=channels,
        used_31bit_mib=_sawtooth(
            chinit.base_31bit_mib + chinit.kib_per_channel_31bit * channels / KIB_BYTES,
            is_start,
            chinit.scavenge_at_ratio,
            chinit.region_31bit_mib,
        ),
        used_64bit_mib=_sawtooth(
            chinit.base_64bit_mib + chinit.kib_per_channel_64bit * channels / KIB_BYTES,
            is_start,
            chinit.scavenge_at_ratio,
            chinit.limit_64bit_mib or np.inf,
        ),
        anchor=span.anchor,
        shared_requests=_shared_requests(plex, spec, grid, span),
        upgraded_at=_upgraded_at(spec, grid, span, is_start),
        sequence=_sequence(is_start),
        shortages=tuple(shortages_of_failures(failures, spec, grid, rba_end)),
        lost_us=tuple(_planted_us(spec.lost_records, clock, span)),
        pool_used_pct=_percentages(
            [driven(pool.used_pct, f"pool{pool.number}") for pool in spec.buffer_pools]
        ),
        page_set_used_pct=_percentages(
            [driven(item.used_pct, f"pageset{item.number}") for item in spec.page_sets]
        ),
    )


def first_rba(sysplex: str, spec: QueueManagerSpec) -> int:
    """The log RBA at the first start, on a boundary of a log data set."""
    size = _log_bytes(spec)
    return (1 + zlib.crc32(f"{sysplex}/{spec.name}".encode()) % 97) * size


def _log_bytes(spec: QueueManagerSpec) -> int:
    return round(spec.active_log_size_mib * MIB_BYTES)


def outages_us(
    spec: QueueManagerSpec, clock: EstateClock, begin: date, span: SimulatedPeriod
) -> list[tuple[int, int]]:
    """Start and end of each restart and outage, microseconds since 1970."""
    starts = (clock.instant_us(day, _RESTART_AT) for day in _restart_days(spec, begin, span.last))
    restarts = [(start, start + _RESTART_MINUTES * MINUTE_US) for start in starts]
    return sorted([*restarts, *_planted_us(spec.outages, clock, span)])


def _planted_us(
    planted: Iterable[Outage], clock: EstateClock, span: SimulatedPeriod
) -> Iterator[tuple[int, int]]:
    """Yield start and end of planted times, microseconds since 1970."""
    for outage in planted:
        hour, minute = (int(part) for part in outage.start_local.split(":"))
        day = span.anchor + timedelta(days=outage.day_offset)
        start = clock.instant_us(day, time(hour, minute))
        yield start, start + outage.minutes * MINUTE_US


def _restart_days(spec: QueueManagerSpec, begin: date, last: date) -> list[date]:
    """Sundays at the chosen distance, on a calendar that does not depend on the range."""
    if spec.restart_every_days is None:
        return []
    weeks = max(1, spec.restart_every_days // 7)
    phase = zlib.crc32(spec.name.encode()) % weeks
    days = (begin + timedelta(days=count) for count in range(1, (last - begin).days + 1))
    return [
        day
        for day in days
        if day.weekday() == _SUNDAY and (day_number(day) + 4) // 7 % weeks == phase
    ]


def _shared_requests(
    plex: SysplexSpec, spec: QueueManagerSpec, grid: Grid, span: SimulatedPeriod
) -> dict[str, Int64s]:
    """Return the queue manager's part of the requests of its system; members have equal parts."""
    if spec.qsg is None:
        return {}
    members = [qmgr for qmgr in plex.qmgrs if (qmgr.qsg, qmgr.system) == (spec.qsg, spec.system)]
    prefix = spec.qsg.ljust(GROUP_NAME_LENGTH, "@")
    found: dict[str, Int64s] = {}
    for facility in plex.cfs:
        key = (span.seed, f"{plex.name}/{facility.name}/busy")
        busy = values(facility.busy_pct, grid, span.anchor, plex.holidays, key)
        share = np.clip(busy / 100, 0.0, 1.0) / (facility.busy_pct.at_anchor / 100)
        parts = len(plex.systems) * len(members)
        begin = day_number(first_day(span, facility.first_day_offset))
        for item in facility.structures:
            if not item.name.startswith(prefix):
                continue
            ratio = changed(item.change, grid.local_day, span.anchor) * (grid.local_day >= begin)
            rate = item.requests_per_s * ratio * share / parts
            found[item.name.removeprefix(prefix)] = np.rint(rate * grid.seconds).astype(np.int64)
    return found


def _upgraded_at(
    spec: QueueManagerSpec, grid: Grid, span: SimulatedPeriod, is_start: NDArray[np.bool_]
) -> int:
    """The first interval after the start that brings the level of today; their number: never."""
    if spec.upgrade is None:
        return 0
    day = day_number(span.anchor + timedelta(days=spec.upgrade.day_offset))
    starts = np.flatnonzero(is_start & (grid.local_day >= day))
    return int(starts[0]) if len(starts) else len(is_start)


def _is_start(grid: Grid) -> NDArray[np.bool_]:
    """Intervals that follow a gap, and the first one."""
    starts, ends = grid.intervals.start_us, grid.intervals.end_us
    return np.concatenate([[True], starts[1:] != ends[:-1]])


def _sequence(is_start: NDArray[np.bool_]) -> Int64s:
    places = np.arange(len(is_start))
    result: Int64s = places - np.maximum.accumulate(np.where(is_start, places, 0)) + 1
    return result


def _sawtooth(
    needed_mib: Float64s, is_start: NDArray[np.bool_], scavenge_at_ratio: float, most_mib: float
) -> Int64s:
    """Storage in use: freed buffers stay counted until the scavenger runs or a restart."""
    used = np.empty(len(needed_mib))
    scavenge_at_mib = scavenge_at_ratio * most_mib
    held = 0.0
    for place, (need, fresh) in enumerate(zip(needed_mib.tolist(), is_start.tolist(), strict=True)):
        held = need if fresh or held >= scavenge_at_mib else max(held, need)
        used[place] = held
    return np.rint(np.minimum(used, most_mib)).astype(np.int64)


def _percentages(rows: Sequence[Float64s]) -> NDArray[np.float64]:
    return np.clip(np.stack(rows), 0.0, 100.0)
