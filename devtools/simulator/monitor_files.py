"""Files of the monitors that sample queue managers on z/OS.

Tables and fields are those of OMEGAMON for Messaging (known_fields.txt of the reader). What SMF
has too is the figure of its interval.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final, NamedTuple

from devtools.simulator.mq_statistics import Slice, available_buffers, fewest_buffers, used_pages
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.spec import MonitorKind
from devtools.simulator.timeline import MINUTE_US, Int64s, Period
from mqcap.domain.units import MIB_BYTES, US_PER_S

FOLDER: Final = "monitors"


def write_samples(
    qmgr: SimulatedQueueManager, periods: Iterable[Period], out_dir: Path
) -> Iterator[Path]:
    """Write a file per period into ``monitors/``; nothing for one that nobody samples."""
    kind = qmgr.spec.sampled_by
    if kind is None:
        return
    for period in periods:
        low, high = qmgr.grid.places(period.first, period.last)
        if high <= low:
            continue
        part = Slice(qmgr, low, high)
        is_lines = kind is MonitorKind.omegamon
        suffix = "jsonl" if is_lines else "json"
        path = out_dir / FOLDER / f"{qmgr.sysplex}.{qmgr.spec.name}.{period.name}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data_provider_lines(part).encode() if is_lines else zos_answer(part))
        yield path


class _Series(NamedTuple):
    """Name without its prefix, own labels, a value for each interval."""

    name: str
    labels: dict[str, str]
    values: Int64s


def zos_answer(part: Slice) -> bytes:
    """Return the answer with pools and page sets (DISPLAY USAGE), as compact JSON."""
    spec = part.qmgr.spec
    common = {"qmgr": spec.name, "platform": "ZOS", "description": "-", "job": "mq_prometheus"}
    times = [(moment.at_us // US_PER_S, moment.place) for moment in moments(part)]
    result = [
        {
            "metric": {"__name__": f"ibmmq_{series.name}"} | series.labels | common,
            "values": [[seconds, str(int(series.values[place]))] for seconds, place in times],
        }
        for series in _series(part)
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(answer, separators=(",", ":")).encode()


def _series(part: Slice) -> Iterator[_Series]:
    qmgr = part.qmgr
    available, used = available_buffers(qmgr), used_pages(qmgr)
    for row, pool in enumerate(qmgr.spec.buffer_pools):
        labels = {"bufferpool": str(pool.number), "location": "BELOW", "pageclass": "4KB"}
        total = available[row] * 0 + pool.buffers
        yield _Series("bufferpool_buffers_total", labels, total)
        yield _Series("bufferpool_buffers_free", labels, available[row])
    for row, item in enumerate(qmgr.spec.page_sets):
        labels = {"pageset": str(item.number), "bufferpool": str(item.buffer_pool)}
        total = used[row] * 0 + item.pages
        yield _Series("pageset_pages_total", labels, total)
        yield _Series("pageset_pages_unused", labels, item.pages - used[row])


STEP_MINUTES: Final = 15


class Moment(NamedTuple):
    """A time, and the interval whose figures hold at it."""

    at_us: int
    offset_minutes: int
    place: int


def moments(part: Slice) -> Iterator[Moment]:
    """Yield the regular times of a slice; there are none while the queue manager is down."""
    step_us = STEP_MINUTES * MINUTE_US
    intervals = part.intervals
    each = zip(
        intervals.start_us.tolist(),
        intervals.end_us.tolist(),
        intervals.offset_minutes.tolist(),
        strict=True,
    )
    for place, (start_us, end_us, offset_minutes) in enumerate(each, start=part.low):
        first_us = start_us // step_us * step_us + step_us
        for at_us in range(first_us, end_us + 1, step_us):
            yield Moment(at_us, offset_minutes, place)


OTHER_CONNECTIONS: Final = 12
"""Connections beside those of channels; made up."""


def data_provider_lines(part: Slice) -> str:
    """Return a line per table, object and moment of a slice, in order of time."""
    qmgr = part.qmgr
    figures = available_buffers(qmgr), fewest_buffers(qmgr), used_pages(qmgr)
    common = {
        "product_code": "kmq",
        "interval_seconds": STEP_MINUTES * 60,
        "system_name": qmgr.spec.system,
        "smf_id": qmgr.spec.system,
        "sysplex_name": qmgr.sysplex,
        "mq_manager_name": qmgr.spec.name,
    }
    rows = (
        {"write_time": _stamp(moment), **common, "table_name": table, **fields}
        for moment in moments(part)
        for table, fields in _tables(qmgr, moment, *figures)
    )
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def _tables(
    qmgr: SimulatedQueueManager,
    moment: Moment,
    all_available: Int64s,
    all_fewest: Int64s,
    all_used: Int64s,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the table and the own fields of each line of a moment."""
    spec, place = qmgr.spec, moment.place
    columns = (figures[:, place].tolist() for figures in (all_available, all_fewest, all_used))
    available, fewest, used = columns
    for row, pool in enumerate(spec.buffer_pools):
        yield (
            "qmlhbm",
            {
                "buffer_pool_id": pool.number,
                "number_of_buffers": pool.buffers,
                "available_buffers": available[row],
                "lowest_available_buffers": fewest[row],
                "percent_available_buffers": _whole_pct(available[row], pool.buffers),
            },
        )
    for row, item in enumerate(spec.page_sets):
        used_pct = _whole_pct(used[row], item.pages)
        yield "qmps_lh", {"page_set_id": item.number, "percent_pages_in_use": used_pct}
    yield "qmlhlm", {"current_active_log_percent_full": _log_full_pct(qmgr, moment)}
    channels, most = int(qmgr.channels[place]), spec.chinit.max_channels
    yield (
        "qmcurstat",
        {
            "maximum_channels": most,
            "current_channel_connections": channels,
            "percent_maximum_channels": _whole_pct(channels, most),
            "connection_count": channels + OTHER_CONNECTIONS,
        },
    )


def _log_full_pct(qmgr: SimulatedQueueManager, moment: Moment) -> int:
    """Return the use of the current log; within an interval it grows evenly."""
    size = round(qmgr.spec.active_log_size_mib * MIB_BYTES)
    of_place = (qmgr.grid.intervals.start_us, qmgr.grid.intervals.end_us,
                qmgr.rba_start, qmgr.rba_end)  # fmt: skip
    start_us, end_us, begin, end = (int(figures[moment.place]) for figures in of_place)
    written = (end - begin) * (moment.at_us - start_us) // (end_us - start_us)
    return 100 * ((begin + written) % size) // size


def _whole_pct(part: int, whole: int) -> int:
    return round(100 * part / whole)


def _stamp(moment: Moment) -> str:
    """Return local time with nine digits of the second and the offset from UTC."""
    utc = datetime.fromtimestamp(moment.at_us / 1e6, tz=UTC)
    local = utc.astimezone(timezone(timedelta(minutes=moment.offset_minutes)))
    stamp = local.strftime("%Y-%m-%dT%H:%M:%S.000000000%z")
    return f"{stamp[:-2]}:{stamp[-2:]}"
