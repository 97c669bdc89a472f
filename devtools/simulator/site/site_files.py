"""Files of the sites of an estate: what tells about queue managers and z/TPF systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from devtools.simulator.queue_manager import SimulatedPeriod
from devtools.simulator.site import manager_texts, ztpf_texts
from devtools.simulator.site.manager_inputs import SUFFIXES, TEXT_OF_INPUT
from devtools.simulator.site.prometheus_answers import prometheus_answer
from devtools.simulator.site.site_figures import (
    FigureSlice,
    SiteFigures,
    SiteZtpfFigures,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.site.site_spec import SiteSpec
from devtools.simulator.timeline import Grid, NamedPeriod, day_number

FOLDER: Final = "sites"
_END_OF_TIME_US: Final = 2**62


def write_sites(
    sites: Iterable[SiteSpec],
    span: SimulatedPeriod,
    periods: Iterable[NamedPeriod],
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
    site: SiteSpec, span: SimulatedPeriod, periods: list[NamedPeriod], folder: Path
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


def _texts(figures: SiteFigures, days: list[NamedPeriod], folder: Path) -> Iterator[Path]:
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


def _inputs(figures: SiteFigures, period: NamedPeriod, folder: Path) -> Iterator[Path]:
    low, high = _range(figures.grid, period.first, period.last)
    part = FigureSlice(figures, low, high)
    if not part.places:
        return
    for kind in figures.spec.inputs:
        stem = f"{figures.site.name}.{figures.spec.name}.{kind.value}.{period.name}"
        yield _written(folder / f"{stem}.{SUFFIXES[kind]}", TEXT_OF_INPUT[kind](part))


def _answer(qmgrs: list[SiteFigures], period: NamedPeriod, folder: Path) -> Iterator[Path]:
    low, high = _range(qmgrs[0].grid, period.first, period.last)
    if high > low:
        path = folder / f"{qmgrs[0].site.name}.{period.name}.json"
        path.write_bytes(prometheus_answer(FigureSlice(one, low, high) for one in qmgrs))
        yield path


def _of_ztpf(figures: SiteZtpfFigures, period: NamedPeriod, folder: Path) -> Iterator[Path]:
    stem = f"{figures.site.name}.{figures.spec.name}"
    low, high = _range(figures.grid, period.first, period.last)
    if high <= low:
        return
    text = ztpf_texts.displays(figures, low, high)
    yield _written(folder / f"{stem}.zmqsc.{period.name}.txt", text)
    days = np.unique(figures.grid.local_day[low:high])
    begins = np.searchsorted(figures.grid.local_day, [*days, days[-1] + 1]).tolist()
    text = "".join(ztpf_texts.console(figures, *day) for day in pairwise(begins))
    yield _written(folder / f"{stem}.console.{period.name}.txt", text)


def _range(grid: Grid, first: date, last: date) -> tuple[int, int]:
    days = [day_number(first), day_number(last) + 1]
    low, high = np.searchsorted(grid.local_day, days).tolist()
    return low, high


def _range_us(grid: Grid, period: NamedPeriod) -> tuple[int, int]:
    low, high = _range(grid, period.first, period.last)
    if high <= low:
        return _END_OF_TIME_US, _END_OF_TIME_US
    return int(grid.intervals.start_us[low]), int(grid.intervals.end_us[high - 1])


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="ascii")
    return path
