"""Files of the sites of an estate: what tells about queue managers and z/TPF systems."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from devtools.simulator.queue_manager import SimulatedPeriod
from devtools.simulator.site import manager_texts
from devtools.simulator.site.manager_inputs import SUFFIXES, TEXT_OF_INPUT
from devtools.simulator.site.published import prometheus_answer
from devtools.simulator.site.site_figures import (
    FigureSlice,
    SiteFigures,
    SiteZtpfFigures,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.site.site_spec import SiteSpec
from devtools.simulator.timeline import Grid, Period

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
