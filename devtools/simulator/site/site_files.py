"""Files of the sites of an estate: what tells about queue managers and z/TPF systems.

Answers of Prometheus (``query_range``) about the queue managers of a site.

Names and labels are those of mq_prometheus and of the container image (exporter.go of
mq-metric-samples, mapping.go of mq-container); values are text, as the API has them.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.queue_manager import SimulatedPeriod
from devtools.simulator.site import manager_texts
from devtools.simulator.site.manager_inputs import SUFFIXES, TEXT_OF_INPUT
from devtools.simulator.site.site_figures import (
    FigureSlice,
    SiteFigures,
    SiteZtpfFigures,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.site.site_spec import Producer, SiteSpec
from devtools.simulator.timeline import Grid, Int64s, Period
from devtools.simulator.workload import Float64s
from mqcap.domain.units import MIB_BYTES, US_PER_S

FOLDER: Final = "sites"
_END_OF_TIME_US: Final = 2**62


def write_sites(
    sites: Iterable[SiteSpec],
    span: SimulatedPeriod,
    periods: Iterable[Period],
    out_dir: Path,
) -> list[Path]:
    """Write the files of all sites into ``sites/`` and return them.

    An answer of Prometheus per period, and displays and console of each z/TPF system; of each queue
    manager a qm.ini, its further inputs of each daily period, and error logs with what happened
    before the daily periods and on each of them.
    """
    parts = list(periods)
    return [file for site in sites for file in _write(site, span, parts, out_dir / FOLDER)]


def _write(
    site: SiteSpec, span: SimulatedPeriod, periods: list[Period], folder: Path
) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    qmgrs = site_figures(site, span)
    systems = ztpf_figures(site, span)
    days = [period for period in periods if period.is_daily]
    for figures in qmgrs:
        yield from _texts(figures, days, folder)
    for period in periods:
        scraped = [one for one in qmgrs if one.spec.is_scraped_to_the_end or not period.is_daily]
        if scraped:
            yield from _answer(scraped, period, folder)
        for figures in qmgrs if period.is_daily else ():
            yield from _inputs(figures, period, folder)
        for system in systems:
            yield from _of_ztpf(system, period, folder)


def _texts(figures: SiteFigures, days: list[Period], folder: Path) -> Iterator[Path]:
    stem = f"{figures.site.name}.{figures.spec.name}"
    yield _written(folder / f"{stem}.qm.ini", manager_texts.qm_ini(figures))
    begins_us = [_range_us(figures.grid, day) for day in days]
    first_us = min((begin_us for begin_us, _ in begins_us), default=_END_OF_TIME_US)
    logs = [(f"{stem}.AMQERR01.LOG", (0, first_us))]
    logs += [
        (f"{stem}.AMQERR01.{day.name}.LOG", ends_us)
        for day, ends_us in zip(days, begins_us, strict=True)
    ]
    for name, ends_us in logs:
        log = manager_texts.error_log(figures, *ends_us)
        if log:
            yield _written(folder / name, log)


def _inputs(figures: SiteFigures, period: Period, folder: Path) -> Iterator[Path]:
    low, high = figures.grid.places(period.first, period.last)
    part = FigureSlice(figures, low, high)
    if not part.places:
        return
    for kind in figures.spec.inputs:
        stem = f"{figures.site.name}.{figures.spec.name}.{kind.value}.{period.name}"
        yield _written(folder / f"{stem}.{SUFFIXES[kind]}", TEXT_OF_INPUT[kind](part))


def _answer(qmgrs: list[SiteFigures], period: Period, folder: Path) -> Iterator[Path]:
    low, high = qmgrs[0].grid.places(period.first, period.last)
    if high > low:
        path = folder / f"{qmgrs[0].site.name}.{period.name}.json"
        path.write_bytes(prometheus_answer(FigureSlice(one, low, high) for one in qmgrs))
        yield path


def _of_ztpf(figures: SiteZtpfFigures, period: Period, folder: Path) -> Iterator[Path]:
    stem = f"{figures.site.name}.{figures.spec.name}"
    low, high = figures.grid.places(period.first, period.last)
    if high <= low:
        return
    text = displays(figures, low, high)
    yield _written(folder / f"{stem}.zmqsc.{period.name}.txt", text)
    days = np.unique(figures.grid.local_day[low:high])
    begins = np.searchsorted(figures.grid.local_day, [*days, days[-1] + 1]).tolist()
    text = "".join(console(figures, *day) for day in pairwise(begins))
    yield _written(folder / f"{stem}.console.{period.name}.txt", text)


def _range_us(grid: Grid, period: Period) -> tuple[int, int]:
    low, high = grid.places(period.first, period.last)
    if high <= low:
        return _END_OF_TIME_US, _END_OF_TIME_US
    return int(grid.intervals.start_us[low]), int(grid.intervals.end_us[high - 1])


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="ascii")
    return path


def displays(figures: SiteZtpfFigures, low: int, high: int) -> str:
    """Return the captures ``low`` to ``high`` of ZMQSC DISPLAY QMGR, each with its stamp."""
    return "".join(f"{line}\n" for place in range(low, high) for line in _display(figures, place))


def console(figures: SiteZtpfFigures, low: int, high: int) -> str:
    """Return the console of the day that begins at capture ``low`` and ends before ``high``.

    The first line has the date; sweeps are spread evenly over the time in which they ended.
    """
    begin = _local(figures, int(figures.grid.intervals.start_us[low]))
    lines = [_stamp(figures, begin)]
    queues = figures.spec.queues
    number = 0
    for place in range(low, high):
        count = int(figures.sweeps[place])
        start_us = int(figures.grid.intervals.start_us[place])
        length_us = int(figures.grid.intervals.end_us[place]) - start_us
        for sweep in range(count):
            moment = _local(figures, start_us + length_us * (2 * sweep + 1) // (2 * count))
            queue = queues[number % len(queues)]
            lines.append(f"MQSC0801I {moment:%H.%M.%S} SWEEP FOR {queue} COMPLETED+")
            number += 1
    return "\n".join((*lines, ""))


def _display(figures: SiteZtpfFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    moment = _local(figures, int(figures.grid.intervals.end_us[place]))
    yield _stamp(figures, moment)
    yield f"MQSC0283I {moment:%H.%M.%S} QUEUE MANAGER DISPLAY"
    for line in (
        f"QMNAME - {spec.name}",
        f"Total MQM - {spec.mqm_blocks}",
        f"In Use MQM - {figures.in_use_blocks[place]}",
        f"HW In Use Count MQM - {figures.high_water_blocks[place]}",
        f"HW In Use Time MQM - {_high_water_time(figures, place):%Y-%m-%d %H:%M:%S}",
        f"MQMSWPL (%) - {spec.sweep_level_pct}",
        f"MQMSWPT (%) - {spec.sweep_target_pct}",
        "END OF DISPLAY+",
    ):
        yield f"          {line}"


def _high_water_time(figures: SiteZtpfFigures, place: int) -> datetime:
    """Return the time of the capture at which the high-water mark was first that high."""
    first = int(figures.high_water_blocks.searchsorted(figures.high_water_blocks[place]))
    return _local(figures, int(figures.grid.intervals.end_us[first]))


def _stamp(figures: SiteZtpfFigures, moment: datetime) -> str:
    return f"NOW({moment:%Y-%m-%dT%H:%M:%S%z}) SYSTEM({figures.spec.name})"


def _local(figures: SiteZtpfFigures, instant_us: int) -> datetime:
    return datetime.fromtimestamp(instant_us / 1e6, tz=ZoneInfo(figures.site.timezone))


PREFIX: Final = "ibmmq_"
_PORT: Final = 9157


class _Series(NamedTuple):
    """One series: its name without the prefix, further labels, a value for each scrape."""

    name: str
    values: Float64s | Int64s
    decimals: int = 0
    labels: tuple[tuple[str, str], ...] = ()


def prometheus_answer(parts: Iterable[FigureSlice]) -> bytes:
    """Return the answer with all series of these queue managers, as compact JSON."""
    series = [text for part in parts for text in _answer_texts(part)]
    body = ",".join(series)
    head = '{"status":"success","data":{"resultType":"matrix","result":['
    return f"{head}{body}]}}}}".encode()


def _answer_texts(part: FigureSlice) -> Iterator[str]:
    figures = part.figures
    seconds = figures.seconds[part.low : part.high]
    is_up = figures.is_up[part.low : part.high]
    made = _OF_PRODUCER[figures.spec.seen_by]
    for series in made(figures):
        values = series.values[part.low : part.high]
        labels = {"__name__": PREFIX + series.name} | dict(series.labels) | _labels(figures)
        samples = _samples(seconds[is_up], values[is_up], series.decimals)
        if samples:
            metric = json.dumps(labels, separators=(",", ":"))
            yield f'{{"metric":{metric},"values":[{samples}]}}'


def _samples(seconds: Int64s, values: NDArray[Any], decimals: int) -> str:
    rounded = np.round(values, decimals) if decimals else values
    return ",".join(
        f'[{second},"{value:.{decimals}f}"]' if decimals else f'[{second},"{value}"]'
        for second, value in zip(seconds.tolist(), rounded.tolist(), strict=True)
    )


def _labels(figures: SiteFigures) -> dict[str, str]:
    """Return the labels of the queue manager; of hyphens in names of hosts full stops are left."""
    spec = figures.spec
    job = {"job": spec.seen_by.value}
    if spec.seen_by is Producer.container:
        pod = f"{spec.name.lower().replace('_', '-')}-ibm-mq-0"
        instance = {"instance": f"{pod}:{_PORT}", "namespace": "mq", "pod": pod}
        return {"qmgr": spec.name, **job, **instance, "container": "qmgr"}
    host = {"hostname": spec.host.replace("-", ".")}
    common = {"qmgr": spec.name, "platform": "UNIX", "description": "-", **host}
    return {**common, **job, "instance": f"{spec.host}:{_PORT}"}


def _of_collector(figures: SiteFigures) -> Iterator[_Series]:
    """Yield what mq_prometheus publishes: amounts are those since the last scrape."""
    spec = figures.spec
    size = spec.log_fs_mib * MIB_BYTES
    used = np.rint(figures.log_fs_pct / 100 * size).astype(np.int64)
    yield _Series(
        "qmgr_log_current_primary_space_in_use_percentage", figures.log_primary_pct, decimals=2
    )
    yield _Series("qmgr_log_file_system_in_use_bytes", used)
    yield _Series("qmgr_log_file_system_max_bytes", np.full_like(used, round(size)))
    yield _Series("qmgr_connection_count", figures.connections)
    yield _Series("qmgr_log_physical_written_bytes", figures.log_bytes)
    yield _Series("qmgr_interval_mqput_mqput1_total_count", figures.puts)
    yield _Series("qmgr_interval_mqput_mqput1_total_bytes", figures.puts * spec.message_bytes)
    yield from _of_both(figures)
    user = figures.host_cpu_pct - figures.host_system_pct
    yield _Series("qmgr_user_cpu_time_percentage", user, decimals=2)
    yield _Series("qmgr_system_cpu_time_percentage", figures.host_system_pct, decimals=2)
    yield _Series("qmgr_ram_free_percentage", figures.host_ram_free_pct, decimals=2)
    for queue in spec.queues:
        labels = (("queue", queue.name), ("usage", "NORMAL"), ("cluster", "-"))
        depth = figures.depths[queue.name]
        yield _Series("queue_depth", depth, labels=labels)
        limit = np.full_like(depth, queue.max_depth)
        yield _Series("queue_attribute_max_depth", limit, labels=labels)
        puts = figures.queue_puts[queue.name]
        yield _Series("queue_mqput_mqput1_count", puts, labels=labels)
        yield _Series("queue_mqput_bytes", puts * spec.message_bytes, labels=labels)


def _of_container(figures: SiteFigures) -> Iterator[_Series]:
    """Yield what the container publishes: true counters, from zero at each start."""
    puts = _since_start(figures, figures.puts)
    yield _Series("qmgr_log_primary_space_in_use_percentage", figures.log_primary_pct, decimals=2)
    free = 100 - figures.log_fs_pct
    yield _Series("qmgr_log_file_system_free_space_percentage", free, decimals=2)
    written = _since_start(figures, figures.log_bytes)
    yield _Series("qmgr_log_physical_written_bytes_total", written)
    yield _Series("qmgr_mqput_mqput1_total", puts)
    yield _Series("qmgr_mqput_mqput1_bytes_total", puts * figures.spec.message_bytes)
    yield from _of_both(figures)


def _of_both(figures: SiteFigures) -> Iterator[_Series]:
    free = 100 - figures.data_fs_pct
    yield _Series("qmgr_queue_manager_file_system_free_space_percentage", free, decimals=2)
    latency_s = figures.log_write_latency_us / US_PER_S
    yield _Series("qmgr_log_write_latency_seconds", latency_s, decimals=6)


def _since_start(figures: SiteFigures, amounts: Int64s) -> Int64s:
    """Return the sum of amounts since the last start of the queue manager."""
    total = np.cumsum(np.where(figures.is_up, amounts, 0))
    ends = np.array([restart.ended_us for restart in figures.restarts], dtype=np.int64)
    begins = np.searchsorted(figures.grid.intervals.end_us, ends)
    before = np.zeros(len(total), dtype=np.int64)
    for begin in begins.tolist():
        before[begin:] = total[begin - 1] if begin else 0
    counted: Int64s = total - before
    return counted


_OF_PRODUCER: Final[dict[Producer, Callable[[SiteFigures], Iterator[_Series]]]] = {
    Producer.mq_prometheus: _of_collector,
    Producer.container: _of_container,
}
