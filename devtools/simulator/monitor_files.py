"""Files of the monitors that sample queue managers on z/OS.

Tables and fields are those of OMEGAMON for Messaging (known_fields.txt of the reader). What SMF
has too is the figure of its interval.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any, Final, NamedTuple

from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.site.published import Sampled, prometheus_answer
from devtools.simulator.spec import MonitorKind
from devtools.simulator.timeline import MINUTE_US, Period, instant_utc
from mqcap.domain.units import US_PER_S

FOLDER: Final = "monitors"
STEP_MINUTES: Final = 15
OTHER_CONNECTIONS: Final = 12
"""Connections beside those of channels; made up."""


def write_samples(
    qmgr: SimulatedQueueManager, periods: Iterable[Period], out_dir: Path
) -> Iterator[Path]:
    """Write a file per period into ``monitors/``; nothing for one that nobody samples."""
    kind = qmgr.spec.sampled_by
    for period in periods if kind else ():
        if part := qmgr.of_days(period.first, period.last):
            is_lines = kind is MonitorKind.omegamon
            suffix = "jsonl" if is_lines else "json"
            path = out_dir / FOLDER / f"{qmgr.sysplex}.{qmgr.spec.name}.{period.name}.{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_data_provider_lines(part) if is_lines else _zos_answer(part))
            yield path


class Moment(NamedTuple):
    """A time, and the interval whose figures hold at it."""

    at_us: int
    place: int


def _moments(qmgr: SimulatedQueueManager) -> Iterator[Moment]:
    step_us = STEP_MINUTES * MINUTE_US
    ends = (qmgr.intervals.start_us.tolist(), qmgr.intervals.end_us.tolist())
    for place, (start_us, end_us) in enumerate(zip(*ends, strict=True)):
        first_us = start_us // step_us * step_us + step_us
        yield from (Moment(at_us, place) for at_us in range(first_us, end_us + 1, step_us))


def _zos_answer(qmgr: SimulatedQueueManager) -> bytes:
    """Return the answer of Prometheus with pools and page sets (DISPLAY USAGE)."""
    spec, moments = qmgr.spec, list(_moments(qmgr))
    common = {"qmgr": spec.name, "platform": "ZOS", "description": "-", "job": "mq_prometheus"}

    def sampled(name: str, labels: dict[str, str], values: list[int]) -> Sampled:
        samples = [(moment.at_us // US_PER_S, f"{values[moment.place]}") for moment in moments]
        return {"__name__": f"ibmmq_{name}"} | labels | common, samples

    def series() -> Iterator[Sampled]:
        for pool, free in zip(spec.buffer_pools, qmgr.available_buffers, strict=True):
            labels = {"bufferpool": f"{pool.number}", "location": "BELOW", "pageclass": "4KB"}
            yield sampled("bufferpool_buffers_total", labels, [pool.buffers] * len(qmgr))
            yield sampled("bufferpool_buffers_free", labels, free.tolist())
        for item, used in zip(spec.page_sets, qmgr.used_pages, strict=True):
            labels = {"pageset": f"{item.number}", "bufferpool": f"{item.buffer_pool}"}
            yield sampled("pageset_pages_total", labels, [item.pages] * len(qmgr))
            yield sampled("pageset_pages_unused", labels, (item.pages - used).tolist())

    return prometheus_answer(series())


def _data_provider_lines(qmgr: SimulatedQueueManager) -> bytes:
    """Return a line per table, object and moment, in order of time."""
    common = {
        "product_code": "kmq",
        "interval_seconds": STEP_MINUTES * 60,
        "system_name": qmgr.spec.system,
        "smf_id": qmgr.spec.system,
        "sysplex_name": qmgr.sysplex,
        "mq_manager_name": qmgr.spec.name,
    }
    rows = (
        {"write_time": _stamp(qmgr, moment), **common, "table_name": table, **fields}
        for moment in _moments(qmgr)
        for table, fields in _tables(qmgr, moment)
    )
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows).encode()


def _tables(qmgr: SimulatedQueueManager, moment: Moment) -> Iterator[tuple[str, dict[str, Any]]]:
    spec, place = qmgr.spec, moment.place
    pools = (qmgr.available_buffers[:, place].tolist(), qmgr.lowest_buffers[:, place].tolist())
    for pool, available, lowest in zip(spec.buffer_pools, *pools, strict=True):
        yield (
            "qmlhbm",
            {
                "buffer_pool_id": pool.number,
                "number_of_buffers": pool.buffers,
                "available_buffers": available,
                "lowest_available_buffers": lowest,
                "percent_available_buffers": round(100 * available / pool.buffers),
            },
        )
    for item, used in zip(spec.page_sets, qmgr.used_pages[:, place].tolist(), strict=True):
        used_pct = round(100 * used / item.pages)
        yield "qmps_lh", {"page_set_id": item.number, "percent_pages_in_use": used_pct}
    yield "qmlhlm", {"current_active_log_percent_full": _log_full_pct(qmgr, moment)}
    channels, most = int(qmgr.channels[place]), spec.chinit.max_channels
    yield (
        "qmcurstat",
        {
            "maximum_channels": most,
            "current_channel_connections": channels,
            "percent_maximum_channels": round(100 * channels / most),
            "connection_count": channels + OTHER_CONNECTIONS,
        },
    )


def _log_full_pct(qmgr: SimulatedQueueManager, moment: Moment) -> int:
    """Return the use of the current log; within an interval it grows evenly."""
    size = qmgr.spec.log_size_bytes
    of_place = (qmgr.intervals.start_us, qmgr.intervals.end_us, qmgr.rba_start, qmgr.rba_end)
    start_us, end_us, begin, end = (int(figures[moment.place]) for figures in of_place)
    written = (end - begin) * (moment.at_us - start_us) // (end_us - start_us)
    return 100 * ((begin + written) % size) // size


def _stamp(qmgr: SimulatedQueueManager, moment: Moment) -> str:
    """Return local time with nine digits of the second and the offset from UTC."""
    offset = timedelta(minutes=int(qmgr.intervals.offset_minutes[moment.place]))
    local = instant_utc(moment.at_us).astimezone(timezone(offset)).isoformat()
    return f"{local[:19]}.000000000{local[19:]}"
