"""A simulated queue manager: log bytes, channels, storage, pools, page sets per interval.

Log bytes belong to the senders but for a small part of the queue manager's own. The messages of a
sender follow from its log bytes by the formula of MP16 (LOG-BYTES-ESTIMATE), so that both agree.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import (
    MQ_RECORD_KINDS,
    Group,
    QueueManagerIdentity,
    group_of,
    mq_records,
)
from devtools.simulator.events import Outage, changed
from devtools.simulator.spec import ChannelGroup, EstateSpec, QueueManagerSpec, Sender, SysplexSpec
from devtools.simulator.timeline import (
    MINUTE_US,
    Float64s,
    Grid,
    Int64s,
    Simulated,
    SimulatedPeriod,
    day_number,
    grid_of,
    instant,
)
from devtools.simulator.workload import Driver, rounded
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, PAGE_BYTES
from mqcap.ingest.smf.layout import layouts, level_length
from sizing.rulebook.registry import get

OWN_LOG_RATIO: Final = 0.02
"""Log bytes of the queue manager itself: checkpoints and the like."""
INSTANCES_PER_RECORD: Final = 10
"""Channel instances come in groups of so many, one record each."""
_STEP_PCT: Final = 5
"""CSQJ110E comes at 5 % of the last data set and after each further 5 %."""
_CI_PER_MIB: Final = MIB_BYTES // PAGE_BYTES
_RESTART_AT: Final = time(3, 10)
_RESTART_MINUTES: Final = 7
_SUNDAY: Final = 6
_HOURS_PER_DAY: Final = 24


class Shortage(NamedTuple):
    """A time without active log space; instants are microseconds since 1970."""

    failed_us: int
    """Archiving has failed since."""
    near: tuple[tuple[int, int], ...]
    """When the last log was so full, percent."""
    start_us: int
    end_us: int


@dataclass(frozen=True)
class SimulatedQueueManager(Simulated):
    """A simulated queue manager."""

    spec: QueueManagerSpec
    sysplex: str
    anchor: date
    log_ci: Int64s
    """Log control intervals of 4096 bytes filled."""
    rba_end: Int64s
    """Log RBA (bytes) at the end of the interval."""
    sender_log_bytes: Int64s
    """Log bytes, a row per sender."""
    channels: Int64s
    instances: Int64s
    """Instances of each group of channels, a row per group; multiples of ten.

    In all intervals of a record of accounting they are the mean of these."""
    accounting_period: Int64s
    """Number of the record of accounting that the interval is in."""
    used_31bit_mib: Int64s
    """Storage of the channel initiator at the end of each interval, in whole MiB."""
    used_64bit_mib: Int64s
    sequence: Int64s
    """Number of the interval since the last start, from 1."""
    is_upgraded: NDArray[np.bool_]
    """Whether it has the present version."""
    is_recorded: NDArray[np.bool_]
    """False for the intervals that a lost time touches: no record of them arrives."""
    lowest_buffers: Int64s
    """Fewest available buffers, a row per buffer pool."""
    available_buffers: Int64s
    """Available buffers at the end of the interval, a row per buffer pool."""
    used_pages: Int64s
    """Pages in use at the end of the interval, a row per page set."""
    shared_requests: Mapping[str, Int64s]
    """Requests to each structure of its queue sharing group, by the name that MQ has for it."""
    shortages: tuple[Shortage, ...]
    """Times without active log space."""

    @property
    def log_bytes(self) -> Int64s:
        """Bytes by which the log grew."""
        return self.log_ci * PAGE_BYTES

    @property
    def rba_start(self) -> Int64s:
        """Log RBA at the start of the interval."""
        return self.rba_end - self.log_bytes

    @property
    def sender_messages(self) -> Int64s:
        """Messages, a row per sender."""
        rule = get("LOG-BYTES-ESTIMATE")
        per_message = [
            int(rule.answer({"message_bytes": sender.message_bytes})["log_bytes"])
            for sender in self.spec.senders
        ]
        return self.sender_log_bytes // np.array(per_message, dtype=np.int64)[:, np.newaxis]

    @property
    def identity(self) -> QueueManagerIdentity:
        """Names and level of records, which are written of one level at a time."""
        spec = self.spec
        return QueueManagerIdentity(spec.system, spec.name, self.level_at(0), spec.qsg)

    def level_at(self, place: int) -> str:
        """The level of MQ in an interval."""
        upgrade = self.spec.upgrade
        return upgrade.from_level if upgrade and not self.is_upgraded[place] else self.spec.mq_level

    def group(self, structure: str, columns: Mapping[str, Any], count: int = 1) -> Group:
        """Sections at the length of this queue manager's level."""
        layout = layouts()[structure]
        return group_of(layout, columns, level_length(layout, self.level_at(0)), len(self), count)

    def records(self, record_type: int, subtype: int, groups: Mapping[int, Group]) -> Bytes2D:
        """The finished records."""
        kind = MQ_RECORD_KINDS[record_type, subtype]
        return mq_records(kind, self.identity, self.intervals, groups, self.sequence)


def simulated_period(spec: EstateSpec, first: date, last: date) -> SimulatedPeriod:
    """The days that must be simulated in order to write those from ``first`` to ``last``."""
    anchor = spec.anchor_date or last
    begin = min(first, anchor - timedelta(days=spec.history_days - 1))
    return SimulatedPeriod(begin, last, anchor, spec.seed, spec.interval_minutes)


def simulate_queue_manager(
    plex: SysplexSpec, spec: QueueManagerSpec, span: SimulatedPeriod
) -> SimulatedQueueManager | None:
    """Return the simulated queue manager, or ``None`` when it starts after the last day."""
    begin = span.first_day(spec.first_day_offset)
    if begin > span.last:
        return None
    zone = plex.timezone
    starts = (instant(zone, day, _RESTART_AT) for day in _restart_days(spec, begin, span.last))
    restarts = [(start, start + _RESTART_MINUTES * MINUTE_US) for start in starts]
    gaps = sorted([*restarts, *_planted_us(spec.outages, zone, span)])
    grid = grid_of(zone, begin, span.last, span.interval_minutes, gaps)
    driver = Driver(f"{plex.name}/{spec.name}", grid, span, plex.holidays)
    log_ci = rounded(driver.values(spec.log_mib_per_s, "log") * grid.seconds * _CI_PER_MIB)
    chinit = spec.chinit
    channels = np.minimum(driver.counts(spec.channels, "channels"), chinit.max_channels)
    starts_us, ends_us = grid.intervals.start_us, grid.intervals.end_us
    is_start = np.concatenate([[True], starts_us[1:] != ends_us[:-1]])
    places = np.arange(len(grid))
    # the first start is on a boundary of a log data set
    first_rba = (1 + zlib.crc32(driver.owner.encode()) % 97) * spec.log_size_bytes
    rba_end = first_rba + np.cumsum(log_ci * PAGE_BYTES)
    is_upgraded = np.ones(len(grid), dtype=np.bool_)
    if spec.upgrade:  # from the first start on or after its day on
        is_later = grid.local_day >= day_number(span.day(spec.upgrade.day_offset))
        is_upgraded = np.logical_or.accumulate(is_start & is_later)
    failures = _planted_us(spec.archiving_failures, zone, span)
    is_recorded = np.ones(len(grid), dtype=np.bool_)
    for begin_us, end_us in _planted_us(spec.lost_records, zone, span):
        is_recorded &= (ends_us <= begin_us) | (starts_us >= end_us)
    buffers = _column([pool.buffers for pool in spec.buffer_pools])
    pools = [driver.values(pool.used_pct, f"pool{pool.number}") for pool in spec.buffer_pools]
    lowest = rounded(buffers * (100 - np.clip(np.stack(pools), 0.0, 100.0)) / 100)
    pages = _column([item.pages for item in spec.page_sets])
    sets = [driver.values(item.used_pct, f"pageset{item.number}") for item in spec.page_sets]
    periods = places
    if hours := spec.accounting_hours:
        periods = grid.local_day * -(-_HOURS_PER_DAY // hours) + grid.local_hour // hours

    def used_mib(base_mib: float, kib_per_channel: float, most_mib: float) -> Int64s:
        """Freed buffers stay counted until the scavenger runs or a restart."""
        used = base_mib + kib_per_channel * channels / KIB_BYTES
        held = 0.0
        for place, is_fresh in enumerate(is_start.tolist()):
            is_given_back = is_fresh or held >= chinit.scavenge_at_ratio * most_mib
            held = used[place] if is_given_back else max(held, used[place])
            used[place] = held
        return rounded(np.minimum(used, most_mib))

    return SimulatedQueueManager(
        grid=grid,
        spec=spec,
        sysplex=plex.name,
        anchor=span.anchor,
        log_ci=log_ci,
        rba_end=rba_end,
        sender_log_bytes=np.floor(
            log_ci * PAGE_BYTES * _parts(1 - OWN_LOG_RATIO, spec.senders, grid, span)
        ).astype(np.int64),
        channels=channels,
        instances=_instances(_parts(channels, spec.channel_groups, grid, span), periods),
        accounting_period=periods,
        used_31bit_mib=used_mib(
            chinit.base_31bit_mib, chinit.kib_per_channel_31bit, chinit.region_31bit_mib
        ),
        used_64bit_mib=used_mib(
            chinit.base_64bit_mib, chinit.kib_per_channel_64bit, chinit.limit_64bit_mib or np.inf
        ),
        sequence=places - np.maximum.accumulate(np.where(is_start, places, 0)) + 1,
        is_upgraded=is_upgraded,
        is_recorded=is_recorded,
        lowest_buffers=lowest,
        available_buffers=lowest + (buffers - lowest) // 3,
        used_pages=np.minimum(rounded(pages * np.clip(np.stack(sets), 0.0, 100.0) / 100), pages),
        shared_requests=_shared_requests(plex, spec, grid, span),
        shortages=tuple(_shortages(failures, spec, grid, rba_end)),
    )


def _parts(
    whole: float | Int64s, items: Sequence[Sender | ChannelGroup], grid: Grid, span: SimulatedPeriod
) -> Float64s:
    weights = np.empty((len(items), len(grid)))
    for place, item in enumerate(items):
        weights[place] = item.weight * changed(item.change, grid.local_day, span.anchor)
    parts: Float64s = whole * weights / weights.sum(axis=0)
    return parts


def _instances(wanted: Float64s, periods: Int64s) -> Int64s:
    """Return the mean of each period, a row per group."""
    _, places, counts = np.unique(periods, return_inverse=True, return_counts=True)
    for row in wanted:
        row[:] = (np.bincount(places, row) / counts)[places]
    return rounded(wanted / INSTANCES_PER_RECORD) * INSTANCES_PER_RECORD


def _shortages(
    failures: Iterable[tuple[int, int]], spec: QueueManagerSpec, grid: Grid, rba: Int64s
) -> Iterator[Shortage]:
    """Yield the shortage that follows from each failure of archiving, if the logs fill by then.

    ``failures`` are when archiving failed, and that with the time without space added to it;
    ``rba`` is the log RBA at the end of each interval, bytes. All logs but the current one are
    archived when the failure begins.
    """
    ends = grid.intervals.end_us
    size = spec.log_size_bytes
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


def _planted_us(
    planted: Iterable[Outage], zone: str, span: SimulatedPeriod
) -> Iterator[tuple[int, int]]:
    for outage in planted:
        start = instant(zone, span.day(outage.day_offset), outage.start_local)
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
    parts = len(plex.systems) * len(members)
    found: dict[str, Int64s] = {}
    for facility in plex.cfs:
        driver = Driver(f"{plex.name}/{facility.name}", grid, span, plex.holidays)
        busy = driver.values(facility.busy_pct, "busy")
        share = np.clip(busy / 100, 0.0, 1.0) / (facility.busy_pct.at_anchor / 100)
        begin = day_number(span.first_day(facility.first_day_offset))
        for item in facility.structures:
            if item.name.startswith(prefix):
                ratio = changed(item.change, grid.local_day, span.anchor)
                ratio *= grid.local_day >= begin
                rate = item.requests_per_s * ratio * share / parts
                found[item.name.removeprefix(prefix)] = rounded(rate * grid.seconds)
    return found


def _column(counts: list[int]) -> Int64s:
    return np.array(counts, dtype=np.int64)[:, np.newaxis]
