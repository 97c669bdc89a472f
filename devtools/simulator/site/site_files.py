"""Files of the sites of an estate: answers of Prometheus, qm.ini, error logs, z/TPF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from devtools.simulator.named_period import NamedPeriod
from devtools.simulator.queue_manager import SimulatedPeriod
from devtools.simulator.site import manager_texts, ztpf_texts
from devtools.simulator.site.prometheus_answers import FigureSlice, prometheus_answer
from devtools.simulator.site.site_figures import (
    SiteFigures,
    ZtpfFigures,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.site.site_spec import SiteSpec
from devtools.simulator.timeline import Grid, day_number

FOLDER: Final = "sites"


def write_sites(
    sites: Iterable[SiteSpec],
    span: SimulatedPeriod,
    periods: Iterable[NamedPeriod],
    out_dir: Path,
) -> list[Path]:
    """Write the files of all sites into ``sites/`` and return them.

    An answer of Prometheus per period, and displays and console of each z/TPF system; of each queue
    manager a qm.ini, and an error log when it was started within its days.
    """
    parts = list(periods)
    return [file for site in sites for file in _write(site, span, parts, out_dir / FOLDER)]


def _write(
    site: SiteSpec, span: SimulatedPeriod, periods: list[NamedPeriod], folder: Path
) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    qmgrs = site_figures(site, span)
    systems = ztpf_figures(site, span)
    for figures in qmgrs:
        yield from _texts(figures, folder)
    for period in periods:
        if qmgrs:
            yield from _answer(qmgrs, period, folder)
        for system in systems:
            yield from _of_ztpf(system, period, folder)


def _texts(figures: SiteFigures, folder: Path) -> Iterator[Path]:
    stem = f"{figures.site.name}.{figures.spec.name}"
    yield _written(folder / f"{stem}.qm.ini", manager_texts.qm_ini(figures))
    log = manager_texts.error_log(figures)
    if log:
        yield _written(folder / f"{stem}.AMQERR01.LOG", log)


def _answer(qmgrs: tuple[SiteFigures, ...], period: NamedPeriod, folder: Path) -> Iterator[Path]:
    low, high = _range(qmgrs[0].grid, period.first, period.last)
    if high > low:
        path = folder / f"{qmgrs[0].site.name}.{period.name}.json"
        path.write_bytes(prometheus_answer(FigureSlice(one, low, high) for one in qmgrs))
        yield path


def _of_ztpf(figures: ZtpfFigures, period: NamedPeriod, folder: Path) -> Iterator[Path]:
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


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="ascii")
    return path
