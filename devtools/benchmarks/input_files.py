"""Inputs of distributed queue managers and of monitors, as their producers write them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from mqcap.ingest.amqsrua.source import HEADER
from mqcap.ingest.prometheus.names import MEANINGS, PREFIX

MINUTES_PER_YEAR: Final = 525_600
FIGURES: Final = 60
"""Series of a queue manager: its own, and those of some queues."""
SAMPLES: Final = 11_000
"""Samples of a series in one answer, at which Prometheus stops."""
_FIRST: Final = datetime(2026, 7, 9, tzinfo=UTC)
_POOLS: Final = 4
_PAGE_SETS: Final = 20


def prometheus_year(path: Path, bytes_max: int | None, *, has_all_digits: bool = False) -> None:
    """Write a year of a queue manager, a sample a minute, as one answer up to a size.

    A series is written whole; those that do not fit are left out. Without a size all are written.
    With all digits times have milliseconds and values those of a quotient, as where a query begins
    at any instant and divides: the year is then about 1.2 GB, else 0.7 GB.
    """
    begins_at, decimals = (".781", 15) if has_all_digits else ("", 2)
    draw = random.Random(7)  # noqa: S311 - figures of a benchmark
    begin = round(_FIRST.timestamp()) - 60 * MINUTES_PER_YEAR
    with path.open("w", encoding="ascii") as file:
        file.write('{"status":"success","data":{"resultType":"matrix","result":[')
        comma = ""
        for first in range(0, MINUTES_PER_YEAR, SAMPLES):
            for labels in _labels():
                if bytes_max is not None and file.tell() >= bytes_max:
                    break
                last = min(first + SAMPLES, MINUTES_PER_YEAR)
                values = ",".join(
                    f'[{begin + 60 * place}{begins_at},"{draw.uniform(0, 100):.{decimals}f}"]'
                    for place in range(first, last)
                )
                metric = json.dumps(labels, separators=(",", ":"))
                file.write(f'{comma}{{"metric":{metric},"values":[{values}]}}')
                comma = ","
        file.write("]}}")


def amqsrua_day(path: Path, publications: int = 8_641) -> None:
    """Write a day of the log and of the processors of a queue manager, every ten seconds."""
    with path.open("w", encoding="ascii") as file:
        for number in range(publications):
            put = _FIRST + timedelta(seconds=10 * number)
            if not number:
                file.write(f"{HEADER} QMGR(QM1) HOST(mq1)\n")
            for lines in _publications(number):
                file.write(
                    f"Publication received PutDate:{put:%Y%m%d} PutTime:{put:%H%M%S}00 "
                    "Interval:10.000 seconds\n"
                )
                file.writelines(f"{line}\n" for line in lines)


def data_provider_lines(path: Path, minutes: int) -> None:
    """Write lines of OMEGAMON Data Provider about a queue manager, every minute."""
    with path.open("w", encoding="ascii") as file:
        for minute in range(minutes):
            written = _FIRST + timedelta(minutes=minute)
            for table, fields in _tables(minute):
                row = {
                    "write_time": f"{written:%Y-%m-%dT%H:%M:%S}.000000000+00:00",
                    "product_code": "kmq",
                    "table_name": table,
                    "interval_seconds": 60,
                    "system_name": "SYS1",
                    "smf_id": "SYS1",
                    "sysplex_name": "PLEX1",
                    "mq_manager_name": "CSQ1",
                    **fields,
                }
                file.write(json.dumps(row, separators=(",", ":")) + "\n")


def _labels() -> Iterator[dict[str, str]]:
    names = sorted(name for name, meaning in MEANINGS.items() if not meaning.object_labels)
    common = {"qmgr": "QM1", "platform": "UNIX", "hostname": "mq1", "job": "mq_prometheus"}
    for name in names:
        yield {"__name__": PREFIX + name, **common}
    for number in range(FIGURES - len(names)):
        yield {"__name__": f"{PREFIX}queue_depth", "queue": f"APP.Q{number}", **common}


def _publications(number: int) -> Iterator[tuple[str, ...]]:
    yield (
        "Log - bytes in use 50331648",
        "Log - bytes max 83886080",
        f"Log file system - bytes in use {2_575_703_551 + number}",
        "Log file system - bytes max 8589934592",
        f"Log - physical bytes written {917_504 + number} 15291/sec",
        "Log - logical bytes written 816578 13609/sec",
        f"Log - write latency {222 + number % 50} uSec",
        "Log - write size 36809",
        f"Log - current primary space in use {14 + number % 80 / 10:.2f}% ",
        "Log - workload primary space utilization 12.78% ",
    )
    yield (
        f"User CPU time percentage {6 + number % 70 / 10:.2f}% ",
        "System CPU time percentage 1.92% ",
        "CPU load - one minute average 0.41",
        "CPU load - five minute average 0.38",
        "RAM free percentage 58.44% ",
        "RAM total bytes 32110MB ",
    )


def _tables(minute: int) -> Iterator[tuple[str, dict[str, int]]]:
    for number in range(_POOLS):
        buffers = {"number_of_buffers": 50_000, "available_buffers": 45_000 + minute % 5_000}
        yield "qmlhbm", {"buffer_pool_id": number, **buffers}
    for number in range(_PAGE_SETS):
        yield "qmps_lh", {"page_set_id": number, "percent_pages_in_use": minute % 90}
    yield "qmlhlm", {"current_active_log_percent_full": minute % 100}
    yield "qmcurstat", {"maximum_channels": 800, "current_channel_connections": minute % 800}
