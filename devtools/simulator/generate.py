"""A simulated estate on disk: all inputs, settings and the truth about them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Final

import numpy as np

from devtools.simulator.console import LogLine, console_lines, console_text
from devtools.simulator.coupling_facility import (
    SimulatedCouplingFacility,
    facility_records,
    simulate_coupling_facility,
)
from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.framing import WrittenFraming, write_dump
from devtools.simulator.encode.mq_records import Intervals, dump_marker, group_of
from devtools.simulator.encode.rmf_product import RmfSystem, rmf_records
from devtools.simulator.monitor_files import write_samples
from devtools.simulator.mq_statistics import (
    PAGE_SET_LEVEL,
    buffer_pool_records,
    channel_records,
    chinit_records,
    log_records,
    message_records,
    page_set_records,
)
from devtools.simulator.queue_manager import (
    SimulatedQueueManager,
    simulate_queue_manager,
    simulated_period,
)
from devtools.simulator.settings_file import write_settings
from devtools.simulator.site.site_files import write_sites
from devtools.simulator.spec import EstateSpec, SysplexSpec, SystemSpec, load_spec, sample_spec
from devtools.simulator.timeline import DAY_US, Period, day_number
from devtools.simulator.traffic import last_days, traffic_records
from devtools.simulator.truth import Truth, truth_of
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.layout import layouts, level_key
from mqcap.progress.shown import tracked


@dataclass(frozen=True)
class SimulationResult:
    """Files written, and the truth about their content."""

    folder: Path
    dumps: tuple[Path, ...]
    console_logs: tuple[Path, ...]
    monitor_files: tuple[Path, ...]
    site_files: tuple[Path, ...]
    truth: Truth
    record_count: int

    @property
    def settings_file(self) -> Path:
        """The settings with the estate."""
        return self.folder / "platform.yaml"

    @property
    def truth_file(self) -> Path:
        """The truth as JSON."""
        return self.folder / "truth.json"

    @property
    def bytes_written(self) -> int:
        """Bytes of what is to be loaded."""
        files = (*self.dumps, *self.console_logs, *self.monitor_files, *self.site_files)
        return sum(path.stat().st_size for path in files)


@dataclass(frozen=True)
class SimulatedSysplex:
    """All subjects of one sysplex."""

    spec: SysplexSpec
    qmgrs: list[SimulatedQueueManager]
    cfs: list[SimulatedCouplingFacility]


def generate(
    spec: EstateSpec, out_dir: Path, *, first_date: date, last_date: date
) -> SimulationResult:
    """Write the estate's records of the local days from ``first_date`` to ``last_date``.

    ``dumps/`` gets a file per sysplex and month, the last days one per day; ``console/`` the
    same periods per system; ``monitors/`` what samples queue managers beside SMF, ``sites/``
    what sites send; ``platform.yaml`` the settings; ``truth.json`` what was planted. A day's
    records are the same whichever range is asked for, as long as the anchor is.
    Raises ConfigurationError when the range is empty.
    """
    if first_date > last_date:
        raise ConfigurationError(
            "nothing to simulate", found=f"{first_date} to {last_date}", expected="first <= last"
        )
    span = simulated_period(spec, first_date, last_date)
    periods = list(periods_of(first_date, last_date, spec.daily_dump_days))
    plexes = [
        SimulatedSysplex(
            plex,
            [qmgr for spec in plex.qmgrs if (qmgr := simulate_queue_manager(plex, spec, span))],
            [cf for spec in plex.cfs if (cf := simulate_coupling_facility(plex, spec, span))],
        )
        for plex in spec.sysplexes
    ]
    qmgrs = [qmgr for plex in plexes for qmgr in plex.qmgrs]
    dumps: list[Path] = []
    logs: list[Path] = []
    records = 0
    written = [(plex, period) for plex in plexes for period in periods]
    for plex, period in tracked(written, "write dumps and logs", "files"):
        path, count = _write_dump(spec, plex, period, out_dir)
        dumps.append(path)
        records += count
        logs.extend(_write_logs(spec, plex, period, out_dir))
    days = [period for period in periods if period.is_daily]
    result = SimulationResult(
        folder=out_dir,
        dumps=tuple(dumps),
        console_logs=tuple(logs),
        monitor_files=tuple(file for qmgr in qmgrs for file in write_samples(qmgr, days, out_dir)),
        site_files=tuple(write_sites(spec.sites, span, periods, out_dir)),
        truth=truth_of(
            spec,
            span,
            [qmgr.of_days(first_date, last_date) for qmgr in qmgrs],
            [cf.of_days(first_date, last_date) for plex in plexes for cf in plex.cfs],
            first_date,
            last_date,
        ),
        record_count=records,
    )
    write_settings(spec, result.settings_file)
    result.truth_file.write_text(result.truth.model_dump_json(indent=1), encoding="utf-8")
    return result


def periods_of(first: date, last: date, daily_days: int) -> Iterator[Period]:
    """Months up to the daily dumps, then days."""
    daily_from = max(first, last - timedelta(days=daily_days - 1))
    day = first
    while day < daily_from:
        next_month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        end = min(next_month, daily_from) - timedelta(days=1)
        yield Period(f"{day:%Y-%m}", day, end, is_daily=False)
        day = end + timedelta(days=1)
    while day <= last:
        yield Period(f"{day:%Y-%m-%d}", day, day, is_daily=True)
        day += timedelta(days=1)


def _write_dump(
    spec: EstateSpec, plex: SimulatedSysplex, period: Period, out_dir: Path
) -> tuple[Path, int]:
    rows = [
        row
        for intervals, records in _batches(spec, plex, period)
        for row in zip(intervals.end_us.tolist(), records, strict=True)
    ]
    ordered = [record.tobytes() for _, record in sorted(rows, key=itemgetter(0))]
    smfid = plex.spec.systems[0].smfid
    local_us = (day_number(period.last) + 1) * DAY_US
    content = [dump_marker(2, local_us, smfid), *ordered, dump_marker(3, local_us, smfid)]
    path = out_dir / "dumps" / f"{plex.spec.name}.{period.name}.smf"
    framing = plex.spec.daily_framing if period.is_daily else WrittenFraming.rdw
    write_dump(path, content, framing)
    return path, len(content)


def _batches(
    spec: EstateSpec, plex: SimulatedSysplex, period: Period
) -> Iterator[tuple[Intervals, Bytes2D]]:
    for qmgr in plex.qmgrs:
        days = qmgr.of_days(period.first, period.last)
        for part in days.runs(2 * days.is_recorded + days.is_upgraded):
            if part.is_recorded[0]:
                yield from _of_queue_manager(spec, plex, part, period)
    for facility in plex.cfs:
        if of_days := facility.of_days(period.first, period.last):
            for system in plex.spec.systems:
                yield of_days.intervals, facility_records(of_days, system)


def _of_queue_manager(
    spec: EstateSpec, plex: SimulatedSysplex, qmgr: SimulatedQueueManager, period: Period
) -> Iterator[tuple[Intervals, Bytes2D]]:
    recent = last_days(qmgr, spec.sender_days)
    writers = [log_records, buffer_pool_records, chinit_records]
    if level_key(qmgr.level_at(0)) >= PAGE_SET_LEVEL:
        writers.insert(1, page_set_records)
    if period.is_daily:
        writers += (
            [message_records] if qmgr.spec.channel_groups else [message_records, channel_records]
        )
    yield from ((qmgr.intervals, write(qmgr)) for write in writers)
    if recent and not period.is_daily and (qmgr.spec.senders or qmgr.shared_requests):
        yield recent.intervals, message_records(recent)
    yield from traffic_records(qmgr, spec.sender_days)
    if recent and qmgr.spec.features.log_bypass_pct:
        yield recent.intervals, _cache_activity_records(recent, plex.spec.systems)


def _write_logs(
    spec: EstateSpec, plex: SimulatedSysplex, period: Period, out_dir: Path
) -> Iterator[Path]:
    last_day = max((qmgr.grid.local_day[-1] for qmgr in plex.qmgrs), default=0)
    switches_from_us = int((last_day - spec.log_switch_days) * DAY_US)
    for system in plex.spec.systems:
        lines: list[LogLine] = []
        for qmgr in plex.qmgrs:
            part = qmgr.of_days(period.first, period.last)
            if part and qmgr.spec.system == system.smfid:
                lines.extend(console_lines(part, system.name, switches_from_us))
        if lines:
            path = out_dir / "console" / f"{plex.spec.name}.{system.smfid}.{period.name}.log"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(console_text(lines), encoding="ascii")
            yield path


OTHER_VOLUME: Final = "DATA01"
"""A volume of the same subsystem without logs, of whose I/Os many bypass the cache."""
_OTHER_BYPASS_RATIO: Final = 0.5
_WRITE_BYTES: Final = 16_384
_READS_PER_WRITE: Final = 0.25
_FIRST_DEVICE: Final = 0x1A00


def _cache_activity_records(qmgr: SimulatedQueueManager, systems: Iterable[SystemSpec]) -> Bytes2D:
    """Return a record per interval by the queue manager's system, with the volumes of its logs."""
    spec = qmgr.spec
    serials = [*(spec.configured.log_volumes or ()), OTHER_VOLUME]
    count = len(serials)
    bypassed = [spec.features.log_bypass_pct / 100] * (count - 1) + [_OTHER_BYPASS_RATIO]
    # one write to each volume at least
    writes = np.maximum(qmgr.log_bytes // _WRITE_BYTES, 1)
    reads = np.rint(writes * _READS_PER_WRITE)
    columns = {
        "r745dvol": serials,
        "r745dfl4": 0x80,
        "r745devn": [f"{_FIRST_DEVICE + place:04x}" for place in range(count)],
        "r745drcr": reads,
        "r745dcrh": reads,
        "r745dwrc": writes,
        "r745dwch": writes,
        "r745dfwb": np.rint(np.outer(writes + reads, bypassed)),
    }
    layout = layouts()["R745D"]
    devices = group_of(layout, columns, layout.length, len(qmgr), count)
    [name] = [system.name for system in systems if system.smfid == spec.system]
    system = RmfSystem(spec.system, name, qmgr.sysplex)
    return rmf_records(5, system, {"D": devices}, qmgr.intervals)


def write_sample(
    folder: Path, *, last_date: date, days: int, spec_file: Path | None = None
) -> SimulationResult:
    """Dumps, console logs, settings and truth of the ``days`` up to ``last_date``.

    Without ``spec_file`` it is the sample estate. Raises ConfigurationError for a spec that does
    not fit.
    """
    spec = sample_spec() if spec_file is None else load_spec(spec_file)
    first = last_date - timedelta(days=days - 1)
    return generate(spec, folder, first_date=first, last_date=last_date)
