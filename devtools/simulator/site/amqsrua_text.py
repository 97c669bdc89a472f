"""Text of amqsrua (qmmonitor2.c of the samples), a run for each class that a site asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from devtools.simulator.site.site_figures import FigureSlice, SiteFigures
from devtools.simulator.timeline import instant_utc
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.ingest.amqsrua.source import HEADER


def amqsrua_text(part: FigureSlice) -> str:
    """Return publications of log, file system, host and puts, each run begun by its header.

    Runs begin with the scrape before the slice: the first publication of each does not count.
    """
    wider = part.with_previous
    return "".join(f"{line}\n" for lines in _CLASSES for line in _run(wider, lines))


def _run(part: FigureSlice, lines_of: Callable[[SiteFigures, int], Iterator[str]]) -> Iterator[str]:
    figures = part.figures
    previous = -1
    for place in part.places:
        if previous < 0 or place != previous + 1:
            yield f"{HEADER} QMGR({figures.spec.name}) HOST({figures.spec.host})"
        previous = place
        put = instant_utc(int(figures.grid.intervals.end_us[place]))
        minutes = round(_seconds(figures, place) / 60)
        yield (
            f"Publication received PutDate:{put:%Y%m%d} PutTime:{put:%H%M%S}00 "
            f"Interval:{minutes} minutes,0.000 seconds"
        )
        yield from lines_of(figures, place)
        yield ""


def _seconds(figures: SiteFigures, place: int) -> float:
    return float(figures.grid.seconds[place])


def _log(figures: SiteFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    file_bytes = spec.file_pages * PAGE_BYTES
    primary_pct = float(figures.log_primary_pct[place])
    size = round(spec.log_fs_mib * MIB_BYTES)
    written = int(figures.log_bytes[place])
    yield f"Log - bytes in use {round(primary_pct / 100 * spec.primary_files * file_bytes)}"
    yield f"Log - bytes max {(spec.primary_files + spec.secondary_files) * file_bytes}"
    yield f"Log file system - bytes in use {round(float(figures.log_fs_pct[place]) / 100 * size)}"
    yield f"Log file system - bytes max {size}"
    yield f"Log - physical bytes written {written} {_rate(figures, place, written)}"
    yield f"Log - write latency {round(float(figures.log_write_latency_us[place]))} uSec"
    yield f"Log - current primary space in use {primary_pct:.2f}% "


def _file_system(figures: SiteFigures, place: int) -> Iterator[str]:
    yield f"Queue Manager file system - free space {100 - figures.data_fs_pct[place]:.2f}% "


def _host(figures: SiteFigures, place: int) -> Iterator[str]:
    system_pct = figures.host_system_pct[place]
    yield f"User CPU time percentage {figures.host_cpu_pct[place] - system_pct:.2f}% "
    yield f"System CPU time percentage {system_pct:.2f}% "
    yield f"RAM free percentage {figures.host_ram_free_pct[place]:.2f}% "


def _puts(figures: SiteFigures, place: int) -> Iterator[str]:
    count = int(figures.puts[place])
    total = count * figures.spec.message_bytes
    yield f"Interval total MQPUT/MQPUT1 count {count} {_rate(figures, place, count)}"
    yield f"Interval total MQPUT/MQPUT1 byte count {total} {_rate(figures, place, total)}"


def _rate(figures: SiteFigures, place: int, amount: int) -> str:
    return f"{int(amount / _seconds(figures, place))}/sec"


_CLASSES: Final = (_log, _file_system, _host, _puts)
