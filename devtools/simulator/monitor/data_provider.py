"""Lines of OMEGAMON Data Provider (``kmq``) about a queue manager.

Tables and fields are those of OMEGAMON for Messaging (known_fields.txt of the reader). What SMF
has too is the figure of its interval.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Final

from devtools.simulator.monitor.moments import STEP_MINUTES, Moment, moments
from devtools.simulator.monitor.occupancy import available_buffers, fewest_buffers, used_pages
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.timeline import Int64s
from mqcap.domain.units import MIB_BYTES

OTHER_CONNECTIONS: Final = 12
"""Connections beside those of channels; made up."""

Fields = dict[str, Any]


def data_provider_lines(part: Slice) -> str:
    """Return a line per table, object and moment of a slice, in order of time."""
    qmgr = part.qmgr
    tables = _Tables(part)
    common = {
        "product_code": "kmq",
        "interval_seconds": STEP_MINUTES * 60,
        "system_name": qmgr.spec.system,
        "smf_id": qmgr.spec.system,
        "sysplex_name": qmgr.sysplex,
        "mq_manager_name": qmgr.spec.name,
    }
    return "".join(
        json.dumps(
            {"write_time": _stamp(moment), **common, "table_name": table, **fields},
            separators=(",", ":"),
        )
        + "\n"
        for moment in moments(part)
        for table, fields in tables.at(moment)
    )


class _Tables:
    """The tables of a queue manager at any moment."""

    def __init__(self, part: Slice) -> None:
        self._qmgr = part.qmgr
        self._available = available_buffers(part.qmgr)
        self._fewest = fewest_buffers(part.qmgr)
        self._used_pages = used_pages(part.qmgr)

    def at(self, moment: Moment) -> Iterator[tuple[str, Fields]]:
        """Yield the name and the own fields of each line of a moment."""
        spec, place = self._qmgr.spec, moment.place
        for row, pool in enumerate(spec.buffer_pools):
            available = int(self._available[row, place])
            yield (
                "qmlhbm",
                {
                    "buffer_pool_id": pool.number,
                    "number_of_buffers": pool.buffers,
                    "available_buffers": available,
                    "lowest_available_buffers": int(self._fewest[row, place]),
                    "percent_available_buffers": _whole_pct(available, pool.buffers),
                },
            )
        for row, item in enumerate(spec.page_sets):
            used_pct = _whole_pct(int(self._used_pages[row, place]), item.pages)
            yield "qmps_lh", {"page_set_id": item.number, "percent_pages_in_use": used_pct}
        yield "qmlhlm", {"current_active_log_percent_full": self._log_full_pct(moment)}
        channels, most = int(self._qmgr.channels[place]), spec.chinit.max_channels
        yield (
            "qmcurstat",
            {
                "maximum_channels": most,
                "current_channel_connections": channels,
                "percent_maximum_channels": _whole_pct(channels, most),
                "connection_count": channels + OTHER_CONNECTIONS,
            },
        )

    def _log_full_pct(self, moment: Moment) -> int:
        """Return the use of the current log; within an interval it grows evenly."""
        size = round(self._qmgr.spec.active_log_size_mib * MIB_BYTES)
        intervals, place = self._qmgr.grid.intervals, moment.place
        start_us, end_us = _at(intervals.start_us, place), _at(intervals.end_us, place)
        begin, end = _at(self._qmgr.rba_start, place), _at(self._qmgr.rba_end, place)
        written = (end - begin) * (moment.at_us - start_us) // (end_us - start_us)
        return 100 * ((begin + written) % size) // size


def _at(values: Int64s, place: int) -> int:
    return int(values[place])


def _whole_pct(part: int, whole: int) -> int:
    return round(100 * part / whole)


def _stamp(moment: Moment) -> str:
    """Return local time with nine digits of the second and the offset from UTC."""
    utc = datetime.fromtimestamp(moment.at_us / 1e6, tz=UTC)
    local = utc.astimezone(timezone(timedelta(minutes=moment.offset_minutes)))
    stamp = local.strftime("%Y-%m-%dT%H:%M:%S.000000000%z")
    return f"{stamp[:-2]}:{stamp[-2:]}"
